//===- ConvInteger.cpp - convolution of bytes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file convolves in i32, zero points taken off before, so that padding is
// zero.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/OpenFilter.h"
#include "passes/Normalize/Quantization/Quantization.h"
#include "passes/Normalize/Spatial.h"

using namespace tenon;
using namespace tenon::normalize;

static Value widened(NormalizeContext &ctx, const Node &node, unsigned index) {
  return ctx.cast(node.operand(index), ctx.builder().getI32Type());
}

/// In i32, less the zero point, of which there is one.
static Value centredInput(NormalizeContext &ctx, const Node &node,
                          Quantized tensor) {
  Value data = widened(ctx, node, tensor.data);
  if (!node.operand(tensor.zero))
    return data;
  Value zero = ctx.reshape(widened(ctx, node, tensor.zero), {});
  return ctx.create<graph::SubOp>(data, zero);
}

/// The same, where each filter may have its own.
static Value centredFilter(NormalizeContext &ctx, const Node &node,
                           Quantized tensor) {
  Value data = widened(ctx, node, tensor.data);
  if (!node.operand(tensor.zero))
    return data;
  Value zero = widened(ctx, node, tensor.zero);
  Dims dims = dimsOf(node.type(tensor.data)), own = dimsOf(zero);
  if (own.size() > 1) {
    (void)ctx.unsupported("zero points of filters are not a vector");
    return {};
  }
  Dims shape(dims.size(), sizeDim(node.context(), 1));
  if (!own.empty())
    shape[0] = own[0];
  zero = ctx.reshapeTo(zero, typeFromDims(shape, ctx.builder().getI32Type()));
  return ctx.create<graph::SubOp>(data, ctx.repeatTo(zero, dims));
}

Value normalize::convolveIntegers(NormalizeContext &ctx, const Node &node,
                                  Quantized input, Quantized filter) {
  Value data = centredInput(ctx, node, input);
  Value weights = centredFilter(ctx, node, filter);
  if (hasOpenExtents(node, filter.data))
    return convolveOpen(ctx, node, data, weights);
  ArrayRef<int64_t> extents = node.type(filter.data).getShape();
  if (extents.size() < 3 || extents.size() > 5) {
    (void)ctx.unsupported("only 1 to 3 spatial dimensions are supported");
    return {};
  }
  auto spatial = readSpatial(ctx, node, extents.drop_front(2));
  if (!spatial || !resolveWindows(ctx, node, *spatial, /*ceilMode=*/false))
    return {};
  return ctx.create<graph::ConvOp>(
      padOpen(ctx, *spatial, data, 0.0), weights, spatial->strides,
      spatial->pads, spatial->dilations, node.integer("group", 1));
}

Lowered normalize::lowerConvInteger(NormalizeContext &ctx, const Node &node) {
  return convolveIntegers(ctx, node, {0, 2}, {1, 3});
}
