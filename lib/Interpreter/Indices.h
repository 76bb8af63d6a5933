//===- Indices.h - what indices pick from -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the rule for the indices of gathers and scatters: each
// lies in [-rows, rows), where a negative one counts from the end.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_INDICES_H
#define TENON_LIB_INTERPRETER_INDICES_H

#include "lib/Interpreter/Interpreter.h"

#include <optional>

namespace tenon::interp {

/// The operand that holds the indices of an operation, and how many rows they
/// pick from.
struct Picks {
  unsigned operand;
  std::optional<int64_t> rows; ///< none where only the run knows
};

/// Nothing for operations without indices.
std::optional<Picks> picksOf(mlir::Operation *op);

/// What is wrong with the first index that is outside; empty: none is.
std::string findOutside(const Tensor &indices, int64_t rows);
std::string findOutside(mlir::ElementsAttr indices, int64_t rows);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_INDICES_H
