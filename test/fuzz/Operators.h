//===- Operators.h - what graphs are made of --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the operators of each family. An operator takes values
// that there are, or inputs that it makes, and adds nodes; where none fit it
// does nothing and says so. Results are defined by ONNX for the sizes of all
// runs.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_FUZZ_OPERATORS_H
#define TENON_TEST_FUZZ_OPERATORS_H

#include "test/fuzz/Graph.h"

namespace tenon::fuzz {

struct Operator {
  int weight;
  bool (*make)(Graph &);
  /// The oldest opset that has it in the form that `make` gives it.
  int64_t since = 18;
};
using Operators = std::vector<Operator>;

Operators elementwiseOperators();
Operators reductionOperators();
Operators productOperators();
Operators imageOperators();
Operators windowOperators();
Operators signalOperators();
Operators quantisedOperators();
Operators movementOperators();
Operators shapeOperators();
Operators indexOperators();
Operators attentionOperators();
Operators controlOperators();
Operators recurrentOperators();

/// Adds one operator of all families. Control flow is rarer in bodies.
void grow(Graph &graph);

/// Images of some channels, or rows of them.
Value image(Graph &graph);

/// A new input where the shape has few elements, and those from `first` on are
/// something.
std::optional<Value> newInput(Graph &graph, const Shape &shape,
                              size_t first = 0);

/// `value` with elements in [-1, 1], where they may be larger.
Value bounded(Graph &graph, const Value &value);

/// The length of a dimension, as a number or a list of one.
Value lengthOf(Graph &graph, const Value &value, int64_t axis, bool isList);

/// The numbers from 0 on.
Ints countTo(int64_t end);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_OPERATORS_H
