//===- Indices.cpp - elements that other elements choose ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

/// Integers that are indices, of either type.
static int32_t indexKind(Graph &graph) {
  return graph.random.chance(80) ? I64 : I32;
}

static Value drawn(Graph &graph) {
  return graph.any(graph.random.chance(75) ? F32 : I64, 1, 4);
}

static bool gather(Graph &graph) {
  Value x = drawn(graph);
  int64_t axis = graph.drawAxis(x);
  if (!x.shape[axis].isIn(1, 4096))
    return false;
  Shape places = graph.drawShape(graph.random.below(3));
  Shape shape(x.shape.begin(), x.shape.begin() + axis);
  shape.insert(shape.end(), places.begin(), places.end());
  shape.insert(shape.end(), x.shape.begin() + axis + 1, x.shape.end());
  if (!isBelow(shape, mostElements))
    return false;
  Value indices = graph.indices(indexKind(graph), places, x.shape[axis], true);
  graph.add("Gather", {x.name, indices.name}, x.kind, shape, x.bound,
            {attribute("axis", graph.signedAxis(x, axis))});
  return true;
}

static bool gatherElements(Graph &graph) {
  Value x = drawn(graph);
  int64_t axis = graph.drawAxis(x);
  if (!x.shape[axis].isIn(1, 4096))
    return false;
  Shape shape = x.shape;
  shape[axis] = graph.drawExtent();
  if (!isBelow(shape, mostElements))
    return false;
  Value indices = graph.indices(indexKind(graph), shape, x.shape[axis], true);
  graph.add("GatherElements", {x.name, indices.name}, x.kind, shape, x.bound,
            {attribute("axis", graph.signedAxis(x, axis))});
  return true;
}

/// Where tuples of one or two lie in the dimensions from `first` on.
static std::optional<Value> tuples(Graph &graph, const Value &x, Shape shape,
                                   int64_t first, int64_t length) {
  if (x.rank() < first + length || !x.shape[first].isIn(1, 4096))
    return std::nullopt;
  Extent limit = x.shape[first];
  if (length > 1) {
    if (!x.shape[first + 1].isIn(1, 4096))
      return std::nullopt;
    limit = limit.smaller(x.shape[first + 1]);
  }
  shape.push_back(length);
  return isBelow(shape, mostElements)
             ? std::optional(graph.indices(I64, shape, limit, true))
             : std::nullopt;
}

static bool gatherNd(Graph &graph) {
  Value x = drawn(graph);
  int64_t length = graph.random.between(1, 2), batch = graph.random.chance(30);
  Shape places(x.shape.begin(), x.shape.begin() + batch);
  places.push_back(graph.drawExtent());
  Shape shape = places;
  if (x.rank() < batch + length)
    return false;
  shape.insert(shape.end(), x.shape.begin() + batch + length, x.shape.end());
  if (!isBelow(shape, mostElements))
    return false;
  auto indices = tuples(graph, x, places, batch, length);
  if (!indices)
    return false;
  graph.add("GatherND", {x.name, indices->name}, x.kind, shape, x.bound,
            {attribute("batch_dims", batch)});
  return true;
}

/// How a scatter combines, by the opset: younger ones can do more.
static const char *drawReduction(Graph &graph) {
  if (graph.opset() < 18)
    return "none";
  return graph.random.any<const char *>({"add", "max", "none"});
}

static Attributes reductionOf(const char *how) {
  if (*how == 'n')
    return {};
  return {attribute("reduction", how)};
}

/// Adds into rows; where nothing is added, each row is written once.
static bool scatterNd(Graph &graph) {
  Value x = drawn(graph);
  const char *how = drawReduction(graph);
  int64_t length = graph.random.between(1, std::min<int64_t>(x.rank(), 2));
  Shape places{*how == 'n' ? Extent(1) : graph.drawExtent()};
  Shape updates = places;
  updates.insert(updates.end(), x.shape.begin() + length, x.shape.end());
  if (!isBelow(updates, mostElements))
    return false;
  auto indices = tuples(graph, x, places, 0, length);
  if (!indices)
    return false;
  Value values = graph.input(x.kind, updates, isFloat(x.kind) ? 2 : 9);
  graph.add("ScatterND", {x.name, indices->name, values.name}, x.kind, x.shape,
            x.bound + 2 * 40, reductionOf(how));
  return true;
}

static bool scatterElements(Graph &graph) {
  Value x = drawn(graph);
  int64_t axis = graph.drawAxis(x);
  if (!x.shape[axis].isIn(1, 4096))
    return false;
  const char *how = drawReduction(graph);
  Shape shape = x.shape;
  shape[axis] = *how == 'n' ? Extent(1) : graph.drawExtent();
  if (!isBelow(shape, mostElements))
    return false;
  Value indices = graph.indices(indexKind(graph), shape, x.shape[axis], true);
  Value values = graph.input(x.kind, shape, isFloat(x.kind) ? 2 : 9);
  Attributes attributes = reductionOf(how);
  attributes.push_back(attribute("axis", graph.signedAxis(x, axis)));
  graph.add("ScatterElements", {x.name, indices.name, values.name}, x.kind,
            x.shape, x.bound + 2 * 40, attributes);
  return true;
}

/// By a depth that is a number or an extent; what is outside has no place.
static bool oneHot(Graph &graph) {
  Extent depth(graph.random.between(2, 6));
  std::string count = graph.integer(depth.most()).name;
  if (graph.random.chance(30)) {
    Value like = graph.anyFloat(1, 4);
    int64_t axis = graph.drawAxis(like);
    depth = like.shape[axis];
    if (!depth.isIn(1, 64))
      return false;
    count = graph.random.chance(50) ? lengthOf(graph, like, axis, true).name
                                    : lengthOf(graph, like, axis, false).name;
  }
  Shape shape = graph.drawShape(graph.random.between(1, 2));
  Value indices = graph.indices(indexKind(graph), shape, depth, true);
  int64_t axis = graph.random.below(int64_t(shape.size()) + 1);
  shape.insert(shape.begin() + axis, depth);
  if (!isBelow(shape, mostElements))
    return false;
  std::string values = graph.helper("Cast", {graph.integers({0, 1}).name},
                                    {attribute("to", int64_t(F32))});
  graph.add("OneHot", {indices.name, count, values}, F32, shape, 1,
            {attribute("axis", axis)});
  return true;
}

/// How many elements there are is known when they have been looked at.
static bool nonZero(Graph &graph) {
  Value x = graph.any(graph.random.chance(60) ? Bool : I64, 1, 2);
  Extent found = graph.dataExtent();
  Value places = graph.add("NonZero", {x.name}, I64, {x.rank(), found}, 4096);
  if (x.rank() != 1 || graph.random.chance(30))
    return true;
  auto rows = graph.find([&](const Value &value) {
    return value.kind == F32 && value.rank() > 0 &&
           value.shape[0] == x.shape[0] && isKnown(value.shape);
  });
  if (!rows)
    return true;
  std::string list =
      graph.helper("Reshape", {places.name, graph.integers({-1}).name});
  Shape shape = rows->shape;
  shape[0] = found;
  graph.add("Gather", {rows->name, list}, F32, shape, rows->bound,
            {attribute("axis", int64_t(0))});
  return true;
}

static bool compress(Graph &graph) {
  Value x = graph.anyFloat(1, 3);
  int64_t axis = graph.drawAxis(x);
  Value mask = graph.input(Bool, {x.shape[axis]});
  Shape shape = x.shape;
  shape[axis] = graph.dataExtent();
  graph.add("Compress", {x.name, mask.name}, F32, shape, x.bound,
            {attribute("axis", axis)});
  return true;
}

/// Sums along what data decide, so that others can read it.
static bool gathered(Graph &graph) {
  auto x = graph.find([](const Value &value) {
    return value.kind == F32 && !isKnown(value.shape) && value.bound < 100;
  });
  if (!x)
    return false;
  Ints axes;
  Shape shape;
  for (int64_t i : countTo(x->rank()))
    if (x->shape[i].isKnown())
      shape.push_back(x->shape[i]);
    else
      axes.push_back(i);
  graph.add("ReduceSum", {x->name, graph.integers(axes).name}, F32, shape,
            x->bound * 40, {attribute("keepdims", int64_t(0))});
  return true;
}

Operators tenon::fuzz::indexOperators() {
  return {{4, gather, 12},    {2, gatherElements, 12},  {3, gatherNd, 12},
          {3, scatterNd, 12}, {2, scatterElements, 12}, {2, oneHot, 12},
          {2, nonZero, 12},   {2, compress, 12},        {4, gathered}};
}
