//===- Quantised.cpp - numbers of few bits --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only inputs are quantised, by powers of two: no rounding error of another
// operator decides between two numbers.
//===----------------------------------------------------------------------===//
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

/// The numbers of onnx's TensorProto for what no value here has.
static constexpr int64_t u8 = 2, i8 = 3;

static std::string cast(Graph &graph, const std::string &name, int64_t kind) {
  return graph.helper("Cast", {name}, {attribute("to", kind)});
}

/// Quantised and back, by one scale or one for each index of the last axis.
static bool quantise(Graph &graph) {
  Shape shape = graph.drawShape(graph.random.between(1, 4));
  int64_t columns = graph.random.between(1, 5);
  bool isByAxis = graph.random.chance(50);
  if (isByAxis)
    shape.back() = columns;
  if (!isBelow(shape, mostElements))
    return false;
  Value x = graph.input(F32, shape, 40);
  Ints steps(size_t(columns), 1);
  for (size_t i = 0; i < steps.size(); ++i)
    steps[i] <<= i % 3;
  std::string scale = isByAxis ? cast(graph, graph.integers(steps).name, F32)
                               : graph.number(0.5).name;
  Value zeros =
      isByAxis ? graph.integers(Ints(size_t(columns), 3)) : graph.integer(3);
  std::string zero = cast(graph, zeros.name, graph.random.chance(50) ? u8 : i8);
  Attributes axis{attribute("axis", int64_t(-1))};
  std::string few = graph.helper("QuantizeLinear", {x.name, scale, zero}, axis);
  graph.add("DequantizeLinear", {few, scale, zero}, F32, shape, 1024, axis);
  return true;
}

/// Products of integers, which are exact.
static bool multiply(Graph &graph) {
  Extent rows = graph.drawExtent(), depth = graph.drawExtent();
  int64_t columns = graph.random.any<int64_t>({1, 3, 8, 17});
  Shape left{rows, depth}, right{depth, columns};
  if (!isBelow(left, mostElements) || !isBelow(right, mostElements))
    return false;
  std::string x = cast(graph, graph.input(I32, left, 100).name, u8);
  std::string y = cast(graph, graph.input(I32, right, 100).name, i8);
  std::string zero = cast(graph, graph.integer(7).name, u8);
  double terms =
      double(*std::max_element(depth.at().begin(), depth.at().end()));
  graph.add("MatMulInteger", {x, y, zero}, I32, {rows, columns},
            11000 * terms + 1);
  return true;
}

Operators tenon::fuzz::quantisedOperators() {
  return {{3, quantise}, {2, multiply}};
}
