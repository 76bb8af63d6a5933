//===- Levels.h - which segment an operation belongs to ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the order in which the segments of a function and its
// control take turns: segment 0, the control of level 0, segment 1, ...
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CONTROL_LEVELS_H
#define TENON_PASSES_CONTROL_LEVELS_H

#include "dialects/Graph/Shapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::ctrl {

/// Whether the host runs an operation, and no kernel.
bool isControl(mlir::Operation *op);

/// Whether an operation has no operands and costs nothing, so that each segment
/// that reads it has one of its own.
bool isCopied(mlir::Operation *op);

/// The symbols that have to be known for a dimension or an operation, those
/// that others are derived from included.
llvm::SetVector<mlir::StringAttr> symbolsOf(mlir::Attribute dim);
llvm::SetVector<mlir::StringAttr> symbolsOf(mlir::Operation *op);

/// The earliest turn of each operation of a function. A segment's operations
/// are known when those before it are; control of a level follows its segment.
class Levels {
public:
  explicit Levels(mlir::func::FuncOp function);

  /// Of an operation that is not copied.
  unsigned of(mlir::Operation *op) const { return levels.lookup(op); }
  unsigned count() const { return numLevels; }
  /// An argument or a result of control that has the symbol as an extent; null
  /// where nothing has.
  mlir::Value carrierOf(mlir::StringAttr symbol) const {
    return carriers.lookup(symbol);
  }

private:
  void define(mlir::Value value, unsigned level);
  unsigned levelAt(mlir::Value operand, bool byControl) const;
  unsigned earliest(mlir::Operation *op) const;

  llvm::DenseMap<mlir::Operation *, unsigned> levels;
  llvm::DenseMap<mlir::Attribute, mlir::Value> carriers;
  llvm::DenseMap<mlir::Attribute, unsigned> symbolLevels;
  unsigned numLevels = 0;
};

} // namespace tenon::ctrl

#endif // TENON_PASSES_CONTROL_LEVELS_H
