//===- Greedy.h - one merge after the other ------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_GREEDY_H
#define TENON_LIB_FUSION_GREEDY_H

#include "lib/Fusion/Solve.h"

namespace tenon::fusion {

/// Merges the two groups that touch and save most, again and again, as long as
/// two save anything and questions are left. Of the options it takes
/// `mostAtoms` and `mostAskedInAll`. It makes no clones.
Solution solveGreedily(const Problem &problem, Oracle &oracle,
                       const Options &options = {});

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_GREEDY_H
