//===- Body.h - a subgraph as a function ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the region of an operation becomes a function, with
// all that it reads of its surroundings passed to it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTROL_BODY_H
#define TENON_PASSES_NORMALIZE_CONTROL_BODY_H

#include "passes/Normalize/Walk.h"

namespace tenon::normalize {

/// What the regions of an operation read of their surroundings.
struct Captures {
  SmallVector<Value> all; ///< of the onnx dialect
  /// What was made for them and has to be passed: all but what a body can make
  /// itself, constants and numbers that are computed from sizes.
  SmallVector<Value> passed;
};

/// Fails if something was not lowered, for which the report has a line.
mlir::FailureOr<Captures> capturesOf(Walk &walk, mlir::Operation *op);

/// What a body is made of.
struct BodySource {
  mlir::Region &region;
  StringRef suffix;                  ///< of its name
  ArrayRef<mlir::Type> own;          ///< types of its first arguments
  ArrayRef<mlir::StringAttr> locals; ///< symbols in them that the caller lacks
  const Captures &captures;
  /// The values for the arguments of the region.
  llvm::function_ref<SmallVector<Value>(NormalizeContext &ctx,
                                        mlir::ValueRange own)>
      arguments;
  /// Which of the values that the region yields are returned.
  llvm::function_ref<bool(unsigned)> returns;
  bool returnsTrue = false; ///< and this in front of them
};

/// A function that was made of a region.
class Body {
public:
  Body(Walk &outer, mlir::Operation *op) : outer(outer), op(op) {}

  /// Makes and lowers the function. On failure some walk has refused a node.
  mlir::LogicalResult make(const BodySource &source);
  /// Makes a function that takes the same, and ends the run with this text as
  /// an error of `where` in place of results of these types.
  void makeFailing(const BodySource &source, mlir::Location where,
                   StringRef text, ArrayRef<mlir::Type> results);
  /// Erases the function, and those that it calls.
  void erase();

  ArrayRef<mlir::Type> results() {
    return function.getFunctionType().getResults();
  }
  /// A dimension or type of the function as its caller says it; null for a
  /// dimension that it cannot say.
  mlir::Attribute exported(mlir::Attribute dim) const;
  mlir::Type exported(mlir::Type type) const;
  /// A type of the caller as the function says it.
  mlir::Type imported(mlir::Type type) const;

  mlir::func::FuncOp function;

private:
  void open(const BodySource &source);
  mlir::FailureOr<SmallVector<Value>> enter(const BodySource &source,
                                            Walk &inner);
  void share(const BodySource &source);
  void localize(const graph::ConstraintStore &inner);

  Walk &outer;
  mlir::Operation *op;
  mlir::Operation *before = nullptr; ///< the last one in the module then
  std::string suffix;
  size_t rangesBefore = 0;
  llvm::DenseSet<mlir::Attribute> shared; ///< symbols of the caller
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> renamed, original;
};

/// Passes the bodies of `op` what they read: the same to all, behind their own
/// arguments, without what none of them needs, and with values whose extents
/// are symbols that a body needs. Returns these values.
mlir::FailureOr<SmallVector<Value>>
passCaptures(Walk &walk, mlir::Operation *op, ArrayRef<Body *> bodies,
             unsigned numOwn, const Captures &captures);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTROL_BODY_H
