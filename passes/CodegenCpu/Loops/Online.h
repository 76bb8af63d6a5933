//===- Online.h - maximum and sum of a softmax in one pass ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how max(x) and then sum(exp(x - max(x))), of rows that no
// private cache holds, are found in one pass over them (Milakov, Gimelshein:
// Online normalizer calculation for softmax, 2018). In blocks that stay in the
// first-level cache, and in each lane by itself:
//
//   for block:
//     m' = max(m, x[block])
//     s  = s * exp(m - m') + sum(exp(x[block] - m'))
//   max = fold(lanes: max, m),  sum = fold(lanes: +, s * exp(m - max))
//
// The sum over blocks keeps what its additions round off, so that errors do not
// grow with their number. m begins with the least finite number: rows with
// nothing but -inf come to 0 / 0, as they do in two passes.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_LOOPS_ONLINE_H
#define TENON_PASSES_CODEGENCPU_LOOPS_ONLINE_H

#include "passes/Codegen/Groups/LoopNest.h"

namespace tenon::codegen {

/// Nodes of a nest: the elements and both reductions of them.
struct OnlineSoftmax {
  unsigned element, shift, sum;

  bool has(unsigned node) const { return node == shift || node == sum; }
};

/// Whether a nest has a softmax that could run so, over rows along lanes.
bool mayRunOnline(const LoopNest &nest, unsigned vector);

/// The softmax that one pass computes when the nest runs as scheduled.
std::optional<OnlineSoftmax> findOnlineSoftmax(const LoopNest &nest,
                                               const LoopSchedule &schedule);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOOPS_ONLINE_H
