//===- Movement.cpp - elements elsewhere ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

static int32_t drawKind(Graph &graph) {
  return graph.random.any<int32_t>({F32, F32, F32, F32, I64, I32, F16, Bool});
}

static bool transpose(Graph &graph) {
  Value x = graph.any(drawKind(graph), 2, 4);
  Ints perm = countTo(x.rank());
  for (size_t i = perm.size() - 1; i > 0; --i)
    std::swap(perm[i], perm[size_t(graph.random.below(int64_t(i) + 1))]);
  Shape shape;
  for (int64_t axis : perm)
    shape.push_back(x.shape[axis]);
  graph.add("Transpose", {x.name}, x.kind, shape, x.bound,
            {attribute("perm", perm)});
  return true;
}

static bool concat(Graph &graph) {
  Value x = graph.any(drawKind(graph), 1, 4);
  int64_t axis = graph.drawAxis(x), parts = graph.random.between(1, 2);
  Names operands{x.name};
  Extent sum = x.shape[axis];
  double bound = x.bound;
  for (int64_t part = 0; part < parts; ++part) {
    auto other = graph.find([&](const Value &value) {
      if (value.kind != x.kind || value.rank() != x.rank() ||
          !isKnown(value.shape))
        return false;
      for (int64_t i = 0; i < x.rank(); ++i)
        if (i != axis && !(value.shape[i] == x.shape[i]))
          return false;
      return true;
    });
    Shape shape = x.shape;
    shape[axis] = graph.drawExtent();
    if (!other || graph.random.chance(40)) {
      if (!isBelow(shape, mostElements))
        return false;
      other = graph.input(x.kind, shape, isFloat(x.kind) ? 2 : 9);
    }
    operands.push_back(other->name);
    sum = sum + other->shape[axis];
    bound = std::max(bound, other->bound);
  }
  Shape shape = x.shape;
  shape[axis] = sum;
  if (!isBelow(shape, mostElements))
    return false;
  graph.add("Concat", operands, x.kind, shape, bound,
            {attribute("axis", graph.signedAxis(x, axis))});
  return true;
}

namespace {
struct Cut {
  int64_t start, end, step;
  Extent extent;
};
} // namespace

/// Starts and ends that are numbers; those far outside stand for all. Others
/// have to fit to an open extent (docs/symbols.md).
static Cut drawCut(Graph &graph, const Extent &extent) {
  constexpr int64_t all = INT64_MAX;
  int64_t margin = graph.random.between(1, 3);
  bool fits = extent.isIn(margin, 4096);
  // Backwards from the last: there has to be one.
  int64_t most = fits ? 6 : extent.isIn(1, 4096) ? 2 : 1;
  switch ((fits ? 0 : 3) + graph.random.below(most)) {
  case 0: // from the second on
    return {margin, all, 1, extent + Extent(-margin)};
  case 1: // without the last
    return {0, -margin, 1, extent + Extent(-margin)};
  case 2: // the first
    return {0, margin, 1, margin};
  case 3: // each second or third
    return {0, all, margin, (extent + Extent(margin - 1)).dividedBy(margin)};
  case 4: // backwards
    return {-1, INT64_MIN + 1, -1, extent};
  default: // the last
    return {-margin, all, 1, margin};
  }
}

static bool slice(Graph &graph) {
  Value x = graph.any(drawKind(graph), 1, 4);
  int64_t axis = graph.drawAxis(x);
  Cut cut = drawCut(graph, x.shape[axis]);
  Shape shape = x.shape;
  shape[axis] = cut.extent;
  Names operands{x.name, graph.integers({cut.start}).name,
                 graph.integers({cut.end}).name,
                 graph.integers({graph.signedAxis(x, axis)}).name};
  if (cut.step != 1 || graph.random.chance(30))
    operands.push_back(graph.integers({cut.step}).name);
  graph.add("Slice", operands, x.kind, shape, x.bound);
  return true;
}

static bool pad(Graph &graph) {
  int32_t kind = graph.random.chance(75) ? F32 : I64;
  Value x = graph.any(kind, 1, 4);
  const char *mode = graph.random.any<const char *>(
      {"constant", "constant", "edge", "reflect"});
  bool isConstant = *mode == 'c';
  Ints pads(2 * size_t(x.rank()), 0);
  Shape shape = x.shape;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (graph.random.chance(50))
      continue;
    int64_t least = isConstant ? 0 : *mode == 'e' ? 1 : 3;
    if (!x.shape[i].isIn(least, 4096))
      continue;
    pads[i] = graph.random.below(3);
    pads[i + x.rank()] = graph.random.below(3);
    shape[i] = shape[i] + Extent(pads[i] + pads[i + x.rank()]);
  }
  if (!isBelow(shape, mostElements))
    return false;
  Names operands{x.name, graph.integers(pads).name};
  if (isConstant && graph.random.chance(50))
    operands.push_back(graph.number(graph.random.below(3), kind).name);
  graph.add("Pad", operands, kind, shape, std::max(x.bound, 2.0),
            {attribute("mode", mode)});
  return true;
}

static bool split(Graph &graph) {
  Value x = graph.any(drawKind(graph), 1, 4);
  int64_t axis = graph.drawAxis(x);
  auto extent = x.shape[axis].constant();
  if (!extent || *extent < 2)
    return false;
  int64_t first = graph.random.between(1, *extent - 1);
  Shape a = x.shape, b = x.shape;
  a[axis] = first;
  b[axis] = *extent - first;
  graph.addAll("Split", {x.name, graph.integers({first, *extent - first}).name},
               {{"", x.kind, a, x.bound}, {"", x.kind, b, x.bound}},
               {attribute("axis", graph.signedAxis(x, axis))});
  return true;
}

/// In halves, of an extent that is even for any sizes.
static bool halves(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  int64_t axis = graph.drawAxis(x);
  Shape shape = x.shape;
  shape[axis] = shape[axis] + shape[axis];
  if (!isBelow(shape, mostElements) || x.bound > 30)
    return false;
  std::string twice =
      graph.helper("Concat", {x.name, x.name}, {attribute("axis", axis)});
  auto parts = graph.addAll(
      "Split", {twice},
      {{"", F32, x.shape, x.bound}, {"", F32, x.shape, x.bound}},
      {attribute("axis", axis), attribute("num_outputs", int64_t(2))});
  graph.add("Mul", {parts[0].name, parts[1].name}, F32, x.shape,
            x.bound * x.bound);
  return true;
}

static bool triangle(Graph &graph) {
  Value x = graph.anyFloat(2, 4);
  Value diagonal = graph.integer(graph.random.between(-2, 2));
  graph.add("Trilu", {x.name, diagonal.name}, F32, x.shape, x.bound,
            {attribute("upper", graph.random.below(2))});
  return true;
}

static bool identity(Graph &graph) {
  Value x = graph.any(drawKind(graph), 0, 4);
  if (isFloat(x.kind) && graph.random.chance(50))
    graph.add("Dropout", {x.name}, x.kind, x.shape, x.bound);
  else
    graph.add("Identity", {x.name}, x.kind, x.shape, x.bound);
  return true;
}

Operators tenon::fuzz::movementOperators() {
  return {{4, transpose}, {4, concat}, {6, slice},    {4, pad},
          {2, split},     {2, halves}, {1, triangle}, {1, identity}};
}
