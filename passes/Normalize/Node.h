//===- Node.h - one onnx operation as a lowering reads it -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a read-only view: the operation for its attributes, and
// its operands as already lowered graph values.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_NODE_H
#define TENON_PASSES_NORMALIZE_NODE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace tenon::normalize {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::RankedTensorType;
using mlir::Value;

/// A node of the imported model. Attribute getters take ONNX's name and the
/// value that ONNX gives an absent attribute; operands beyond the last one and
/// operands left out by the model are null values.
///
///   int64_t axis = node.integer("axis", -1);
///   if (Value bias = node.operand(2)) ...
class Node {
public:
  Node(mlir::Operation *op, ArrayRef<Value> operands)
      : op(op), operands(operands) {}

  /// The lowered operand, null when absent.
  Value operand(unsigned index) const {
    return index < operands.size() ? operands[index] : Value();
  }
  /// The operand's type; the operand must be present.
  RankedTensorType type(unsigned index) const {
    return mlir::cast<RankedTensorType>(operands[index].getType());
  }
  /// All operands, absent ones as null values.
  ArrayRef<Value> allOperands() const { return operands; }
  /// Whether the model reads result `index`.
  bool resultUsed(unsigned index) const;
  unsigned numResults() const { return op->getNumResults(); }
  mlir::Operation *operation() const { return op; }
  mlir::MLIRContext *context() const { return op->getContext(); }

  /// Attributes, one getter per kind of ONNX attribute.
  int64_t integer(StringRef name, int64_t absent) const;
  bool flag(StringRef name, bool absent) const;
  float real(StringRef name, float absent) const;
  StringRef string(StringRef name, StringRef absent) const;
  SmallVector<int64_t> integers(StringRef name) const;
  SmallVector<float> reals(StringRef name) const;
  SmallVector<StringRef> strings(StringRef name) const;
  mlir::ElementsAttr tensor(StringRef name) const;
  bool has(StringRef name) const { return op->hasAttr(name); }

private:
  mlir::Operation *op;
  ArrayRef<Value> operands;
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_NODE_H
