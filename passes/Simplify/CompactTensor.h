//===- CompactTensor.h - constants without their repetitions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares constants as folding computes with them: a dimension along
// which all elements are equal has extent 1. A gigabyte of zeros is one zero
// here, a tiled row is the row, and what is computed of them stays so small:
//
//   splat 0 : 16384x16384   ->  elements [[0]]
//   + 1                     ->  elements [[1]]
//   mean                    ->  1, without a sum
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_SIMPLIFY_COMPACTTENSOR_H
#define TENON_PASSES_SIMPLIFY_COMPACTTENSOR_H

#include "lib/Interpreter/Interpreter.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tenon::simplify {

/// Constants may grow by this much beyond what they are made of: a page.
inline constexpr int64_t freeGrowthBytes = 4096;

/// All elements of operands may take so much while an operation that needs them
/// is evaluated.
inline constexpr int64_t maxExpandedBytes = int64_t(64) << 20;

/// A constant of type `type`. `elements` has the same rank; an extent of 1
/// where the type has another one stands for equal elements.
struct CompactTensor {
  interp::Tensor elements;
  mlir::RankedTensorType type;

  /// `elements`, or one of them if they are equal, for all of `type`.
  static CompactTensor of(const interp::Tensor &elements,
                          mlir::RankedTensorType type);
  /// The constant that `value` always is, also as graph.broadcast of one;
  /// nothing otherwise.
  static std::optional<CompactTensor> read(mlir::Value value);

  bool isUniform() const { return elements.size() == 1; }
  bool isRepeatedAlong(int64_t dim) const {
    return elements.getShape()[dim] != type.getDimSize(dim);
  }
  int64_t bytes() const { return elements.bytes().size(); }
  /// Whether it becomes a constant of all its elements: a splat, few more than
  /// in `elements`, or up to `limit` bytes.
  bool isWorthStoring(int64_t limit = 0) const;
};

/// The shape of the elements that `op`, whose operands are `operands`, has a
/// compact result of; nothing if it needs all elements of its operands.
std::optional<llvm::SmallVector<int64_t>>
compactShape(mlir::Operation *op, llvm::ArrayRef<CompactTensor> operands);

/// The results of `op`.
mlir::FailureOr<llvm::SmallVector<CompactTensor>>
evaluate(mlir::Operation *op, llvm::ArrayRef<CompactTensor> operands);

/// Makes the constant: as one where that is worth it, as a graph.broadcast of
/// one otherwise.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                        const CompactTensor &tensor, int64_t limit = 0);

/// All elements of it, whatever they take; no tensor if that is too much.
interp::Tensor expand(const CompactTensor &tensor);

/// Runs the operation that `make` makes of the values of `operands`; no tensor
/// on failure.
using MakeOp =
    llvm::function_ref<mlir::Operation *(mlir::OpBuilder &, mlir::ValueRange)>;
interp::Tensor runOn(llvm::ArrayRef<interp::Tensor> operands, MakeOp make);

} // namespace tenon::simplify

#endif // TENON_PASSES_SIMPLIFY_COMPACTTENSOR_H
