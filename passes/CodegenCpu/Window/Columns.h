//===- Columns.h - pools combine columns, then pixels -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a pool's tile of rows by pixels combines what lies
// above each other once for all pixels that use it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_WINDOW_COLUMNS_H
#define TENON_PASSES_CODEGENCPU_WINDOW_COLUMNS_H

#include "passes/Codegen/Bodies/WindowTaps.h"
#include "passes/CodegenCpu/Window/Window.h"

namespace tenon::codegen {

/// The input columns of one tile of a pool, one vector of channels.
/// Neighbouring windows share inputs: each is loaded once, and what two windows
/// share is combined once, first down the columns and then along the row:
///
///   3x3, stride 1, two rows    a column    t = r1 + r2,  r0 + t,  t + r3
///                              two pixels  t = c1 + c2,  c0 + t,  t + c3
///
/// Four rows of three pixels take 30 loads and 50 additions where single
/// windows take 108 and 96. Columns outside of the input do not exist. Keeps
/// references to its arguments.
class WindowColumns {
public:
  WindowColumns(const WindowNest &nest, const WindowTaps &taps,
                const WindowTile &tile);

  /// The first existing column, from the first pixel's tap 0 on; addresses
  /// below are of this column.
  int64_t origin() const { return columns.empty() ? 0 : columns.front(); }

  /// Sums of columns before their first row.
  Values initial() const;

  /// One kernel row enters the sums of columns.
  Values addRow(Value base, ValueRange sums) const;

  /// The pixels of one row from sums of columns.
  Values combine(ValueRange sums) const;

  /// The pixels of neighbouring rows, row by row: `uses` are the kernel rows of
  /// each, `bases` the addresses of all.
  Values combineRows(ValueRange bases,
                     llvm::ArrayRef<llvm::SmallVector<size_t>> uses) const;

private:
  Value load(Value base, size_t column) const;
  Value join(Value sum, Value value) const;
  llvm::SmallVector<size_t> columnsOf(int64_t pixel) const;

  const WindowNest &nest;
  const WindowTaps &taps;
  const WindowTile &tile;
  llvm::SmallVector<int64_t> columns; ///< ascending
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINDOW_COLUMNS_H
