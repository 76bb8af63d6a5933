//===- Gradient.h - reverse mode on graphs ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how gradients are built: as further operations of the
// graph dialect, which every later phase treats as it treats all others.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_DIFFERENTIATE_GRADIENT_H
#define TENON_PASSES_DIFFERENTIATE_GRADIENT_H

#include "mlir/IR/Builders.h"
#include "mlir/Support/LLVM.h"

namespace tenon::differentiate {

/// What is known of an operation's gradient.
enum class Differentiability {
  HasRule,  ///< one of its own, or those of its parts
  Constant, ///< its results do not change with small changes of its operands
  NoRule,   ///< an error where a gradient has to pass it
  Unknown,  ///< no table has it: to be told apart by tests
};

Differentiability differentiabilityOf(llvm::StringRef operationName);

/// On operations whose results count as numbers that nothing decides about:
/// what is subtracted here and added there.
inline constexpr llvm::StringLiteral kNoGradient = "tenon.no_gradient";

/// Replaces composites whose gradients are those of their parts, and lets loops
/// keep what their gradients read.
void expandForGradients(mlir::Block &block);

/// Removes what expandForGradients() and gradients noted on operations.
void removeNotes(mlir::Operation *module);

/// For each of `wanted`, the derivative of the sum of all `of` * `seeds`; null
/// where they do not depend on it. Seeds have the types of `of`. All values are
/// of the block at whose builder's insertion point, behind them, operations are
/// added: those that lie between only, each adjoint the sum of its users' parts
/// from the last user to the first. Call expandForGradients() before. Fails
/// with an error at the operation that has no rule or an open size.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildGradients(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> of,
               llvm::ArrayRef<mlir::Value> seeds,
               llvm::ArrayRef<mlir::Value> wanted);

} // namespace tenon::differentiate

#endif // TENON_PASSES_DIFFERENTIATE_GRADIENT_H
