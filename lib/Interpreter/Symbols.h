//===- Symbols.h - what symbols are in one run ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how operations whose types have symbols become operations
// with sizes, which is what the interpreter's functions work on.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_SYMBOLS_H
#define TENON_LIB_INTERPRETER_SYMBOLS_H

#include "dialects/Graph/Constraints.h"
#include "lib/Interpreter/Interpreter.h"

#include "mlir/IR/OwningOpRef.h"

namespace tenon::interp {

/// The sizes of symbols, bound by the inputs and by what shape functions make
/// of them. A symbol that stands for two different sizes is an error.
class Symbols {
public:
  /// Binds the symbols of a type to the shape of a value. On failure `reason`
  /// says which dimension does not fit.
  mlir::LogicalResult bind(mlir::RankedTensorType type,
                           llvm::ArrayRef<int64_t> shape, std::string &reason);

  /// Whether the sizes are those that `graph.symbols` allows. On failure
  /// `reason` names the first symbol whose size is not.
  mlir::LogicalResult check(const graph::ConstraintStore &constraints,
                            std::string &reason) const;

  /// The extents of a type; kDynamic for what is not known.
  llvm::SmallVector<int64_t> shapeOf(mlir::RankedTensorType type) const;

  /// The operation with sizes in place of symbols, which has no block and whose
  /// operands have the types of `operands`; null, with a reason, if they do not
  /// fit together.
  mlir::OwningOpRef<mlir::Operation *> instance(mlir::Operation *op,
                                                llvm::ArrayRef<Tensor> operands,
                                                mlir::Block &arguments,
                                                std::string &reason);

  /// Whether an operation needs that.
  static bool isSymbolic(mlir::Operation *op);

private:
  mlir::Attribute valueOf(mlir::StringAttr symbol) const;
  mlir::LogicalResult settleResults(mlir::Operation *op, mlir::Operation *of,
                                    std::string &reason);

  llvm::DenseMap<mlir::StringAttr, int64_t> sizes;
};

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_SYMBOLS_H
