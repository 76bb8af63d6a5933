//===- Constants.h - constants as rewrites see them -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how rewrites read, make and compute constants.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_SIMPLIFY_CONSTANTS_H
#define TENON_PASSES_SIMPLIFY_CONSTANTS_H

#include "dialects/Graph/Shapes.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tenon::simplify {

/// The tensor that `value` always is, or null.
mlir::ElementsAttr constantOf(mlir::Value value);

/// The value of all elements of a constant, if they are equal and exact as a
/// double.
std::optional<double> splatOf(mlir::Value value);

/// Whether `value` is a constant with all elements equal to `number`.
bool isSplat(mlir::Value value, double number);

/// Whether an element-wise operation has a result of the same type with an
/// operand of type `other` in the place of this one.
bool keepsResult(mlir::OpOperand &operand, mlir::RankedTensorType other);

/// Evaluates `op`, whose operands must be constants, and makes constants of the
/// results at the builder's insertion point; failure leaves no trace.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
evaluate(mlir::OpBuilder &builder, mlir::Operation *op);

/// Makes an operation with one result on constants and evaluates it at once;
/// where that fails, the operation itself stays.
template <typename OpTy, typename... Args>
mlir::Value compute(mlir::OpBuilder &builder, mlir::Location loc,
                    Args &&...args) {
  mlir::OpBuilder loose(builder.getContext());
  auto op = OpTy::create(loose, loc, std::forward<Args>(args)...);
  auto values = evaluate(builder, op);
  if (failed(values)) {
    builder.insert(op.getOperation());
    return op.getResult();
  }
  op->erase();
  return values->front();
}

/// graph.reshape of `value` to a static shape, evaluated if it is constant.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// The same to a shape that may have symbols.
mlir::Value reshapedTo(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, llvm::ArrayRef<mlir::Attribute> dims);

/// Whether a slice starts and ends at numbers.
bool isFixed(graph::SliceOp slice);

/// graph.transpose, or the reshape it amounts to when only dimensions of
/// extent 1 move; evaluated if `value` is constant.
mlir::Value transposed(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, llvm::ArrayRef<int64_t> permutation);

/// Whether `permutation` keeps the order of all dimensions that are not 1, so
/// that a reshape does the same.
bool movesOnlyUnits(mlir::RankedTensorType type,
                    llvm::ArrayRef<int64_t> permutation);

} // namespace tenon::simplify

#endif // TENON_PASSES_SIMPLIFY_CONSTANTS_H
