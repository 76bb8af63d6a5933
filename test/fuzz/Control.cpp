//===- Control.cpp - branches, loops and scans ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes operators with bodies. Conditions and counts are integers or
// sizes, so that no rounding changes what is decided.
//===----------------------------------------------------------------------===//
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

static constexpr unsigned deepest = 2;

static Value start(Graph &graph) {
  for (;;) {
    Value x = graph.anyFloat(1, 3);
    if (isBelow(x.shape, 1000))
      return x;
  }
}

/// A few operators; the latest float, or `value` where there is none.
static Value piece(Graph &graph, const Value &value) {
  Value last = value;
  for (int64_t i = graph.random.between(1, 3); i > 0; --i)
    grow(graph);
  if (auto found = graph.find([&](const Value &other) {
        return other.kind == F32 && isKnown(other.shape);
      }))
    last = *found;
  return last;
}

/// A value of any size, added up, to `like`.
static Value settle(Graph &graph, const Value &value, const Value &like) {
  std::string small = graph.helper("Tanh", {value.name});
  std::string sum =
      graph.helper("ReduceSum", {small}, {attribute("keepdims", int64_t(0))});
  sum = graph.helper("Mul", {sum, graph.number(0.01).name});
  return graph.add("Add", {like.name, sum}, F32, like.shape, like.bound + 10);
}

/// A truth value that data or a size decide.
static Value decision(Graph &graph) {
  Value limit = graph.integer(graph.random.between(0, 4));
  Value number = graph.input(I64, {}, 6);
  if (graph.random.chance(50)) {
    Value x = graph.anyFloat(1, 4);
    number = lengthOf(graph, x, graph.drawAxis(x), false);
  }
  const char *op = graph.random.any<const char *>({"Greater", "Less", "Equal"});
  return graph.add(op, {number.name, limit.name}, Bool, {}, 1);
}

//===-- If ----------------------------------------------------------------===//

/// One branch, whose result is the shape of `x` where `keeps`.
static Value branch(Graph &graph, onnx::GraphProto &body, const Value &x,
                    bool keeps) {
  graph.enter(body);
  Value result = piece(graph, x);
  if ((keeps && !(result.shape == x.shape)) || result.rank() != x.rank())
    result = settle(graph, result, x);
  result =
      graph.add("Identity", {result.name}, F32, result.shape, result.bound);
  graph.yield(body, result.name, F32, result.rank());
  graph.leave();
  return result;
}

static bool choose(Graph &graph) {
  if (graph.depth() >= deepest)
    return false;
  Value x = start(graph);
  bool keeps = graph.random.chance(60);
  Value condition = decision(graph);
  onnx::GraphProto then, otherwise;
  Value a = branch(graph, then, x, keeps),
        b = branch(graph, otherwise, x, keeps);
  Shape shape = a.shape;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!(shape[i] == b.shape[i]))
      shape[i] = graph.dataExtent();
  graph.add(
      "If", {condition.name}, F32, shape, std::max(a.bound, b.bound),
      {attribute("then_branch", then), attribute("else_branch", otherwise)});
  return true;
}

//===-- Loop --------------------------------------------------------------===//

namespace {
struct Trips {
  std::string count; ///< empty: as long as the condition holds
  Extent extent;
};
} // namespace

static Trips drawTrips(Graph &graph) {
  switch (graph.random.below(3)) {
  case 0: {
    int64_t count = graph.random.any<int64_t>({0, 1, 2, 3, 5, 12});
    return {graph.integer(count).name, count};
  }
  case 1: {
    Value x = graph.anyFloat(1, 4);
    int64_t axis = graph.drawAxis(x);
    return {lengthOf(graph, x, axis, false).name, x.shape[axis]};
  }
  default:
    return {graph.input(I64, {}, 4).name, graph.dataExtent()};
  }
}

/// Carries a value; now and then each iteration gives another one, too.
static bool loop(Graph &graph) {
  if (graph.depth() >= deepest)
    return false;
  Value x = start(graph);
  Value initial = bounded(graph, x);
  Trips trips = drawTrips(graph);
  bool isEarly = graph.random.chance(35), scans = graph.random.chance(60);
  std::string last = isEarly ? graph.input(I64, {}, 5).name : "";
  onnx::GraphProto body;
  graph.enter(body);
  Value index = graph.formal(body, I64, {}, 40);
  Value going = graph.formal(body, Bool, {}, 1);
  Value carried = graph.formal(body, F32, x.shape, 1);
  Value made = piece(graph, carried);
  std::string next = isEarly ? graph.helper("Less", {index.name, last})
                             : graph.helper("Identity", {going.name});
  graph.yield(body, next, Bool, 0);
  Value kept = made.shape == x.shape ? made : settle(graph, made, carried);
  kept = graph.add("Tanh", {kept.name}, F32, x.shape, 1);
  graph.yield(body, kept.name, F32, x.rank());
  Shape scan = made.shape;
  if (scans) {
    std::string each = graph.helper("Identity", {made.name});
    graph.yield(body, each, F32, made.rank());
  }
  graph.leave();
  std::vector<Value> results{{"", F32, x.shape, 1}};
  scan.insert(scan.begin(), isEarly ? graph.dataExtent() : trips.extent);
  if (scans)
    results.push_back({"", F32, scan, made.bound});
  graph.addAll("Loop", {trips.count, "", initial.name}, results,
               {attribute("body", body)});
  return true;
}

/// Carries what is longer after each iteration.
static bool longer(Graph &graph) {
  if (graph.depth() >= deepest)
    return false;
  Value x = start(graph);
  int64_t axis = graph.drawAxis(x);
  Trips trips = drawTrips(graph);
  if (trips.extent.isKnown() && !trips.extent.isIn(0, 40))
    return false;
  onnx::GraphProto body;
  graph.enter(body);
  graph.formal(body, I64, {}, 40);
  Value going = graph.formal(body, Bool, {}, 1);
  Shape open = x.shape;
  open[axis] = graph.dataExtent();
  Value carried = graph.formal(body, F32, open, x.bound);
  std::string half =
      graph.helper("Mul", {carried.name, graph.number(0.5).name});
  std::string joined =
      graph.helper("Concat", {half, x.name}, {attribute("axis", axis)});
  graph.yield(body, graph.helper("Identity", {going.name}), Bool, 0);
  graph.yield(body, joined, F32, x.rank());
  graph.leave();
  Shape shape = x.shape;
  shape[axis] = trips.extent.isKnown()
                    ? x.shape[axis] * (trips.extent + Extent(1))
                    : graph.dataExtent();
  graph.addAll("Loop", {trips.count, "", x.name}, {{"", F32, shape, x.bound}},
               {attribute("body", body)});
  return true;
}

//===-- Scan --------------------------------------------------------------===//

static bool scan(Graph &graph) {
  if (graph.depth() >= deepest)
    return false;
  Value x = graph.anyFloat(1, 3);
  int64_t axis = graph.drawAxis(x);
  if (!isBelow(x.shape, 1000) || !x.shape[axis].isIn(0, 40))
    return false;
  Shape row = x.shape;
  row.erase(row.begin() + axis);
  Value initial = graph.input(F32, row);
  onnx::GraphProto body;
  graph.enter(body);
  Value state = graph.formal(body, F32, row, 1);
  Value slice = graph.formal(body, F32, row, x.bound);
  Value made = piece(graph, slice);
  if (!(made.shape == row))
    made = settle(graph, made, slice);
  std::string sum = graph.helper("Add", {state.name, made.name});
  std::string next = graph.helper("Tanh", {sum});
  graph.yield(body, next, F32, int64_t(row.size()));
  graph.yield(body, graph.helper("Neg", {next}), F32, int64_t(row.size()));
  graph.leave();
  graph.addAll(
      "Scan", {initial.name, x.name},
      {{"", F32, row, 1}, {"", F32, x.shape, 1}},
      {attribute("body", body), attribute("num_scan_inputs", int64_t(1)),
       attribute("scan_input_axes", Ints{axis}),
       attribute("scan_output_axes", Ints{axis}),
       attribute("scan_input_directions", Ints{graph.random.below(2)}),
       attribute("scan_output_directions", Ints{graph.random.below(2)})});
  return true;
}

Operators tenon::fuzz::controlOperators() {
  return {{4, choose}, {4, loop}, {1, longer}, {2, scan}};
}
