//===- Others.h - what others would compute again ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CHECKPOINT_OTHERS_H
#define TENON_LIB_CHECKPOINT_OTHERS_H

#include "lib/Checkpoint/Cut.h"
#include "lib/Checkpoint/Front.h"

namespace tenon::ckpt {

/// What another way computes again.
struct OtherSet {
  std::string name;
  Dropped dropped;
};

struct OtherPlan {
  std::string name;
  Plan plan;
};

/// Plans of other ways on the same steps, for comparison:
///
///   min-cut B   torch's partitioner at an activation memory budget B from 1
///               to 0, approximately: element-wise values are computed again
///               where that is cheaper than bytes weighted by distance; below
///               what that keeps, a knapsack of times and bytes says which
///               others are. Each is computed once, before its first use.
///   blocks      the borders that the problem states are kept, and all else is
///               computed again once; none without borders.
///   blocks of N each Nth border is: powers of two, and the root of how many
///               borders there are.
std::vector<OtherSet> setsOfOthers(const Problem &problem);
std::vector<OtherPlan> othersOf(const Problem &problem);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_OTHERS_H
