//===- Indices.cpp - gradients of what is moved by indices ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repeated indices add up in the order of their positions: graph.scatter
// promises it, so that results do not depend on threads.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Rules.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::differentiate;

static Value scatterAdd(Build &g, Value indices, Value updates,
                        ArrayRef<int64_t> shape) {
  Value zeros = g.filled(
      0, RankedTensorType::get(shape, typeOf(updates).getElementType()));
  return g.make<ScatterOp>(zeros, indices, updates, ScatterKind::Add);
}

//===-- gather ------------------------------------------------------------===//

Value tenon::differentiate::gatherBack(Build &g, Value dy, Value indices,
                                       int64_t axis, ArrayRef<int64_t> shape) {
  int64_t rank = shape.size(), places = rankOf(indices);
  int64_t count = typeOf(indices).getNumElements();
  // The dimensions of the indices in front, as one, then those of the rows.
  Shape order, rows, front = {axis};
  for (int64_t dim = axis; dim < axis + places; ++dim)
    order.push_back(dim);
  for (int64_t dim = 0; dim < rankOf(dy); ++dim)
    if (dim < axis || dim >= axis + places)
      order.push_back(dim);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != axis)
      front.push_back(dim);
  for (int64_t dim : front)
    rows.push_back(shape[dim]);
  Shape updates(rows);
  updates[0] = count;
  Value sum = scatterAdd(g, g.reshape(indices, {count}),
                         g.reshape(g.transpose(dy, order), updates), rows);
  return g.transposeBack(sum, front);
}

static LogicalResult gatherRule(Adjoint &g) {
  g.give(0, gatherBack(g, g.dy(), g.x(1), cast<GatherOp>(g.op).getAxis(),
                       shapeOf(g.x())));
  return success();
}

//===-- gather_elements, top_k --------------------------------------------===//

/// Indices from the front, i64: negative ones count from the end.
static Value fromFront(Build &g, Value indices, int64_t extent) {
  indices = g.castTo(indices, g.builder.getI64Type());
  Value isNegative = g.make<LessOp>(indices, g.number(0, indices));
  return g.select(isNegative, g.plus(indices, extent), indices);
}

/// The row-major numbers of the elements of a tensor of `shape` that indices
/// along `axis` name.
static Value elementNumbers(Build &g, Value indices, int64_t axis,
                            ArrayRef<int64_t> shape) {
  Value sum;
  int64_t stride = 1, rank = shape.size();
  for (int64_t dim = rank; dim-- > 0; stride *= shape[dim]) {
    Value place = dim == axis ? fromFront(g, indices, shape[axis])
                              : g.counter(rank, dim, shapeOf(indices)[dim]);
    place = g.scaled(place, stride);
    sum = sum ? g.add(sum, place) : place;
  }
  return g.broadcast(sum, shapeOf(indices));
}

static Value scatterElements(Build &g, Value indices, Value updates,
                             int64_t axis, ArrayRef<int64_t> shape) {
  int64_t count = typeOf(updates).getNumElements(), all = 1;
  for (int64_t extent : shape)
    all *= extent;
  Value numbers = elementNumbers(g, indices, axis, shape);
  Value sum = scatterAdd(g, g.reshape(numbers, {count}),
                         g.reshape(updates, {count}), {all});
  return g.reshape(sum, shape);
}

/// One index a row, as in losses, is compared with: a row has many classes.
static LogicalResult gatherElementsRule(Adjoint &g) {
  int64_t axis = cast<GatherElementsOp>(g.op).getAxis();
  Shape row(shapeOf(g.x()));
  int64_t extent = row[axis];
  row[axis] = 1;
  if (shapeOf(g.x(1)) != ArrayRef(row)) {
    g.give(0, scatterElements(g, g.x(1), g.dy(), axis, shapeOf(g.x())));
    return success();
  }
  Value index = fromFront(g, g.x(1), extent);
  Value isIt = g.equal(g.counter(rankOf(g.x()), axis, extent), index);
  g.give(0, g.where(isIt, g.dy()));
  return success();
}

static LogicalResult topKRule(Adjoint &g) {
  int64_t axis = cast<TopKOp>(g.op).getAxis();
  if (g.dy())
    g.give(0, scatterElements(g, g.op->getResult(1), g.dy(), axis,
                              shapeOf(g.x())));
  return success();
}

//===-- scatter -----------------------------------------------------------===//

/// Which updates are not replaced by a later one of the same row: [m, 1...].
static Value lastOfRow(Adjoint &g) {
  int64_t count = typeOf(g.x(1)).getNumElements();
  auto i64 = g.builder.getI64Type();
  Value number = g.counter(1, 0, count);
  Value none = g.filled(-1, RankedTensorType::get({shapeOf(g.x())[0]}, i64));
  Value last = g.make<ScatterOp>(none, g.x(1), number, ScatterKind::Replace);
  Value isLast = g.equal(g.make<GatherOp>(last, g.x(1), 0), number);
  Shape shape(rankOf(g.x()), 1);
  shape[0] = count;
  return g.reshape(isLast, shape);
}

static LogicalResult scatterRule(Adjoint &g) {
  auto kind = cast<ScatterOp>(g.op).getKind();
  if (kind != ScatterKind::Replace && kind != ScatterKind::Add)
    return g.refuse("has no gradient yet: updates that multiply or compare");
  bool replaces = kind == ScatterKind::Replace;
  if (g.wants(0)) {
    Value zeros = g.filled(0, typeOf(g.x(2)));
    g.give(0,
           replaces ? g.make<ScatterOp>(g.dy(), g.x(1), zeros, kind) : g.dy());
  }
  if (!g.wants(2))
    return success();
  Value part = g.make<GatherOp>(g.dy(), g.x(1), 0);
  g.give(2, replaces ? g.where(lastOfRow(g), part) : part);
  return success();
}

static const RuleEntry kRules[] = {
    {"graph.gather", gatherRule},
    {"graph.gather_elements", gatherElementsRule},
    {"graph.scatter", scatterRule},
    {"graph.top_k", topKRule},
};

ArrayRef<RuleEntry> tenon::differentiate::indexRules() { return kRules; }
