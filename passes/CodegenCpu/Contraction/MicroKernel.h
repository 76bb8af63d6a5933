//===- MicroKernel.h - the register tile of a contraction -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the loop that all contractions run in.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_MICROKERNEL_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_MICROKERNEL_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// One reduction dimension.
struct ReductionDim {
  Size extent, lhsStride, rhsStride; ///< in elements
};

/// Where a row of A is, from the first one on.
struct RowOffset {
  RowOffset(int64_t fixed = 0) : fixed(fixed) {}
  int64_t fixed;
  Value further; ///< in addition, where only the run knows it
};

/// From a lane of a vector on, A is read this far from the row's place.
struct LaneSource {
  int64_t lane = 0;
  int64_t lhs = 0; ///< in elements
};

/// One vector of columns of B.
struct ColumnVector {
  int64_t displacement; ///< in elements
  int64_t existing;     ///< lanes that may be read
  llvm::SmallVector<LaneSource, 2> sources = {LaneSource()};
  Value live = {}; ///< how many of those, where only the run knows it
};

/// `vectors` that lie behind each other; the last one has `last` lanes.
llvm::SmallVector<ColumnVector> contiguousColumns(int64_t vectors,
                                                  int64_t lanes, int64_t last);

/// `acc[row][vector] += broadcast(A[row, k]) * B[k, vector]` with all
/// accumulators in registers.
///
///   for k:                          B      b0     b1    (native vectors)
///     b0, b1 = B[k]             A
///     for each row i:           a0 ->   acc00  acc01
///       a = broadcast(A[i, k])  a1 ->   acc10  acc11
///       acc[i][j] += a * bj     a2 ->   acc20  acc21
///
/// Rows are displacements of one pointer, so a row may be a matrix row or an
/// output pixel of a convolution. So are vectors of columns: those of a
/// recurrent cell's gates lie apart. The lanes of a vector may belong to
/// several groups: `a` is then put together of theirs.
struct MicroKernel {
  llvm::SmallVector<RowOffset> rows; ///< displacement of each row in A
  llvm::SmallVector<ColumnVector> columns;
  int64_t lanes;
  llvm::SmallVector<ReductionDim> k; ///< outer to inner
  int64_t unroll;
  int64_t chains = 1; ///< sums of each result: of the steps of a turn by their
                      ///< numbers, so that few need not wait for each other
  int64_t fold = 1;   ///< steps that a column's lanes are, and elements of A
  int64_t rowsAhead = 0; ///< in A, to rows that are prefetched; 0: none
  Type lhsElement, rhsElement, accumulator;

  /// Zeros for all accumulators, row-major.
  Values zeros(KernelBuilder &b) const;

  /// Tile `number` of `tiles` that share B's panel asks for its share of
  /// `block`, `bytes` that are read like this one later. What a tile asks for
  /// at once takes the buffers that its own loads need, and what lies apart
  /// many pages.
  void fetchShare(KernelBuilder &b, Value block, int64_t bytes, Value number,
                  int64_t tiles);

  /// Runs the k loops from the given addresses on, `count` iterations of the
  /// outermost one. Where only the run knows how many an innermost loop has,
  /// they need not be a multiple of `unroll`.
  Values accumulate(KernelBuilder &b, Value lhs, Value rhs, ValueRange init,
                    Value count) const;

private:
  size_t numSums() const { return rows.size() * columns.size(); }
  Values nest(KernelBuilder &b, unsigned depth, Value lhs, Value rhs,
              ValueRange init, Value count) const;
  Values turn(KernelBuilder &b, Value i, Value lhs, Value rhs,
              ValueRange carried) const;
  Values innermost(KernelBuilder &b, Value lhs, Value rhs, ValueRange init,
                   Value count) const;
  /// One step of an unrolled loop.
  Values step(KernelBuilder &b, Value lhs, Value rhs, int64_t number,
              ValueRange init) const;
  Values columnsAt(KernelBuilder &b, Value rhs) const;
  int64_t turnsOfLine() const;
  void prefetchRows(KernelBuilder &b, Value i, Value lhs) const;
  void prefetchAhead(KernelBuilder &b, Value line, int64_t number) const;

  Value ahead;            ///< the first line of B to ask for
  int64_t linesAhead = 0; ///< how many in each turn
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_MICROKERNEL_H
