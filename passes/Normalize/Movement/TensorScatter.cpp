//===- TensorScatter.cpp - a cache that grows -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers the rows of the cache that the updates of each sequence
// replace.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Movement/Scatter.h"

using namespace tenon;
using namespace tenon::normalize;

/// Whether cache and update differ along `axis` alone, which is behind the
/// batch, and there is a begin for each sequence of the batch.
static bool fits(const Node &node, int64_t axis) {
  ArrayRef<int64_t> cache = node.type(0).getShape(),
                    update = node.type(1).getShape();
  if (axis == 0 || cache.size() != update.size() || update[axis] > cache[axis])
    return false;
  for (size_t dim = 0; dim < cache.size(); ++dim)
    if (int64_t(dim) != axis && cache[dim] != update[dim])
      return false;
  return !node.operand(2) ||
         node.type(2).getShape() == ArrayRef<int64_t>{cache[0]};
}

/// Where each update goes along the axis: [batch, 1, sequence].
static Value positions(NormalizeContext &ctx, const Node &node, int64_t axis,
                       bool isCircular) {
  int64_t batch = node.type(0).getDimSize(0);
  Value sequence =
      steps(ctx, 3, 2, dimsOf(node.type(1))[axis], sizeDim(node.context(), 1));
  Value first = node.operand(2)
                    ? ctx.cast(node.operand(2), ctx.builder().getI64Type())
                    : ctx.vector(SmallVector<int64_t>(batch, 0));
  Value sum =
      ctx.create<graph::AddOp>(ctx.reshape(first, {batch, 1, 1}), sequence);
  if (!isCircular)
    return sum;
  Value size = ctx.scalarLike(double(node.type(0).getDimSize(axis)), sum);
  return ctx.create<graph::ModOp>(sum, size);
}

Lowered normalize::lowerTensorScatter(NormalizeContext &ctx, const Node &node) {
  StringRef mode = node.string("mode", "linear");
  auto axis = ctx.axis(node.integer("axis", -2), node.type(0).getRank());
  if (!axis || !ctx.isStatic(node.operand(0)) || !ctx.isStatic(node.operand(1)))
    return mlir::failure();
  if (mode != "linear" && mode != "circular")
    return ctx.unsupported("unknown mode '" + mode + "'");
  if (!fits(node, *axis))
    return ctx.unsupported("the update does not fit the cache");
  ArrayRef<int64_t> cache = node.type(0).getShape();
  int64_t batch = cache[0], size = cache[*axis];
  int64_t between = product(cache.slice(1, *axis - 1));
  Value along = positions(ctx, node, *axis, mode == "circular");
  // A begin below zero is no index from the end.
  Value isInside =
      ctx.create<graph::GreaterEqualOp>(along, ctx.scalarLike(0.0, along));
  along = ctx.create<graph::SelectOp>(isInside, along,
                                      ctx.scalarLike(double(size), along));
  auto number = [&](int64_t value) { return sizeDim(node.context(), value); };
  Value linear =
      linearIndex(ctx, IndexPart{along, number(size), number(1)},
                  {steps(ctx, 3, 0, number(batch), number(between * size)),
                   steps(ctx, 3, 1, number(between), number(size))},
                  number(batch * between * size));
  return scatterRows(ctx, node.operand(0), linear, node.operand(1), *axis + 1,
                     graph::ScatterKind::Replace);
}
