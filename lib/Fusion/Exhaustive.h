//===- Exhaustive.h - the cheapest of all groupings ----------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_EXHAUSTIVE_H
#define TENON_LIB_FUSION_EXHAUSTIVE_H

#include "lib/Fusion/Problem.h"

namespace tenon::fusion {

/// Tries all partitions into connected groups that have an order and, on
/// demand, all sets of clones. For tests: up to 8 atoms.
Solution solveExhaustively(const Problem &problem, Oracle &oracle,
                           bool clones = false);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_EXHAUSTIVE_H
