//===- Reduce.cpp - ReduceSum and its nine relatives ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the axes once for all and writes each reduction around them.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// The dimensions that a node reduces; none with noop_with_empty_axes, which
/// leaves only what an operator does around the reduction.
struct Axes {
  SmallVector<int64_t> axes;
  bool keepDims = true;

  template <typename OpTy>
  Value reduce(NormalizeContext &ctx, Value value) const {
    if (axes.empty())
      return value;
    return ctx.create<OpTy>(value, axes, keepDims);
  }
};
} // namespace

static std::optional<Axes> readAxes(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank();
  Axes result;
  result.keepDims = node.flag("keepdims", true);
  SmallVector<int64_t> listed;
  if (node.operand(1)) {
    auto constant = ctx.constantInts(node.operand(1));
    if (!constant) {
      (void)ctx.unsupported("the axes are not known at compile time");
      return std::nullopt;
    }
    listed = *constant;
  }
  if (listed.empty() && !node.flag("noop_with_empty_axes", false))
    listed = range(0, rank);
  for (int64_t raw : listed) {
    auto axis = ctx.axis(raw, rank);
    if (!axis)
      return std::nullopt;
    result.axes.push_back(*axis);
  }
  llvm::sort(result.axes);
  result.axes.erase(llvm::unique(result.axes), result.axes.end());
  return result;
}

template <typename OpTy>
static Lowered plain(NormalizeContext &ctx, const Node &node) {
  auto axes = readAxes(ctx, node);
  if (!axes)
    return mlir::failure();
  Value input = node.operand(0);
  mlir::Type element = node.type(0).getElementType();
  if (!element.isInteger(1))
    return axes->reduce<OpTy>(ctx, input);
  // Maximum and minimum of truth values: the order is the same in bytes.
  Value bytes =
      ctx.cast(input, mlir::IntegerType::get(node.context(), 8,
                                             mlir::IntegerType::Unsigned));
  return ctx.cast(axes->reduce<OpTy>(ctx, bytes), element);
}

/// Runs `body` in floating point, also for integer operands.
static Lowered inFloat(NormalizeContext &ctx, const Node &node,
                       llvm::function_ref<Value(Value, const Axes &)> body) {
  auto axes = readAxes(ctx, node);
  if (!axes)
    return mlir::failure();
  mlir::Type element = node.type(0).getElementType();
  if (mlir::isa<mlir::FloatType>(element))
    return body(node.operand(0), *axes);
  Value wide =
      ctx.cast(node.operand(0), mlir::Float64Type::get(node.context()));
  return ctx.cast(body(wide, *axes), element);
}

static Lowered lowerReduceL1(NormalizeContext &ctx, const Node &node) {
  auto axes = readAxes(ctx, node);
  if (!axes)
    return mlir::failure();
  Value absolute = ctx.create<graph::AbsOp>(node.operand(0));
  return axes->reduce<graph::ReduceSumOp>(ctx, absolute);
}

static Lowered lowerReduceSumSquare(NormalizeContext &ctx, const Node &node) {
  auto axes = readAxes(ctx, node);
  if (!axes)
    return mlir::failure();
  Value square = ctx.create<graph::MulOp>(node.operand(0), node.operand(0));
  return axes->reduce<graph::ReduceSumOp>(ctx, square);
}

static Lowered lowerReduceL2(NormalizeContext &ctx, const Node &node) {
  return inFloat(ctx, node, [&](Value input, const Axes &axes) {
    Value square = ctx.create<graph::MulOp>(input, input);
    return ctx.create<graph::SqrtOp>(
        axes.reduce<graph::ReduceSumOp>(ctx, square));
  });
}

static Lowered lowerReduceLogSum(NormalizeContext &ctx, const Node &node) {
  return inFloat(ctx, node, [&](Value input, const Axes &axes) {
    return ctx.create<graph::LogOp>(
        axes.reduce<graph::ReduceSumOp>(ctx, input));
  });
}

/// m + log(sum(exp(x - m))) with the maximum m, so that nothing overflows; an
/// infinite maximum is not subtracted.
static Lowered lowerReduceLogSumExp(NormalizeContext &ctx, const Node &node) {
  return inFloat(ctx, node, [&](Value input, const Axes &axes) -> Value {
    Axes kept = axes;
    kept.keepDims = true;
    auto finite = [&](Value value) {
      Value isInfinite = ctx.create<graph::IsInfOp>(value, true, true);
      return ctx.create<graph::SelectOp>(isInfinite, ctx.scalarLike(0.0, value),
                                         value);
    };
    Value shift = finite(kept.reduce<graph::ReduceMaxOp>(ctx, input));
    Value power =
        ctx.create<graph::ExpOp>(ctx.create<graph::SubOp>(input, shift));
    Value sum = axes.reduce<graph::ReduceSumOp>(ctx, power);
    Value back = finite(axes.reduce<graph::ReduceMaxOp>(ctx, input));
    return ctx.create<graph::AddOp>(ctx.create<graph::LogOp>(sum), back);
  });
}

void normalize::populateReduceLowerings(LoweringTable &table) {
  table.add("ReduceSum", plain<graph::ReduceSumOp>);
  table.add("ReduceMean", plain<graph::ReduceMeanOp>);
  table.add("ReduceMax", plain<graph::ReduceMaxOp>);
  table.add("ReduceMin", plain<graph::ReduceMinOp>);
  table.add("ReduceProd", plain<graph::ReduceProdOp>);
  table.add("ReduceL1", lowerReduceL1);
  table.add("ReduceL2", lowerReduceL2);
  table.add("ReduceLogSum", lowerReduceLogSum);
  table.add("ReduceLogSumExp", lowerReduceLogSumExp);
  table.add("ReduceSumSquare", lowerReduceSumSquare);
}
