//===- CumSum.cpp - running sums ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file adds shifted copies, the shift doubling from step to step.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

/// The tensor moved by `distance` along `axis`, towards the end or (with
/// `reverse`) towards the begin; zeros move in.
static Value shifted(NormalizeContext &ctx, Value value, int64_t axis,
                     int64_t distance, bool reverse) {
  auto type = mlir::cast<RankedTensorType>(value.getType());
  int64_t size = type.getDimSize(axis);
  Value part = ctx.slice(value, axis, reverse ? distance : 0, size - distance);
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0);
  (reverse ? high : low)[axis] = distance;
  return ctx.create<graph::PadOp>(part, ctx.scalarLike(0.0, value), low, high);
}

Lowered normalize::lowerCumSum(NormalizeContext &ctx, const Node &node) {
  Value result = node.operand(0);
  auto axes = ctx.constantInts(node.operand(1));
  if (!axes || axes->size() != 1)
    return ctx.unsupported("the axis is not known at compile time");
  auto axis = ctx.axis(axes->front(), node.type(0).getRank());
  if (!axis || !ctx.isStatic(result))
    return mlir::failure();
  int64_t size = node.type(0).getDimSize(*axis);
  bool reverse = node.flag("reverse", false);
  if (node.flag("exclusive", false) && size > 0)
    result = shifted(ctx, result, *axis, 1, reverse);
  for (int64_t step = 1; result && step < size; step *= 2)
    result = ctx.create<graph::AddOp>(
        result, shifted(ctx, result, *axis, step, reverse));
  return result;
}
