//===- Datum.h - tensors, sequences, optionals, strings ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a value of a program is when it runs. Graph
// operations know tensors alone; functions, branches and loops pass the others
// around, and primitives make and take them.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_DATUM_H
#define TENON_LIB_INTERPRETER_DATUM_H

#include "lib/Interpreter/Interpreter.h"

#include <string>
#include <variant>
#include <vector>

namespace tenon::interp {

/// A tensor of strings, row-major. Copies share the elements.
class Strings {
public:
  /// `type` is static and has as many elements as `elements`.
  Strings(mlir::RankedTensorType type, std::vector<std::string> elements);

  mlir::RankedTensorType getType() const { return type; }
  llvm::ArrayRef<std::string> elements() const { return *shared; }

  /// The same elements under another type of as many.
  Strings withType(mlir::RankedTensorType newType) const;

private:
  mlir::RankedTensorType type;
  std::shared_ptr<const std::vector<std::string>> shared;
};

/// A value. Copies share what it holds.
class Datum {
public:
  /// No value: `!datum` holds.
  Datum() = default;
  Datum(Tensor tensor);
  Datum(Strings strings) : value(std::move(strings)) {}
  static Datum sequence(std::vector<Datum> elements);
  /// An optional; of no value, an empty one.
  static Datum optional(Datum element = Datum());

  explicit operator bool() const { return value.index() != 0; }

  /// Each is null where it is something else.
  const Tensor *tensor() const { return std::get_if<Tensor>(&value); }
  const Strings *strings() const { return std::get_if<Strings>(&value); }
  const std::vector<Datum> *sequence() const;
  bool isOptional() const { return std::holds_alternative<Optional>(value); }

  /// What an optional holds, no value if it is empty; other values themselves.
  Datum element() const;

  /// Of a tensor, of strings or not; null for what has no shape.
  mlir::RankedTensorType arrayType() const;
  llvm::ArrayRef<int64_t> getShape() const { return arrayType().getShape(); }

  /// Whether it is a value of `type`: kind, element type, rank, and extents
  /// that are numbers. A symbol may be any number.
  bool isOf(mlir::Type type) const;

  /// "f32 [2x3]", "sequence of 3".
  std::string describe() const;

private:
  struct Sequence {
    std::shared_ptr<const std::vector<Datum>> elements;
  };
  struct Optional {
    std::shared_ptr<const Datum> element; ///< null: empty
  };
  std::variant<std::monostate, Tensor, Strings, Sequence, Optional> value;
};

using Data = llvm::SmallVector<Datum>;

/// The value of an attribute: numbers, as `Tensor::viewElements` reads them, or
/// strings.
mlir::FailureOr<Datum> readElements(mlir::ElementsAttr elements);

/// The function of a module that a user runs: the public one of the control
/// dialect; else, where there is control, the first public one; else the one
/// that there is. Failure is emitted.
mlir::FailureOr<mlir::FunctionOpInterface> findProgram(mlir::ModuleOp module);

/// Executes a function of graph and control operations, `kernel.group`s and
/// check operations, and what it calls. A failure is emitted as an error at the
/// operation that could not be executed or did not hold.
mlir::FailureOr<Data> interpret(mlir::FunctionOpInterface function,
                                llvm::ArrayRef<Datum> inputs);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_DATUM_H
