//===- Validate.h - whether groups are a solution ------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_VALIDATE_H
#define TENON_LIB_FUSION_VALIDATE_H

#include "lib/Fusion/Problem.h"

namespace tenon::fusion {

/// Proves that each atom is in one group, or computed by every group that uses
/// it; that each group needs what it computes itself or what a group before it
/// is there for; that groups are connected; that the cost is theirs, and no
/// more than that of each atom on its own. Knows nothing of how a solution is
/// found.
llvm::Error validate(const Problem &problem, Oracle &oracle,
                     const Solution &solution);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_VALIDATE_H
