//===- Softmax.cpp - softmax ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the axis.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerSoftmax(NormalizeContext &ctx, const Node &node) {
  auto axis = ctx.axis(node.integer("axis", -1), node.type(0).getRank());
  if (!axis)
    return mlir::failure();
  return ctx.create<graph::SoftmaxOp>(node.operand(0), *axis);
}
