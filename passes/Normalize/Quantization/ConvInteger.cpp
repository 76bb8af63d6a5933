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

/// In i32, less the zero point; `shape`, where given, spreads a vector of them.
static Value withoutZero(NormalizeContext &ctx, const Node &node,
                         Quantized tensor, ArrayRef<int64_t> shape = {}) {
  mlir::Type wide = ctx.builder().getI32Type();
  Value data = ctx.cast(node.operand(tensor.data), wide);
  Value zero = node.operand(tensor.zero);
  if (!zero)
    return data;
  if (!ctx.isStatic(zero))
    return {};
  zero = ctx.cast(zero, wide);
  return ctx.create<graph::SubOp>(
      data, shape.empty() ? zero : ctx.reshape(zero, shape));
}

Value normalize::convolveIntegers(NormalizeContext &ctx, const Node &node,
                                  Quantized input, Quantized filter) {
  ArrayRef<int64_t> extents = node.type(filter.data).getShape();
  if (extents.size() < 3 || extents.size() > 5) {
    (void)ctx.unsupported("only 1 to 3 spatial dimensions are supported");
    return {};
  }
  auto spatial = readSpatial(ctx, node, extents.drop_front(2));
  if (!spatial || !resolveWindows(ctx, node, *spatial, /*ceilMode=*/false))
    return {};
  SmallVector<int64_t> perFilter(extents.size(), 1);
  if (Value zero = node.operand(filter.zero); zero && ctx.isStatic(zero))
    perFilter[0] = node.type(filter.zero).getNumElements();
  return ctx.create<graph::ConvOp>(
      withoutZero(ctx, node, input), withoutZero(ctx, node, filter, perFilter),
      spatial->strides, spatial->pads, spatial->dilations,
      node.integer("group", 1));
}

Lowered normalize::lowerConvInteger(NormalizeContext &ctx, const Node &node) {
  return convolveIntegers(ctx, node, {0, 2}, {1, 3});
}
