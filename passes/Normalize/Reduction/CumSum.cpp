//===- CumSum.cpp - running sums and products -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file combines shifted copies, the shift doubling from step to step,
// where it is known how many steps there are. An axis that is data chooses
// among the results along all of them.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// Along which axis, from which end, and what a place that has nothing before
/// it holds.
struct Scan {
  int64_t axis;
  bool reverse;
  double neutral;
};
} // namespace

/// The tensor moved by `distance` along the axis; neutral elements move in.
static Value shifted(NormalizeContext &ctx, Value value, const Scan &scan,
                     int64_t distance) {
  auto type = mlir::cast<RankedTensorType>(value.getType());
  int64_t size = type.getDimSize(scan.axis);
  Value part =
      ctx.slice(value, scan.axis, scan.reverse ? distance : 0, size - distance);
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0);
  (scan.reverse ? high : low)[scan.axis] = distance;
  return ctx.create<graph::PadOp>(part, ctx.scalarLike(scan.neutral, value),
                                  low, high);
}

template <typename Combine>
static Value combineShifted(NormalizeContext &ctx, const Node &node,
                            const Scan &scan) {
  Value result = node.operand(0);
  int64_t size = node.type(0).getDimSize(scan.axis);
  if (node.flag("exclusive", false) && size > 0)
    result = shifted(ctx, result, scan, 1);
  for (int64_t step = 1; result && step < size; step *= 2)
    result = ctx.create<Combine>(result, shifted(ctx, result, scan, step));
  return result;
}

template <typename Combine>
static Value scanAlong(NormalizeContext &ctx, const Node &node, int64_t axis,
                       double neutral) {
  Scan scan{axis, node.flag("reverse", false), neutral};
  if (node.type(0).hasStaticShape())
    return combineShifted<Combine>(ctx, node, scan);
  return ctx.create<graph::PrefixOp>(node.operand(0), scan.axis,
                                     /*product=*/neutral == 1.0, scan.reverse,
                                     node.flag("exclusive", false));
}

template <typename Combine>
static Lowered lowerScan(NormalizeContext &ctx, const Node &node,
                         double neutral) {
  int64_t rank = node.type(0).getRank();
  if (auto axes = ctx.constantInts(node.operand(1))) {
    if (axes->size() != 1)
      return ctx.unsupported("'axis' is not one number");
    auto axis = ctx.axis(axes->front(), rank);
    if (!axis)
      return mlir::failure();
    return scanAlong<Combine>(ctx, node, *axis, neutral);
  }
  Value number =
      ctx.reshape(ctx.cast(node.operand(1), ctx.builder().getI64Type()), {});
  Value result = node.operand(0);
  for (int64_t axis = 0; axis < rank; ++axis) {
    auto is = [&](int64_t which) {
      return ctx.create<graph::EqualOp>(number,
                                        ctx.scalarLike(double(which), number));
    };
    Value chosen = ctx.create<graph::OrOp>(is(axis), is(axis - rank));
    result = ctx.create<graph::SelectOp>(
        chosen, scanAlong<Combine>(ctx, node, axis, neutral), result);
  }
  return result;
}

Lowered normalize::lowerCumSum(NormalizeContext &ctx, const Node &node) {
  return lowerScan<graph::AddOp>(ctx, node, 0.0);
}

Lowered normalize::lowerCumProd(NormalizeContext &ctx, const Node &node) {
  return lowerScan<graph::MulOp>(ctx, node, 1.0);
}
