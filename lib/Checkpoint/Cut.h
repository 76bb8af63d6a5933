//===- Cut.h - what a minimum cut keeps -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares He and Yu's cut. Each value of the forward part is two
// nodes, and is kept where the edge between them is cut:
//
//   source -- again --> in -- keep --> out --> sink, if the backward part
//   out of an operand -- infinite --> in           reads it
//
// What lies behind the cut is dropped, and computed again.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_CUT_H
#define TENON_LIB_CHECKPOINT_CUT_H

#include "lib/Checkpoint/Problem.h"

namespace tenon::ckpt {

/// What is dropped, of all values; never what the backward part makes.
using Dropped = std::vector<bool>;

/// Of a value that must not be computed again.
inline constexpr int64_t neverAgain = int64_t(1) << 60;

/// What it costs to keep each value, and to compute it again. Values without a
/// recipe, and pinned ones, are never computed again, whatever is said here.
struct CutPrices {
  std::vector<int64_t> keep, again;
};

struct ForwardCut {
  Dropped dropped;
  int64_t bytes = 0; ///< of what is kept for what lies behind the cut
};

ForwardCut cutForward(const Problem &problem, const CutPrices &prices);

/// Of each value: whether a step behind the loss reads it.
std::vector<bool> readBehindLoss(const Problem &problem);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_CUT_H
