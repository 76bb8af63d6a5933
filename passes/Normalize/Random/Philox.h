//===- Philox.h - random numbers by their position --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares where random numbers come from: Philox4x32-10 (Salmon et
// al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), made of integer
// arithmetic. A number follows from its position in the tensor, row-major, so
// it does not matter which thread makes it, when, or how often.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_RANDOM_PHILOX_H
#define TENON_PASSES_NORMALIZE_RANDOM_PHILOX_H

#include "passes/Normalize/Context.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

/// What numbers are drawn for.
struct RandomSource {
  uint64_t seed = 0; ///< the key
  Value step;        ///< i64, of rank 0; its low 32 bits count
  uint32_t node = 0; ///< a number of its own for each that draws
};

/// 32 random bits for each element of a tensor, as i64: word e mod 4 of counter
/// (e / 4 low, e / 4 high, step, node).
Value randomBits(NormalizeContext &ctx, const RandomSource &source,
                 ArrayRef<mlir::Attribute> dims);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_RANDOM_PHILOX_H
