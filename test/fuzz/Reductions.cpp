//===- Reductions.cpp - many elements become one --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

Ints tenon::fuzz::countTo(int64_t end) {
  Ints numbers;
  for (int64_t i = 0; i < end; ++i)
    numbers.push_back(i);
  return numbers;
}

/// Some axes of a value, at least one.
static Ints drawAxes(Graph &graph, const Value &x) {
  Ints axes;
  for (int64_t axis : countTo(x.rank()))
    if (graph.random.chance(45))
      axes.push_back(axis);
  if (axes.empty())
    axes.push_back(graph.drawAxis(x));
  return axes;
}

static Shape reduced(const Value &x, const Ints &axes, bool keeps) {
  Shape shape;
  for (int64_t i : countTo(x.rank())) {
    bool isReduced = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!isReduced)
      shape.push_back(x.shape[i]);
    else if (keeps)
      shape.push_back(1);
  }
  return shape;
}

static Extent reducedCount(const Value &x, const Ints &axes) {
  Extent count(1);
  for (int64_t axis : axes)
    count = count * x.shape[axis];
  return count;
}

namespace {
struct Reduction {
  const char *op;
  bool isOfNothing; ///< whether it is defined for no elements
  bool isSum;       ///< whether results grow with the elements
  double most = 1000;
};
} // namespace

static bool reduce(Graph &graph) {
  static const std::vector<Reduction> reductions = {
      {"ReduceSum", true, true},
      {"ReduceSum", true, true},
      {"ReduceMean", false, false},
      {"ReduceMax", false, false},
      {"ReduceMin", false, false},
      {"ReduceL1", true, true},
      {"ReduceL2", true, true, 100},
      {"ReduceSumSquare", true, true, 30},
      {"ReduceLogSumExp", false, false, 30}};
  Reduction chosen = graph.random.any(reductions);
  int32_t kind = F32;
  if (std::string(chosen.op) != "ReduceL2" && chosen.op[6] != 'L' &&
      std::string(chosen.op) != "ReduceMean" && graph.random.chance(20))
    kind = I64;
  Value x = graph.any(kind, 1, 4);
  Ints axes = drawAxes(graph, x);
  bool isAll = graph.random.chance(12);
  if (isAll)
    axes = countTo(x.rank());
  Extent count = reducedCount(x, axes);
  if (x.bound > chosen.most || (!chosen.isOfNothing && !count.isIn(1, 1 << 20)))
    return false;
  bool keeps = graph.random.chance(60);
  Ints given = axes;
  for (int64_t &axis : given)
    axis = graph.signedAxis(x, axis);
  Names operands{x.name};
  if (!isAll)
    operands.push_back(graph.integers(given).name);
  // Older versions have the axes of all but ReduceSum in an attribute; 18 on
  // has an operand.
  double grown = double(count.most());
  double bound = chosen.isSum ? x.bound * std::max(grown, 1.0) : x.bound + 10;
  if (std::string(chosen.op) == "ReduceSumSquare")
    bound *= x.bound;
  graph.add(chosen.op, operands, kind, reduced(x, axes, keeps), bound,
            {attribute("keepdims", int64_t(keeps))});
  return true;
}

static bool softmax(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  if (x.bound > 100)
    return false;
  int64_t axis = graph.drawAxis(x);
  if (!x.shape[axis].isIn(1, 4096))
    return false;
  bool isLog = graph.random.chance(20);
  graph.add(isLog ? "LogSoftmax" : "Softmax", {x.name}, F32, x.shape,
            isLog ? 2 * x.bound + 10 : 1,
            {attribute("axis", graph.signedAxis(x, axis))});
  return true;
}

static bool argument(Graph &graph) {
  Value x = graph.any(graph.random.chance(75) ? F32 : I64, 1, 4);
  int64_t axis = graph.drawAxis(x);
  if (!x.shape[axis].isIn(1, 4096))
    return false;
  bool keeps = graph.random.chance(50);
  const char *op = graph.random.any<const char *>({"ArgMax", "ArgMin"});
  graph.add(op, {x.name}, I64, reduced(x, {axis}, keeps), 4096,
            {attribute("axis", graph.signedAxis(x, axis)),
             attribute("keepdims", int64_t(keeps)),
             attribute("select_last_index", graph.random.below(2))});
  return true;
}

static bool cumulate(Graph &graph) {
  Value x = graph.any(graph.random.chance(70) ? F32 : I64, 1, 4);
  if (x.bound > 100)
    return false;
  int64_t axis = graph.drawAxis(x);
  graph.add("CumSum", {x.name, graph.integer(graph.signedAxis(x, axis)).name},
            x.kind, x.shape, x.bound * 40,
            {attribute("exclusive", graph.random.below(2)),
             attribute("reverse", graph.random.below(2))});
  return true;
}

static bool best(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  int64_t axis = graph.drawAxis(x);
  int64_t most = x.shape[axis].least();
  if (most < 1)
    return false;
  int64_t k = graph.random.between(1, std::min<int64_t>(most, 5));
  Shape shape = x.shape;
  std::string count = graph.integers({k}).name;
  if (graph.random.chance(25))
    count = lengthOf(graph, x, axis, true).name;
  else
    shape[axis] = k;
  graph.addAll("TopK", {x.name, count},
               {{"", F32, shape, x.bound}, {"", I64, shape, 4096}},
               {attribute("axis", graph.signedAxis(x, axis)),
                attribute("largest", graph.random.below(2)),
                attribute("sorted", int64_t(1))});
  return true;
}

/// What of a normalisation is of the last dimension.
static Value lastOnes(Graph &graph, const Value &x) {
  if (auto extent = x.shape.back().constant(); extent && *extent > 0)
    return graph.weights({*extent});
  return graph.input(F32, {x.shape.back()});
}

static bool layerNorm(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  if (!x.shape.back().isIn(1, 4096))
    return false;
  Names operands{x.name, lastOnes(graph, x).name};
  if (graph.random.chance(60))
    operands.push_back(lastOnes(graph, x).name);
  graph.add("LayerNormalization", operands, F32, x.shape, 70,
            {attribute("axis", int64_t(-1)), attribute("epsilon", 1e-2f)});
  return true;
}

static bool rmsNorm(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  if (!x.shape.back().isIn(1, 4096))
    return false;
  graph.add("RMSNormalization", {x.name, lastOnes(graph, x).name}, F32, x.shape,
            70, {attribute("axis", int64_t(-1)), attribute("epsilon", 1e-2f)});
  return true;
}

Operators tenon::fuzz::reductionOperators() {
  return {{8, reduce},   {4, softmax},   {3, argument, 12}, {3, cumulate, 12},
          {3, best, 12}, {2, layerNorm}, {2, rmsNorm, 24}};
}
