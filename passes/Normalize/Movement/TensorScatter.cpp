//===- TensorScatter.cpp - a cache that grows -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers the rows of the cache that the updates of each sequence
// replace.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Movement/Scatter.h"

using namespace tenon;
using namespace tenon::normalize;

/// Whether cache and update may differ along `axis` alone, which is behind the
/// batch, and there may be a begin for each sequence of the batch.
static bool mayFit(const Node &node, int64_t axis) {
  Dims cache = dimsOf(node.type(0)), update = dimsOf(node.type(1));
  if (axis == 0 || cache.size() != update.size())
    return false;
  bool isLonger = !graph::isSymbolic(update[axis]) &&
                  !graph::isSymbolic(cache[axis]) &&
                  sizeOf(update[axis]) > sizeOf(cache[axis]);
  update[axis] = cache[axis];
  return !isLonger && mayBeEqual(cache, update) &&
         (!node.operand(2) || mayBeEqual(dimsOf(node.type(2)), cache[0]));
}

/// The update, of the cache's dimensions but for `axis`. Where it goes around,
/// the run checks that it does so at most once; elsewhere its indices tell.
static Value updateOf(NormalizeContext &ctx, const Node &node, int64_t axis,
                      bool isCircular) {
  Dims cache = dimsOf(node.type(0)), shape = cache;
  shape[axis] = dimsOf(node.type(1))[axis];
  mlir::Attribute rest = graph::subtractDims(cache[axis], shape[axis]);
  if (isCircular && graph::isSymbolic(rest)) {
    auto length = extents(ctx, numberOf(ctx, shape[axis]), numberOf(ctx, rest));
    if (!length)
      return {};
    shape[axis] = length->front();
  }
  return heldTo(ctx, node.operand(1), shape);
}

/// Where each of `length` updates goes along the axis: [batch, 1, sequence].
static Value positions(NormalizeContext &ctx, const Node &node, int64_t axis,
                       mlir::Attribute length, bool isCircular) {
  Dims cache = dimsOf(node.type(0));
  mlir::Attribute one = sizeDim(node.context(), 1);
  mlir::Type i64 = ctx.builder().getI64Type();
  Value sequence = steps(ctx, 3, 2, length, one);
  Value first = node.operand(2) ? ctx.cast(node.operand(2), i64)
                                : ctx.splat(0.0, typeFromDims(cache[0], i64));
  Value sum = ctx.create<graph::AddOp>(
      ctx.reshapeTo(first, typeFromDims({cache[0], one, one}, i64)), sequence);
  if (!isCircular)
    return sum;
  return ctx.create<graph::ModOp>(
      sum, ctx.sizes(cache[axis], RankedTensorType::get({}, i64)));
}

Lowered normalize::lowerTensorScatter(NormalizeContext &ctx, const Node &node) {
  StringRef mode = node.string("mode", "linear");
  auto axis = ctx.axis(node.integer("axis", -2), node.type(0).getRank());
  if (!axis || !ctx.hasDims(node.operand(0)) || !ctx.hasDims(node.operand(1)))
    return mlir::failure();
  if (mode != "linear" && mode != "circular")
    return ctx.unsupported("unknown mode '" + mode + "'");
  if (!mayFit(node, *axis))
    return ctx.unsupported("the update does not fit the cache");
  bool isCircular = mode == "circular";
  Value update = updateOf(ctx, node, *axis, isCircular);
  if (!update)
    return mlir::failure();
  Dims cache = dimsOf(node.type(0));
  mlir::Attribute one = sizeDim(node.context(), 1), size = cache[*axis];
  mlir::Attribute between = product(
      node.context(), ArrayRef<mlir::Attribute>(cache).slice(1, *axis - 1));
  mlir::Attribute perBatch = graph::multiplyDims(between, size);
  Value along = positions(ctx, node, *axis, dimsOf(update)[*axis], isCircular);
  // A begin below zero is no index from the end.
  Value isInside =
      ctx.create<graph::GreaterEqualOp>(along, ctx.scalarLike(0.0, along));
  along = ctx.create<graph::SelectOp>(
      isInside, along,
      ctx.sizes(size, RankedTensorType::get({}, ctx.builder().getI64Type())));
  Value linear = linearIndex(
      ctx, IndexPart{along, size, one},
      {steps(ctx, 3, 0, cache[0], perBatch), steps(ctx, 3, 1, between, size)},
      graph::multiplyDims(cache[0], perBatch));
  return scatterRows(ctx, node.operand(0), linear, update, *axis + 1,
                     graph::ScatterKind::Replace);
}
