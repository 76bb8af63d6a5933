//===- AveragePool.cpp - average pooling ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the window.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Window/Window.h"

using namespace tenon;
using namespace tenon::normalize;

/// Zeros that are put around the input count as elements of it: means of ones
/// say how many of a window are none.
static Value averageInside(NormalizeContext &ctx, const Pool &pool,
                           Value input) {
  Dims dims = dimsOf(input);
  mlir::Type element = mlir::getElementTypeOrSelf(input);
  for (size_t dim : {0, 1})
    dims[dim] = sizeDim(input.getContext(), 1);
  Value ones =
      ctx.broadcastTo(ctx.scalar(1.0, element), typeFromDims(dims, element));
  Pool alike = pool;
  Dims out = dimsOf(pool.type);
  out[0] = out[1] = dims[0];
  alike.type = typeFromDims(out, element);
  return ctx.create<graph::DivOp>(
      average(ctx, pool, input, /*countsPadding=*/true),
      average(ctx, alike, ones, /*countsPadding=*/true));
}

Value normalize::average(NormalizeContext &ctx, const Pool &pool, Value input,
                         bool countsPadding) {
  if (pool.isOpen() && !countsPadding)
    return averageInside(ctx, pool, input);
  const Spatial &s = pool.spatial;
  return ctx.createTyped<graph::AvgPoolOp>(
      pool.type, padOpen(ctx, s, input, 0.0), s.kernel, s.strides, s.pads,
      s.dilations, graph::Layout::NCHW, countsPadding);
}

Lowered normalize::lowerAveragePool(NormalizeContext &ctx, const Node &node) {
  auto pool = readPool(ctx, node);
  if (!pool)
    return mlir::failure();
  return average(ctx, *pool, node.operand(0),
                 node.flag("count_include_pad", false));
}
