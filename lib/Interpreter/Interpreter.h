//===- Interpreter.h - the reference semantics of graphs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the interpreter: what every graph operation means, written
// to be read. It is the oracle of the tests and the engine of constant folding.
//
//   Tensor x = Tensor::borrow(type, bytes);
//   FailureOr<SmallVector<Tensor>> ys = interpretFunction(main, {x});
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_INTERPRETER_H
#define TENON_LIB_INTERPRETER_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <memory>
#include <string>

namespace tenon::interp {

/// A tensor of static shape with its elements, row-major; `i1` takes one byte
/// (0 or 1) per element. Copies share the bytes. A tensor either owns them or
/// borrows them from someone who outlives it (a resource blob, the caller).
class Tensor {
public:
  /// No tensor: `!tensor` holds.
  Tensor() = default;

  /// Room for a tensor, contents undefined. No tensor when the shape is not
  /// static or the bytes are not to be had.
  static Tensor allocate(mlir::RankedTensorType type);

  /// A view of somebody else's bytes, read only. No tensor when their number
  /// does not fit the type.
  static Tensor borrow(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes);

  /// The elements of an attribute. Dense attributes and resources are borrowed
  /// from the context; splats and dense `i1` are expanded. Failure: an element
  /// type or attribute kind the interpreter does not know.
  static mlir::FailureOr<Tensor> fromElements(mlir::ElementsAttr elements);

  /// The same without the copy that `fromElements` makes of elements at an odd
  /// address: weights lie anywhere in a mapped file. Not to be read through a
  /// pointer to numbers; the interpreter's functions never do.
  static mlir::FailureOr<Tensor> viewElements(mlir::ElementsAttr elements);

  /// The way back: a splat where all elements are equal, `dense` for small
  /// tensors, else a `dense_resource` that owns a reference to the bytes (no
  /// copy; a borrowed tensor's owner must outlive the context) named after
  /// their hash.
  mlir::ElementsAttr toElements() const;

  explicit operator bool() const { return static_cast<bool>(type); }
  mlir::RankedTensorType getType() const { return type; }
  mlir::Type getElementType() const { return type.getElementType(); }
  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getRank() const { return type.getRank(); }
  int64_t size() const { return count; }

  llvm::ArrayRef<char> bytes() const { return {data, byteCount}; }

  /// The bytes for writing; only for tensors made by `allocate` and not yet
  /// shared.
  llvm::MutableArrayRef<char> mutableBytes() {
    return {owned.get(), byteCount};
  }

  /// The same bytes under another type of equal element size and count.
  Tensor withType(mlir::RankedTensorType newType) const;

private:
  mlir::RankedTensorType type;
  std::shared_ptr<char[]> owned; ///< null when borrowed
  const char *data = nullptr;
  size_t byteCount = 0;
  int64_t count = 0;
};

/// Runs one operation of the graph dialect on operand values, one per operand
/// of `op` in order, and returns one tensor per result. The values' shapes must
/// be those of the operands' types; result types must be static. On failure
/// `reason` (when given) says why; no diagnostic is emitted.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluate(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
         std::string *reason = nullptr);

/// The same on attributes: what the constant folder calls. Cheap on small
/// tensors.
mlir::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>
evaluate(mlir::Operation *op, llvm::ArrayRef<mlir::ElementsAttr> operands,
         std::string *reason = nullptr);

/// Whether the interpreter has a function for operations of this name.
bool hasSemantics(llvm::StringRef operationName);

/// Executes a function of graph operations, `kernel.group`s of them, and check
/// operations; tensors are freed after their last use. A failure is emitted as
/// an error at the operation that could not be executed or did not hold.
mlir::FailureOr<llvm::SmallVector<Tensor>>
interpretFunction(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> inputs);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_INTERPRETER_H
