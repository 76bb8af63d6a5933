//===- QLinear.cpp - quantised products with quantised results ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies in i32, zero points taken off before, and quantises the
// sums: rounded to even, then the zero point.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Quantization/Quantization.h"

using namespace tenon;
using namespace tenon::normalize;

/// i32 sums times `scale`, in f64, which holds them.
static Value requantized(NormalizeContext &ctx, Value sums, Value scale,
                         Value zero, mlir::Type element) {
  mlir::Type wide = ctx.builder().getF64Type();
  Value real =
      ctx.create<graph::MulOp>(ctx.cast(sums, wide), ctx.cast(scale, wide));
  return saturated(ctx, ctx.create<graph::RoundOp>(real), zero, element);
}

//===-- Matrix products ---------------------------------------------------===//

/// A scale or zero point of the left operand or the result: one per row stands
/// in a vector, which is a column here.
static Value perRow(NormalizeContext &ctx, const Node &node, unsigned index) {
  Value value = node.operand(index);
  if (node.type(index).getRank() != 1)
    return value;
  return column(ctx, value, node.operand(0));
}

static Value withoutZero(NormalizeContext &ctx, Value data, Value zero) {
  mlir::Type wide = ctx.builder().getI32Type();
  return ctx.create<graph::SubOp>(ctx.cast(data, wide), ctx.cast(zero, wide));
}

Lowered normalize::lowerQLinearMatMul(NormalizeContext &ctx, const Node &node) {
  for (unsigned index : {0u, 3u, 7u})
    if (!mlir::isa<mlir::IntegerType>(node.type(index).getElementType()))
      return ctx.unsupported("only quantisation to integers is supported");
  if (node.type(0).getRank() < 2 || node.type(3).getRank() < 2)
    return ctx.unsupported("both operands must be matrices");
  Value sums = ctx.create<graph::MatmulOp>(
      withoutZero(ctx, node.operand(0), perRow(ctx, node, 2)),
      withoutZero(ctx, node.operand(3), node.operand(5)), false, false);
  Value scale = ctx.create<graph::DivOp>(
      ctx.create<graph::MulOp>(perRow(ctx, node, 1), node.operand(4)),
      perRow(ctx, node, 6));
  return requantized(ctx, sums, scale, perRow(ctx, node, 7),
                     node.type(7).getElementType());
}

//===-- Convolutions ------------------------------------------------------===//

Lowered normalize::lowerQLinearConv(NormalizeContext &ctx, const Node &node) {
  for (unsigned index : {1u, 6u, 7u})
    if (!node.operand(index) || !node.type(index).hasStaticShape() ||
        node.type(index).getNumElements() != 1)
      return ctx.unsupported("only one scale of input and result is supported");
  Value sums = convolveIntegers(ctx, node, {0, 2}, {3, 5});
  if (!sums)
    return mlir::failure();
  if (Value bias = node.operand(8))
    sums = ctx.create<graph::AddOp>(sums, ctx.perChannel(bias, sums));
  Value perFilter = node.operand(4);
  bool isOne =
      node.type(4).hasStaticShape() && node.type(4).getNumElements() == 1;
  if (!isOne)
    perFilter = ctx.perChannel(perFilter, sums);
  Value scale = ctx.create<graph::DivOp>(
      ctx.create<graph::MulOp>(ctx.reshape(node.operand(1), {}), perFilter),
      ctx.reshape(node.operand(6), {}));
  return requantized(ctx, sums, scale, ctx.reshape(node.operand(7), {}),
                     node.type(7).getElementType());
}
