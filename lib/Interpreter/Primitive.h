//===- Primitive.h - primitives being called --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the call of a primitive and the tables in which their
// functions are listed. They say what `runtime/include/tenon/primitives.def`
// means, and share nothing with the run time's.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_PRIMITIVE_H
#define TENON_LIB_INTERPRETER_PRIMITIVE_H

#include "lib/Interpreter/Arrays.h"

namespace tenon::interp {

struct PrimitiveCall {
  mlir::Operation *op;
  llvm::ArrayRef<Datum> operands;
  llvm::ArrayRef<int64_t> integers;
  Data results;
  std::string reason; ///< why it failed, in words that follow its name

  mlir::MLIRContext *context() const { return op->getContext(); }

  /// What an operand is or, as an optional, holds; no value where it is left
  /// out.
  Datum operand(unsigned index) const {
    return index < operands.size() ? operands[index].element() : Datum();
  }

  /// An operand that must be a tensor of numbers, one of strings, either, or a
  /// sequence; null, with a reason, where it is not.
  const Tensor *tensor(unsigned index);
  const Strings *strings(unsigned index);
  const Datum *array(unsigned index);
  const std::vector<Datum> *sequence(unsigned index);

  /// Adds a result; a failure where it is none, because it is too large.
  mlir::LogicalResult give(Datum result);

  mlir::LogicalResult fail(const llvm::Twine &why) {
    reason = why.str();
    return mlir::failure();
  }
};

using PrimitiveFunction = mlir::LogicalResult (*)(PrimitiveCall &);

struct PrimitiveEntry {
  llvm::StringLiteral name;
  PrimitiveFunction function;
};

llvm::ArrayRef<PrimitiveEntry> basicPrimitives();
llvm::ArrayRef<PrimitiveEntry> findingPrimitives();
llvm::ArrayRef<PrimitiveEntry> boxPrimitives();
llvm::ArrayRef<PrimitiveEntry> sequencePrimitives();
llvm::ArrayRef<PrimitiveEntry> stringPrimitives();

/// Calls the function of the primitive that `op` names.
mlir::LogicalResult runPrimitive(PrimitiveCall &call);

/// Whether the interpreter has a function for that primitive.
bool hasPrimitive(llvm::StringRef name);

/// A dimension of `rank`, where a negative one counts from the end; nothing
/// where there is none.
std::optional<int64_t> axisOf(int64_t axis, int64_t rank);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_PRIMITIVE_H
