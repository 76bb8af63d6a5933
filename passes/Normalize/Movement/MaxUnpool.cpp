//===- MaxUnpool.cpp - maxima back to where they were ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file scatters to zeros.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Spatial.h"

using namespace tenon;
using namespace tenon::normalize;

/// The shape that was pooled, as far as kernel, strides and pads tell.
static std::optional<SmallVector<int64_t>> pooledShape(NormalizeContext &ctx,
                                                       const Node &node) {
  auto spatial = readSpatial(ctx, node, node.integers("kernel_shape"));
  if (!spatial || !ctx.isStatic(node.operand(0)) ||
      !ctx.isStatic(node.operand(1)))
    return std::nullopt;
  SmallVector<int64_t> shape(node.type(0).getShape());
  for (int64_t i = 0; i < spatial->rank(); ++i) {
    int64_t &extent = shape[i + 2];
    extent = (extent - 1) * spatial->strides[i] + spatial->kernel[i] -
             spatial->pads[i] - spatial->pads[i + spatial->rank()];
    if (extent < 1) {
      (void)ctx.unsupported("the pads are larger than the result");
      return std::nullopt;
    }
  }
  if (node.type(1).getShape() != node.type(0).getShape()) {
    (void)ctx.unsupported("there is not one index for each element");
    return std::nullopt;
  }
  return shape;
}

Lowered normalize::lowerMaxUnpool(NormalizeContext &ctx, const Node &node) {
  auto shape = pooledShape(ctx, node);
  if (!shape)
    return mlir::failure();
  int64_t total = product(*shape), count = node.type(0).getNumElements();
  auto flat = RankedTensorType::get({total}, node.type(0).getElementType());
  Value result = ctx.create<graph::ScatterOp>(
      ctx.splat(0.0, flat), ctx.reshape(node.operand(1), {count}),
      ctx.reshape(node.operand(0), {count}), graph::ScatterKind::Replace);
  result = ctx.reshape(result, *shape);
  if (!node.operand(2))
    return result;
  // What is asked for beyond that is zero.
  auto wanted = listOperand(ctx, node, 2, "output_shape");
  if (!wanted)
    return mlir::failure();
  if (wanted->size() != shape->size())
    return ctx.unsupported("'output_shape' does not fit the input");
  SmallVector<int64_t> low(shape->size(), 0), high(shape->size(), 0);
  for (size_t dim = 0; dim < shape->size(); ++dim) {
    high[dim] = (*wanted)[dim] - (*shape)[dim];
    if (high[dim] < 0)
      return ctx.unsupported("'output_shape' is smaller than what was pooled");
  }
  if (*wanted == *shape)
    return result;
  return ctx.create<graph::PadOp>(result, ctx.scalarLike(0.0, result), low,
                                  high);
}
