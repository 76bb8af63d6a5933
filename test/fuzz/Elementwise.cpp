//===- Elementwise.cpp - functions of elements ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>
#include <cmath>

using namespace tenon::fuzz;

static constexpr double largest = 1000;

static int32_t drawKind(Graph &graph) {
  return graph.random.any<int32_t>(
      {F32, F32, F32, F32, F32, F32, F32, I64, I64, I32, F16, Bool});
}

static int32_t drawNumbers(Graph &graph) {
  int32_t kind = drawKind(graph);
  return kind == Bool ? int32_t(F32) : kind;
}

/// A value of any shape, also one that data decide.
static Value operand(Graph &graph, int32_t kind) {
  if (graph.random.chance(30))
    if (auto found = graph.find([&](const Value &value) {
          return value.kind == kind && !isKnown(value.shape);
        }))
      return *found;
  return graph.any(kind, 0, 4);
}

namespace {
struct Function {
  const char *op;
  /// Of results; 0: as the operand's.
  double bound;
  /// Of operands.
  double most = largest;
  int64_t since = 12;
};
} // namespace

static bool unary(Graph &graph) {
  static const std::vector<Function> functions = {
      {"Relu", 0},         {"Neg", 0},
      {"Abs", 0},          {"Tanh", 1},
      {"Sigmoid", 1},      {"Exp", 60, 4},
      {"Erf", 1},          {"Sin", 1, 50},
      {"Cos", 1, 50},      {"Elu", 0},
      {"HardSigmoid", 1},  {"HardSwish", 0, largest, 14},
      {"Selu", 0},         {"Softsign", 1},
      {"Softplus", 0, 50}, {"LeakyRelu", 0},
      {"Floor", 0},        {"Ceil", 0},
      {"Round", 0},        {"Sign", 1},
      {"Mish", 0, 50, 18}, {"Atan", 2},
      {"Identity", 0},     {"Asinh", 10},
      {"Celu", 0},         {"ThresholdedRelu", 0}};
  const Function &function =
      functions[graph.random.below(int64_t(functions.size()))];
  int32_t kind = graph.random.chance(8) ? F16 : F32;
  Value x = operand(graph, kind);
  if (x.bound > function.most || graph.opset() < function.since)
    return false;
  double bound = function.bound ? function.bound : 2 * x.bound + 1;
  graph.add(function.op, {x.name}, kind, x.shape, bound);
  return true;
}

static bool integerUnary(Graph &graph) {
  int32_t kind = graph.random.chance(70) ? I64 : I32;
  Value x = operand(graph, kind);
  const char *op = graph.random.any<const char *>({"Neg", "Abs", "Sign"});
  graph.add(op, {x.name}, kind, x.shape, x.bound);
  return true;
}

/// Functions that are not defined everywhere, of what they are defined for.
static bool guardedUnary(Graph &graph) {
  Value x = operand(graph, F32);
  std::string size = graph.helper("Abs", {x.name});
  switch (graph.random.below(4)) {
  case 0:
    graph.add("Sqrt", {size}, F32, x.shape, x.bound + 1);
    break;
  case 1:
    size = graph.helper("Add", {size, graph.number(0.5).name});
    graph.add("Log", {size}, F32, x.shape, 10);
    break;
  case 2:
    size = graph.helper("Add", {size, graph.number(0.5).name});
    graph.add("Reciprocal", {size}, F32, x.shape, 2);
    break;
  default:
    if (x.bound > 20)
      return graph.publish(size, F32, x.shape, x.bound), true;
    graph.add("Pow",
              {size, graph.number(graph.random.any<double>({2, 3, 0.5})).name},
              F32, x.shape, x.bound * x.bound * x.bound + 1);
  }
  return true;
}

static bool binary(Graph &graph) {
  int32_t kind = drawNumbers(graph);
  Value x = operand(graph, kind), y = graph.partner(x);
  auto shape = broadcast(x.shape, y.shape);
  if (!shape || (isKnown(*shape) && !isBelow(*shape, mostElements)))
    return false;
  const char *op = graph.random.any<const char *>(
      {"Add", "Add", "Sub", "Mul", "Mul", "Min", "Max"});
  double bound =
      *op == 'M' && op[1] == 'u' ? x.bound * y.bound + 1 : x.bound + y.bound;
  if (bound > (kind == F16 ? 100 : largest))
    return false;
  if (graph.random.chance(30))
    std::swap(x, y);
  graph.add(op, {x.name, y.name}, kind, *shape, bound);
  return true;
}

static bool divide(Graph &graph) {
  bool isWhole = graph.random.chance(40);
  int32_t kind = isWhole ? graph.random.any<int32_t>({I64, I32}) : int32_t(F32);
  Value x = operand(graph, kind), y = graph.partner(x);
  auto shape = broadcast(x.shape, y.shape);
  if (!shape)
    return false;
  std::string divisor = graph.helper("Abs", {y.name});
  Value least = isWhole ? graph.integer(1, kind) : graph.number(0.5);
  divisor = graph.helper("Add", {divisor, least.name});
  bool isRest = graph.random.chance(30);
  Attributes attributes;
  if (isRest && !isWhole)
    attributes.push_back(attribute("fmod", int64_t(1)));
  graph.add(isRest ? "Mod" : "Div", {x.name, divisor}, kind, *shape,
            2 * x.bound + 1, attributes);
  return true;
}

static bool compare(Graph &graph) {
  Value x = operand(graph, drawNumbers(graph)), y = graph.partner(x);
  auto shape = broadcast(x.shape, y.shape);
  if (!shape)
    return false;
  const char *op = graph.random.any<const char *>(
      {"Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal"});
  graph.add(op, {x.name, y.name}, Bool, *shape, 1);
  return true;
}

static bool logic(Graph &graph) {
  Value x = operand(graph, Bool);
  if (graph.random.chance(30)) {
    graph.add("Not", {x.name}, Bool, x.shape, 1);
    return true;
  }
  Value y = graph.partner(x);
  auto shape = broadcast(x.shape, y.shape);
  if (!shape)
    return false;
  const char *op = graph.random.any<const char *>({"And", "Or", "Xor"});
  graph.add(op, {x.name, y.name}, Bool, *shape, 1);
  return true;
}

static bool where(Graph &graph) {
  Value x = operand(graph, drawKind(graph)), y = graph.partner(x);
  auto shape = broadcast(x.shape, y.shape);
  if (!shape)
    return false;
  Value like{"", Bool, *shape};
  Value condition = graph.partner(like);
  auto all = broadcast(*shape, condition.shape);
  if (!all)
    return false;
  graph.add("Where", {condition.name, x.name, y.name}, x.kind, *all,
            std::max(x.bound, y.bound));
  return true;
}

static bool cast(Graph &graph) {
  int32_t from = drawKind(graph), to = drawKind(graph);
  Value x = operand(graph, from);
  if (to == F16 && x.bound > 500)
    return false;
  double bound = to == Bool ? 1 : x.bound;
  graph.add("Cast", {x.name}, to, x.shape, bound,
            {attribute("to", int64_t(to))});
  return true;
}

static bool clip(Graph &graph) {
  int32_t kind = drawNumbers(graph);
  Value x = operand(graph, kind);
  auto limit = [&](double low) {
    return isFloat(kind)
               ? graph.number(low + graph.random.below(8) / 4.0, kind)
               : graph.integer(int64_t(low) + graph.random.below(4), kind);
  };
  std::string low = graph.random.chance(80) ? limit(-2).name : "";
  std::string high = graph.random.chance(80) ? limit(2).name : "";
  graph.add("Clip", {x.name, low, high}, kind, x.shape, std::max(x.bound, 6.0));
  return true;
}

static bool several(Graph &graph) {
  Value x = graph.anyFloat(), y = graph.partner(x), z = graph.partner(x);
  auto two = broadcast(x.shape, y.shape);
  auto all = two ? broadcast(*two, z.shape) : std::nullopt;
  if (!all || (isKnown(*all) && !isBelow(*all, mostElements)))
    return false;
  const char *op =
      graph.random.any<const char *>({"Sum", "Mean", "Max", "Min"});
  graph.add(op, {x.name, y.name, z.name}, F32, *all,
            x.bound + y.bound + z.bound);
  return true;
}

Value tenon::fuzz::bounded(Graph &graph, const Value &value) {
  if (value.bound <= 1)
    return value;
  return graph.add("Tanh", {value.name}, value.kind, value.shape, 1);
}

Operators tenon::fuzz::elementwiseOperators() {
  return {{8, unary, 12},   {2, integerUnary, 12}, {3, guardedUnary, 12},
          {12, binary, 12}, {3, divide, 12},       {4, compare, 12},
          {2, logic, 12},   {4, where, 12},        {4, cast, 12},
          {2, clip, 12},    {2, several, 12}};
}
