//===- AveragePool.cpp - average pooling ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the window.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Window/Window.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerAveragePool(NormalizeContext &ctx, const Node &node) {
  auto pool = readPool(ctx, node);
  if (!pool)
    return mlir::failure();
  const Spatial &s = pool->spatial;
  return ctx.createTyped<graph::AvgPoolOp>(
      pool->type, node.operand(0), s.kernel, s.strides, s.pads, s.dilations,
      graph::Layout::NCHW, node.flag("count_include_pad", false));
}
