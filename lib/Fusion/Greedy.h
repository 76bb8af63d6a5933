//===- Greedy.h - one merge after the other ------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_GREEDY_H
#define TENON_LIB_FUSION_GREEDY_H

#include "lib/Fusion/Grouping.h"
#include "lib/Fusion/Solve.h"

namespace tenon::fusion {

/// Merges the two groups of some atoms that touch and save most, again and
/// again, as long as two save anything and questions are left.
void mergeGreedily(Grouping &grouping, llvm::ArrayRef<unsigned> atoms,
                   Answers &answers, const Options &options);

/// The same for all atoms, from each on its own. Makes no clones.
Solution solveGreedily(const Problem &problem, Oracle &oracle,
                       const Options &options = {});

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_GREEDY_H
