//===- Conv.cpp - convolution ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the padding and splits off the bias.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"
#include "passes/Normalize/Contraction/OpenFilter.h"

using namespace tenon;
using namespace tenon::normalize;

/// kernel_shape repeats the filter's shape; where both are given they agree.
static bool checkKernel(NormalizeContext &ctx, const Node &node,
                        ArrayRef<int64_t> kernel) {
  SmallVector<int64_t> stated = node.integers("kernel_shape");
  if (stated.empty() || ArrayRef<int64_t>(stated) == kernel)
    return true;
  return succeeded(ctx.unsupported("kernel_shape differs from the filter's"));
}

static Value convolve(NormalizeContext &ctx, const Node &node) {
  if (hasOpenExtents(node, 1))
    return convolveOpen(ctx, node, node.operand(0), node.operand(1));
  ArrayRef<int64_t> filter = node.type(1).getShape();
  if (filter.size() < 3 || filter.size() > 5) {
    (void)ctx.unsupported("only 1 to 3 spatial dimensions are supported");
    return {};
  }
  ArrayRef<int64_t> kernel = filter.drop_front(2);
  auto spatial = readSpatial(ctx, node, kernel);
  if (!spatial || !checkKernel(ctx, node, kernel) ||
      !resolveWindows(ctx, node, *spatial, /*ceilMode=*/false))
    return {};
  return ctx.create<graph::ConvOp>(padOpen(ctx, *spatial, node.operand(0), 0.0),
                                   node.operand(1), spatial->strides,
                                   spatial->pads, spatial->dilations,
                                   node.integer("group", 1));
}

Lowered normalize::lowerConv(NormalizeContext &ctx, const Node &node) {
  Value result = convolve(ctx, node);
  if (!result)
    return mlir::failure();
  if (Value bias = node.operand(2))
    result = ctx.create<graph::AddOp>(result, ctx.perChannel(bias, result));
  return result;
}
