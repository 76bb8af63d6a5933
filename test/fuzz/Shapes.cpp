//===- Shapes.cpp - shapes that are computed ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

static int32_t drawKind(Graph &graph) {
  return graph.random.any<int32_t>({F32, F32, F32, F32, I64, I32, F16, Bool});
}

/// The ways in which a model writes the length of a dimension.
Value tenon::fuzz::lengthOf(Graph &graph, const Value &value, int64_t axis,
                            bool isList) {
  double bound = double(value.shape[axis].most());
  Value length{"", I64, {}, bound};
  if (isList)
    length.shape = {1};
  if (isList && graph.opset() >= 15 && graph.random.chance(40)) {
    length.name =
        graph.helper("Shape", {value.name},
                     {attribute("start", axis), attribute("end", axis + 1)});
    return length;
  }
  std::string shape = graph.helper("Shape", {value.name});
  if (isList && graph.random.chance(40)) {
    length.name = graph.helper("Slice", {shape, graph.integers({axis}).name,
                                         graph.integers({axis + 1}).name,
                                         graph.integers({0}).name});
    return length;
  }
  Value place = isList ? graph.integers({axis}) : graph.integer(axis);
  length.name = graph.helper("Gather", {shape, place.name});
  return length;
}

/// A list of extents of values, as exporters write it: numbers and lengths,
/// joined.
static std::string listOf(Graph &graph, const Value &of, const Shape &shape) {
  Names parts;
  for (const Extent &extent : shape) {
    auto same = std::find(of.shape.begin(), of.shape.end(), extent);
    if (auto number = extent.constant())
      parts.push_back(graph.integers({*number}).name);
    else if (same != of.shape.end())
      parts.push_back(lengthOf(graph, of, same - of.shape.begin(), true).name);
    else
      parts.push_back(graph.integers({-1}).name);
  }
  if (parts.size() == 1)
    return parts.front();
  return graph.helper("Concat", parts, {attribute("axis", int64_t(0))});
}

/// Where there may be no elements, a 0 is one and no dimension of the operand.
static Attributes reshapeAttributes(const Value &x) {
  if (elementsOf(x.shape).isIn(1, 1 << 20))
    return {};
  return {attribute("allowzero", int64_t(1))};
}

/// Two dimensions that lie side by side become one.
static bool merge(Graph &graph) {
  Value x = graph.any(drawKind(graph), 2, 4);
  int64_t axis = graph.random.below(x.rank() - 1);
  Shape shape = x.shape;
  shape[axis] = shape[axis] * shape[size_t(axis) + 1];
  shape.erase(shape.begin() + axis + 1);
  bool isEmpty = !elementsOf(x.shape).isIn(1, 1 << 20);
  // A -1 has no meaning beside a zero.
  if (isEmpty)
    for (size_t i = 0; i < shape.size(); ++i)
      if (int64_t(i) != axis && !shape[i].isIn(1, 1 << 20))
        return false;
  std::string target;
  Attributes attributes;
  if (graph.random.chance(50)) {
    target = listOf(graph, x, shape);
    attributes = reshapeAttributes(x);
  } else {
    Ints numbers;
    for (size_t i = 0; i < shape.size(); ++i)
      numbers.push_back(int64_t(i) < axis ? 0
                        : int64_t(i) == axis
                            ? -1
                            : shape[i].constant().value_or(-2));
    if (std::count(numbers.begin(), numbers.end(), -2))
      return false;
    target = graph.integers(numbers).name;
  }
  graph.add("Reshape", {x.name, target}, x.kind, shape, x.bound, attributes);
  return true;
}

static bool flatten(Graph &graph) {
  Value x = graph.any(drawKind(graph), 1, 4);
  Extent all = elementsOf(x.shape);
  if (graph.random.chance(50)) {
    graph.add("Reshape", {x.name, graph.integers({-1}).name}, x.kind, {all},
              x.bound);
    return true;
  }
  int64_t axis = graph.random.below(x.rank() + 1);
  Shape before(x.shape.begin(), x.shape.begin() + axis),
      behind(x.shape.begin() + axis, x.shape.end());
  graph.add("Flatten", {x.name}, x.kind,
            {elementsOf(before), elementsOf(behind)}, x.bound,
            {attribute("axis", axis)});
  return true;
}

/// A dimension of known length becomes two.
static bool part(Graph &graph) {
  Value x = graph.any(drawKind(graph), 1, 3);
  int64_t axis = graph.drawAxis(x);
  auto extent = x.shape[axis].constant();
  if (!extent || *extent < 2 || *extent % 2)
    return false;
  Shape shape = x.shape;
  shape[axis] = 2;
  shape.insert(shape.begin() + axis + 1, *extent / 2);
  graph.add("Reshape", {x.name, listOf(graph, x, shape)}, x.kind, shape,
            x.bound, reshapeAttributes(x));
  return true;
}

static bool expand(Graph &graph) {
  Value x = graph.any(drawKind(graph), 1, 3);
  Value other = graph.anyFloat(1, 4);
  auto shape = broadcast(x.shape, other.shape);
  if (!shape || !isBelow(*shape, mostElements))
    return false;
  std::string target = graph.helper("Shape", {other.name});
  graph.add("Expand", {x.name, target}, x.kind, *shape, x.bound);
  return true;
}

static bool tile(Graph &graph) {
  Value x = graph.any(drawKind(graph), 1, 3);
  Ints repeats;
  Shape shape = x.shape;
  for (Extent &extent : shape) {
    repeats.push_back(graph.random.any<int64_t>({1, 1, 2, 3}));
    extent = extent * Extent(repeats.back());
  }
  std::string times = graph.integers(repeats).name;
  // As often as another value is long.
  if (graph.random.chance(30)) {
    Value other = graph.anyFloat(1, 4);
    int64_t axis = graph.drawAxis(other);
    shape = x.shape;
    shape[0] = shape[0] * other.shape[axis];
    Names parts{lengthOf(graph, other, axis, true).name};
    for (int64_t i = 1; i < x.rank(); ++i)
      parts.push_back(graph.integers({1}).name);
    times = parts.size() == 1 ? parts.front()
                              : graph.helper("Concat", parts,
                                             {attribute("axis", int64_t(0))});
  }
  if (!isBelow(shape, mostElements))
    return false;
  graph.add("Tile", {x.name, times}, x.kind, shape, x.bound);
  return true;
}

static bool unsqueeze(Graph &graph) {
  Value x = graph.any(drawKind(graph), 0, 3);
  int64_t axis = graph.random.below(x.rank() + 1);
  Shape shape = x.shape;
  shape.insert(shape.begin() + axis, 1);
  int64_t given = graph.random.chance(30) ? axis - x.rank() - 1 : axis;
  graph.add("Unsqueeze", {x.name, graph.integers({given}).name}, x.kind, shape,
            x.bound);
  return true;
}

static bool squeeze(Graph &graph) {
  auto x = graph.find([](const Value &value) {
    return std::count(value.shape.begin(), value.shape.end(), Extent(1)) > 0;
  });
  if (!x)
    return false;
  Shape shape = x->shape;
  auto one = std::find(shape.begin(), shape.end(), Extent(1));
  int64_t axis = one - shape.begin();
  shape.erase(one);
  graph.add("Squeeze",
            {x->name, graph.integers({graph.signedAxis(*x, axis)}).name},
            x->kind, shape, x->bound);
  return true;
}

static bool size(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  Value length = lengthOf(graph, x, graph.drawAxis(x), false);
  if (graph.random.chance(50)) {
    std::string number =
        graph.helper("Cast", {length.name}, {attribute("to", int64_t(F32))});
    number = graph.helper("Mul", {number, graph.number(0.01).name});
    graph.add("Mul", {x.name, number}, F32, x.shape, x.bound * 40);
    return true;
  }
  graph.publish(length.name, I64, {}, length.bound);
  return true;
}

static bool range(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  int64_t axis = graph.drawAxis(x);
  if (!x.shape[axis].isIn(0, mostElements))
    return false;
  Value end = lengthOf(graph, x, axis, false);
  Value places = graph.add(
      "Range", {graph.integer(0).name, end.name, graph.integer(1).name}, I64,
      {x.shape[axis]}, end.bound);
  if (axis == x.rank() - 1 && graph.random.chance(60)) {
    std::string numbers =
        graph.helper("Cast", {places.name}, {attribute("to", int64_t(F32))});
    graph.add("Add", {x.name, numbers}, F32, x.shape, x.bound + end.bound);
  }
  return true;
}

static bool filled(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  std::string shape = graph.helper("Shape", {x.name});
  std::string zeros = graph.helper("ConstantOfShape", {shape});
  const char *op = graph.random.any<const char *>({"Add", "Max", "Sub"});
  graph.add(op, {x.name, zeros}, F32, x.shape, x.bound);
  return true;
}

Operators tenon::fuzz::shapeOperators() {
  return {{3, merge},     {3, flatten}, {2, part}, {3, expand}, {2, tile},
          {3, unsqueeze}, {2, squeeze}, {2, size}, {2, range},  {1, filled}};
}
