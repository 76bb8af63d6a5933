//===- Points.h - results one element after the other -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what strategy `points` has for each anchor: the formula of
// one element of the result, on numbers that all come with the call. There are
// no vectors, no packed operands and no register tiles: nothing depends on an
// extent, so that any group has a kernel for any sizes.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_POINTS_POINTS_H
#define TENON_PASSES_CODEGENCPU_POINTS_POINTS_H

#include "dialects/Memory/Memory.h"
#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// A tensor as it lies in memory.
struct PointTensor {
  Value start; ///< address of element (0, 0, ...)
  Sizes shape, strides;
  Type element;

  static PointTensor of(KernelBuilder &b, unsigned buffer,
                        memory::BufferType type);
  /// The index has as many dimensions.
  Value address(KernelBuilder &b, ValueRange index) const;
  Value load(KernelBuilder &b, ValueRange index) const;
};

/// An anchor on its operands.
struct PointAnchor {
  KernelBuilder &b;
  mlir::Operation *op;
  llvm::SmallVector<PointTensor> operands;
  Sizes result;

  /// What sums are kept in: f64 for floats, whose order is the plain one.
  Type sumType() const;
  /// An element of an operand in that type.
  Value load(unsigned operand, ValueRange index) const;
};

/// `initial`, changed by `body` at each index below `extents`, in row-major
/// order.
Values
overBox(KernelBuilder &b, llvm::ArrayRef<Size> extents, Values initial,
        llvm::function_ref<Values(ValueRange index, ValueRange carried)> body);

/// The element of the anchor's result at `place`, in the sum's type.
Value productAt(const PointAnchor &anchor, ValueRange place);
Value convolutionAt(const PointAnchor &anchor, ValueRange place);
Value transposedAt(const PointAnchor &anchor, ValueRange place);
Value poolAt(const PointAnchor &anchor, ValueRange place);
Value lrnAt(const PointAnchor &anchor, ValueRange place);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_POINTS_POINTS_H
