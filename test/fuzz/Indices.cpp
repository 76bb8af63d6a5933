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

static bool gatherNd(Graph &graph) {
  Value x = drawn(graph);
  if (!x.shape[0].isIn(1, 4096))
    return false;
  Shape places{graph.drawExtent(), 1};
  Shape shape{places[0]};
  shape.insert(shape.end(), x.shape.begin() + 1, x.shape.end());
  if (!isBelow(shape, mostElements))
    return false;
  Value indices = graph.indices(I64, places, x.shape[0], true);
  graph.add("GatherND", {x.name, indices.name}, x.kind, shape, x.bound);
  return true;
}

/// Adds into rows; where nothing is added, each row is written once.
static bool scatterNd(Graph &graph) {
  Value x = drawn(graph);
  if (!x.shape[0].isIn(1, 4096))
    return false;
  const char *how = graph.random.any<const char *>({"add", "max", "none"});
  bool isOnce = *how == 'n';
  Shape places{isOnce ? Extent(1) : graph.drawExtent(), 1};
  Shape updates{places[0]};
  updates.insert(updates.end(), x.shape.begin() + 1, x.shape.end());
  if (!isBelow(updates, mostElements))
    return false;
  Value indices = graph.indices(I64, places, x.shape[0], true);
  Value values = graph.input(x.kind, updates, isFloat(x.kind) ? 2 : 9);
  graph.add("ScatterND", {x.name, indices.name, values.name}, x.kind, x.shape,
            x.bound + 2 * 40, {attribute("reduction", how)});
  return true;
}

static bool scatterElements(Graph &graph) {
  Value x = drawn(graph);
  int64_t axis = graph.drawAxis(x);
  if (!x.shape[axis].isIn(1, 4096))
    return false;
  const char *how = graph.random.any<const char *>({"add", "max", "none"});
  Shape shape = x.shape;
  shape[axis] = *how == 'n' ? Extent(1) : graph.drawExtent();
  if (!isBelow(shape, mostElements))
    return false;
  Value indices = graph.indices(indexKind(graph), shape, x.shape[axis], true);
  Value values = graph.input(x.kind, shape, isFloat(x.kind) ? 2 : 9);
  graph.add("ScatterElements", {x.name, indices.name, values.name}, x.kind,
            x.shape, x.bound + 2 * 40,
            {attribute("axis", graph.signedAxis(x, axis)),
             attribute("reduction", how)});
  return true;
}

static bool oneHot(Graph &graph) {
  int64_t depth = graph.random.between(2, 6);
  Value indices = graph.indices(
      I64, graph.drawShape(graph.random.between(1, 2)), depth, true);
  Shape shape = indices.shape;
  shape.push_back(depth);
  if (!isBelow(shape, mostElements))
    return false;
  std::string values = graph.helper("Cast", {graph.integers({0, 1}).name},
                                    {attribute("to", int64_t(F32))});
  graph.add("OneHot", {indices.name, graph.integer(depth).name, values}, F32,
            shape, 1);
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
  return {{4, gather},    {2, gatherElements},  {2, gatherNd},
          {2, scatterNd}, {2, scatterElements}, {2, oneHot},
          {2, nonZero},   {2, compress},        {4, gathered}};
}
