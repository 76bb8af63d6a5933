//===- MaxPool.cpp - maximum pooling --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the window.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Window/Window.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerMaxPool(NormalizeContext &ctx, const Node &node) {
  if (node.resultUsed(1))
    return ctx.unsupported("the result 'Indices' is not supported");
  auto pool = readPool(ctx, node);
  if (!pool)
    return mlir::failure();
  const Spatial &s = pool->spatial;
  SmallVector<Value> results(node.numResults());
  results[0] = ctx.createTyped<graph::MaxPoolOp>(
      pool->type, node.operand(0), s.kernel, s.strides, s.pads, s.dilations);
  return results;
}
