//===- Conv.cpp - convolution ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the padding and splits off the bias.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"

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

Lowered normalize::lowerConv(NormalizeContext &ctx, const Node &node) {
  ArrayRef<int64_t> filter = node.type(1).getShape();
  if (filter.size() < 3 || filter.size() > 5)
    return ctx.unsupported("only 1 to 3 spatial dimensions are supported");
  ArrayRef<int64_t> kernel = filter.drop_front(2);
  auto spatial = readSpatial(ctx, node, kernel);
  if (!spatial || !checkKernel(ctx, node, kernel) ||
      !resolveWindows(ctx, node, *spatial, /*ceilMode=*/false))
    return mlir::failure();
  Value result = ctx.create<graph::ConvOp>(
      node.operand(0), node.operand(1), spatial->strides, spatial->pads,
      spatial->dilations, node.integer("group", 1));
  if (Value bias = node.operand(2))
    result = ctx.create<graph::AddOp>(
        result, ctx.perChannel(bias, node.type(0).getRank()));
  return result;
}
