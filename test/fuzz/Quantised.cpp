//===- Quantised.cpp - numbers of few bits --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only inputs are quantised, by powers of two: no rounding error of another
// operator decides between two numbers.
//===----------------------------------------------------------------------===//
#include "test/fuzz/Operators.h"

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
  double terms = double(depth.most());
  graph.add("MatMulInteger", {x, y, zero}, I32, {rows, columns},
            11000 * terms + 1);
  return true;
}

/// Quantised and back by a scale for each two of the last axis.
static bool quantiseBlocks(Graph &graph) {
  Shape scales{graph.drawExtent(), graph.drawExtent()}, shape = scales;
  shape[1] = shape[1] * Extent(2);
  if (!isBelow(shape, mostElements))
    return false;
  Value x = graph.input(F32, shape, 40);
  std::string scale =
      graph.helper("Where", {graph.input(Bool, scales).name,
                             graph.number(0.5).name, graph.number(2).name});
  std::string zero =
      cast(graph, graph.indices(I64, scales, Extent(4), false).name,
           graph.random.chance(50) ? u8 : i8);
  Attributes attributes{attribute("axis", int64_t(1)),
                        attribute("block_size", int64_t(2))};
  std::string few =
      graph.helper("QuantizeLinear", {x.name, scale, zero}, attributes);
  graph.add("DequantizeLinear", {few, scale, zero}, F32, shape, 1024,
            attributes);
  return true;
}

/// By a scale that follows from the data.
static bool quantiseDynamically(Graph &graph) {
  Shape shape = graph.drawShape(graph.random.between(1, 4));
  if (!elementsOf(shape).isIn(1, mostElements))
    return false;
  Value x = graph.input(F32, shape, 40);
  graph.add("DequantizeLinear",
            graph.helpers("DynamicQuantizeLinear", {x.name}, 3), F32, shape,
            x.bound + 1);
  return true;
}

/// An input of few bits.
static std::string fewBits(Graph &graph, const Shape &shape, int64_t kind) {
  return cast(graph, graph.input(I32, shape, 100).name, kind);
}

/// Scales that are powers of two, and zero points, of a quantised operand.
static void addScales(Graph &graph, Names &operands, double scale, int64_t zero,
                      int64_t kind) {
  operands.push_back(graph.number(scale).name);
  operands.push_back(cast(graph, graph.integer(zero).name, kind));
}

/// What a quantised operator gives, as numbers that others read.
static void giveNumbers(Graph &graph, const char *op, const Names &operands,
                        const Shape &shape, const Attributes &attributes = {}) {
  std::string few = graph.helper(op, operands, attributes);
  graph.add("Cast", {few}, I32, shape, 255, {attribute("to", int64_t(I32))});
}

static bool multiplyQuantised(Graph &graph) {
  Extent rows = graph.drawExtent(), depth = graph.drawExtent();
  Extent columns = graph.drawExtent();
  Shape left{rows, depth}, right{depth, columns};
  if (graph.random.chance(40)) {
    Extent batch = graph.drawExtent();
    left.insert(left.begin(), batch);
    right.insert(right.begin(), batch);
  }
  Shape shape = left, products = left;
  shape.back() = columns;
  products.push_back(columns);
  if (!isBelow(products, mostProducts) || !isBelow(right, mostElements) ||
      !isBelow(left, mostElements) || !isBelow(shape, mostElements))
    return false;
  int64_t kind = graph.random.chance(50) ? u8 : i8;
  Names operands{fewBits(graph, left, kind)};
  addScales(graph, operands, 0.25, 3, kind);
  operands.push_back(fewBits(graph, right, kind));
  addScales(graph, operands, 0.5, graph.random.below(5), kind);
  addScales(graph, operands, 128, graph.random.below(5), kind);
  giveNumbers(graph, "QLinearMatMul", operands, shape);
  return true;
}

namespace {
/// A convolution of windows of three, with as many places as there are pixels.
struct IntegerConv {
  Shape input, shape;
  std::string filter;
  int64_t kind, out, stride;
  Attributes attributes;
};
} // namespace

static std::optional<IntegerConv> drawConv(Graph &graph) {
  IntegerConv conv;
  int64_t groups = graph.random.chance(30) ? 2 : 1;
  int64_t in = groups * graph.random.between(1, 3);
  conv.kind = graph.random.chance(50) ? u8 : i8;
  conv.out = groups * graph.random.between(1, 4);
  conv.stride = graph.random.between(1, 2);
  conv.input = {graph.drawExtent(), in, graph.drawExtent(), graph.drawExtent()};
  conv.shape = {conv.input[0], conv.out};
  for (size_t i = 2; i < 4; ++i) {
    if (!conv.input[i].isIn(1, 64))
      return std::nullopt;
    conv.shape.push_back(
        (conv.input[i] + Extent(conv.stride - 1)).dividedBy(conv.stride));
  }
  if (!isBelow(conv.input, mostElements) ||
      !isBelow(conv.shape, mostElements / in))
    return std::nullopt;
  conv.filter = graph.weights({conv.out, in / groups, 3, 3}, 1, I32).name;
  if (conv.kind == u8)
    conv.filter = graph.helper("Abs", {conv.filter});
  conv.filter = cast(graph, conv.filter, conv.kind);
  conv.attributes = {attribute("kernel_shape", Ints{3, 3}),
                     attribute("pads", Ints{1, 1, 1, 1}),
                     attribute("strides", Ints{conv.stride, conv.stride}),
                     attribute("group", groups)};
  return conv;
}

static bool convolveIntegers(Graph &graph) {
  auto conv = drawConv(graph);
  if (!conv)
    return false;
  Names operands{fewBits(graph, conv->input, conv->kind), conv->filter};
  if (graph.random.chance(60))
    operands.push_back(cast(graph, graph.integer(7).name, conv->kind));
  graph.add("ConvInteger", operands, I32, conv->shape, 30000, conv->attributes);
  return true;
}

static bool convolveQuantised(Graph &graph) {
  auto conv = drawConv(graph);
  if (!conv)
    return false;
  Names operands{fewBits(graph, conv->input, conv->kind)};
  addScales(graph, operands, 0.25, 7, conv->kind);
  operands.push_back(conv->filter);
  addScales(graph, operands, 0.5, 0, conv->kind);
  addScales(graph, operands, 4, graph.random.below(5), conv->kind);
  if (graph.random.chance(50))
    operands.push_back(graph.weights({conv->out}, 1, I32).name);
  giveNumbers(graph, "QLinearConv", operands, conv->shape, conv->attributes);
  return true;
}

Operators tenon::fuzz::quantisedOperators() {
  return {{3, quantise},
          {2, quantiseBlocks, 21},
          {2, quantiseDynamically, 12},
          {2, multiply, 12},
          {3, multiplyQuantised, 12},
          {2, convolveIntegers, 12},
          {2, convolveQuantised, 12}};
}
