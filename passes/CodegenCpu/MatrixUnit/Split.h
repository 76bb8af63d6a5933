//===- Split.h - numbers of f32 as three of bf16 ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how operands become tiles of a matrix unit. The pieces of
// one step of k, for 32 rows of A or 32 columns of B, are [half][piece] tiles
// of 16 rows of 16 pairs of bf16: a row of A's tile is a row, whose pairs are
// neighbouring steps of k; a row of B's tile is such a pair of steps, whose
// pairs are columns. Pairs lie in the order that packing lanes of 128 bits
// leaves them in: `lineOfPair`.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_MATRIXUNIT_SPLIT_H
#define TENON_PASSES_CODEGENCPU_MATRIXUNIT_SPLIT_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// What belongs together in the pieces of two vectors.
enum class Pairs {
  neighbours, ///< the elements of x, then of y: 32 steps of a row of A
  lanes       ///< an element of x and that of y: two steps of columns of B
};

/// Splits vectors of f32 x and y: each piece becomes a row of pairs, one tile
/// behind the other from `to` on. x1 = bf16(x), x2 = bf16(x - x1), x3 = x - x1
/// - x2, all but x3 rounded to nearest, ties away from zero. Exact unless a
/// piece is less than f32's normal numbers. Pieces of an infinity or NaN have a
/// NaN among them; so have numbers from 2^128 - 2^119 on.
void split(KernelBuilder &b, Pairs pairs, Value x, Value y, Value to);

/// Which row of B's tiles, and pair in a row of A's, the pair of steps 2 i and
/// 2 i + 1 is.
Value lineOfPair(KernelBuilder &b, Value i);

/// `count` of the lanes from a pointer on, the others being zero, widened to
/// f32. At most none and at least all of them may be asked for.
Value loadClamped(KernelBuilder &b, Value pointer, Value count, Type element);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MATRIXUNIT_SPLIT_H
