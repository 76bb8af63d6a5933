//===- Move.h - boxes copied with vectors -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what kernels of kind `move` are made of: copies of strided
// boxes row by row, fills, and small tables on the stack.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BODIES_MOVE_H
#define TENON_PASSES_CODEGEN_BODIES_MOVE_H

#include "dialects/Kernel/Buffers.h"
#include "passes/Codegen/Builder/KernelBuilder.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// One data-movement operation on its buffers.
struct Move {
  KernelBuilder &b;
  mlir::Operation *op;
  llvm::SmallVector<memory::BufferType> types; ///< per operand, then result
  llvm::SmallVector<unsigned> buffers;         ///< their numbers
  Value fault;                                 ///< word; null: none is told
  StageInfo made;                              ///< all but `tiles`

  memory::BufferType inputType(unsigned i) const { return types[i]; }
  memory::BufferType resultType(unsigned i = 0) const {
    return types[op->getNumOperands() + i];
  }
  Sizes inputShape(unsigned i) const {
    return graph::sizesOf(types[i].getTensor());
  }
  Sizes inputStrides(unsigned i) const { return kernel::stridesOf(types[i]); }
  Sizes resultShape() const { return graph::sizesOf(resultType().getTensor()); }
  Sizes resultStrides() const { return kernel::stridesOf(resultType()); }
  /// Address of element (0, 0, ...).
  Value input(unsigned i) const { return origin(i); }
  Value result(unsigned i = 0) const {
    return origin(op->getNumOperands() + i);
  }

private:
  Value origin(size_t i) const {
    memory::BufferType type = types[i];
    return b.at(b.buffer(buffers[i]), kernel::offsetOf(type),
                type.getElementType());
  }
};

/// Visits [0, length): unrolled vectors, vectors, then the rest with a mask.
void forRun(
    KernelBuilder &b, Value length, int64_t lanes,
    llvm::function_ref<void(Value i, int64_t vectors, Value live)> visit);
/// How many lanes a vector for such a run has: no more than it needs.
int64_t lanesForRun(KernelBuilder &b, Value length, Type element);
/// Copies `length` contiguous elements.
void copyRun(KernelBuilder &b, Value from, Value to, Value length,
             Type element);
/// Stores a scalar `length` times.
void fillRun(KernelBuilder &b, Value scalar, Value to, Value length,
             Type element);

/// A box of elements with the strides of source and destination. A row is the
/// part of the innermost dimension that one call copies.
class CopyBox {
public:
  CopyBox(KernelBuilder &b, llvm::ArrayRef<Size> extents,
          llvm::ArrayRef<Size> from, llvm::ArrayRef<Size> to);

  Size rows() const { return outerRows * pieces; }
  Size rowElements() const { return piece; }
  void copyRow(KernelBuilder &b, Value from, Value to, Value row,
               Type element) const;
  /// All rows.
  void copy(KernelBuilder &b, Value from, Value to, Type element) const;

private:
  Sizes extents, from, to;    ///< outer dimensions
  Size run, fromStep, toStep; ///< the innermost one
  Size piece, pieces, outerRows;
};

/// sum(index[k] * strides[k])
Value dot(KernelBuilder &b, mlir::ValueRange index,
          llvm::ArrayRef<int64_t> strides);
Value dot(KernelBuilder &b, mlir::ValueRange index,
          llvm::ArrayRef<Size> strides);

/// Rows of `rowElements` elements, or of `elements` together, divided into
/// tiles.
struct RowTiles {
  Size rows;
  int64_t perTile;
  Size tiles;

  RowTiles(KernelBuilder &b, const Size &rows, const Size &rowElements);
  static RowTiles ofAll(KernelBuilder &b, const Size &rows,
                        const Size &elements);
  void forRows(KernelBuilder &b, llvm::function_ref<void(Value)> body) const;
  /// Bounds of the tile's rows.
  void forTiles(KernelBuilder &b,
                llvm::function_ref<void(Value low, Value high)> body) const;

private:
  RowTiles(const Size &rows, int64_t perTile)
      : rows(rows), perTile(perTile), tiles(rows.ceilDiv(perTile)) {}
};

/// Numbers of i32, f32 or f64 by `element`.
Value makeTable(KernelBuilder &b, llvm::ArrayRef<double> values, Type element);
/// Tables hold at most this many numbers in one kernel.
inline constexpr size_t maxTableSize = 1 << 22;
/// An entry of an i32 table as an index.
Value readTable(KernelBuilder &b, Value table, Value index);

/// An element of an i32 or i64 index tensor as an index in [0, extent),
/// counted from the end when negative. Forced inside; the fault word tells.
Value loadIndex(Move &move, Value pointer, Type element, const Size &extent);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_MOVE_H
