//===- LongSum.h - sums of many terms ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the loop of sums whose errors must not grow with the
// number of their terms. In order, term by term, a sum of n terms is off by up
// to n roundings: of 2^25 equal numbers 1 %. Here blocks of terms are summed by
// themselves, then the sums of so many blocks, and so on:
//
//   sum                     16 blocks of blocks ...
//     block of blocks       16 blocks
//       block               128 terms
//
// A term passes at most 128 + 16 * ceil(log16(n / 128)) roundings and one more:
// 193 for 2^20 terms, 209 for 2^24. Sums of up to 128 terms are formed in
// order. (In blocks of 64, additions of blocks take up to 4 % of all
// instructions, in blocks of 128 half of it.)
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BUILDER_LONGSUM_H
#define TENON_PASSES_CODEGEN_BUILDER_LONGSUM_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// So many terms are summed in order; they are a block.
inline constexpr int64_t longestInOrder = 128;

/// A loop over [low, high), of at most `most` iterations. In each of them a sum
/// takes `terms` terms. How long a loop is that depends on symbols, the kernel
/// asks.
struct SumRange {
  Value low, high;
  int64_t step = 1;
  Size most = 1, terms = 1;
};

/// `KernelBuilder::loop` in blocks. Of the carried values those are sums for
/// which `isSum` holds; others pass through all blocks in order. Blocks depend
/// on the range alone.
Values sumLoop(KernelBuilder &b, const SumRange &range, ValueRange carried,
               llvm::function_ref<bool(size_t number)> isSum,
               llvm::function_ref<Values(Value i, ValueRange carried)> body);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_LONGSUM_H
