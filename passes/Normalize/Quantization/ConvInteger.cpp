//===- ConvInteger.cpp - convolution of bytes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file convolves in i32, zero points taken off before, so that padding is
// zero.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Quantization/Quantization.h"
#include "passes/Normalize/Spatial.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerConvInteger(NormalizeContext &ctx, const Node &node) {
  ArrayRef<int64_t> filter = node.type(1).getShape();
  if (filter.size() < 3 || filter.size() > 5)
    return ctx.unsupported("only 1 to 3 spatial dimensions are supported");
  auto spatial = readSpatial(ctx, node, filter.drop_front(2));
  if (!spatial || !resolveWindows(ctx, node, *spatial, /*ceilMode=*/false))
    return mlir::failure();
  mlir::Type wide = ctx.builder().getI32Type();
  Value input = ctx.cast(node.operand(0), wide);
  Value weights = ctx.cast(node.operand(1), wide);
  if (node.operand(2))
    input = ctx.create<graph::SubOp>(input, ctx.cast(node.operand(2), wide));
  if (node.operand(3)) {
    if (!ctx.isStatic(node.operand(3)))
      return mlir::failure();
    SmallVector<int64_t> perFilter(filter.size(), 1);
    perFilter[0] = node.type(3).getNumElements();
    weights = ctx.create<graph::SubOp>(
        weights, ctx.reshape(ctx.cast(node.operand(3), wide), perFilter));
  }
  return ctx.create<graph::ConvOp>(input, weights, spatial->strides,
                                   spatial->pads, spatial->dilations,
                                   node.integer("group", 1));
}
