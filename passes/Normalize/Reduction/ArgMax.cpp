//===- ArgMax.cpp - positions of extremes ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file serves ArgMax and ArgMin.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

template <typename OpTy>
static Lowered lower(NormalizeContext &ctx, const Node &node) {
  auto axis = ctx.axis(node.integer("axis", 0), node.type(0).getRank());
  if (!axis)
    return mlir::failure();
  return ctx.create<OpTy>(node.operand(0), *axis, node.flag("keepdims", true),
                          node.flag("select_last_index", false));
}

Lowered normalize::lowerArgMax(NormalizeContext &ctx, const Node &node) {
  return lower<graph::ArgMaxOp>(ctx, node);
}

Lowered normalize::lowerArgMin(NormalizeContext &ctx, const Node &node) {
  return lower<graph::ArgMinOp>(ctx, node);
}
