//===- LogSoftmax.cpp - logarithm of softmax ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file subtracts the maximum before it takes powers.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerLogSoftmax(NormalizeContext &ctx, const Node &node) {
  auto axis = ctx.axis(node.integer("axis", -1), node.type(0).getRank());
  if (!axis)
    return mlir::failure();
  SmallVector<int64_t> axes{*axis};
  Value input = node.operand(0);
  Value largest = ctx.create<graph::ReduceMaxOp>(input, axes, true);
  Value centred = ctx.create<graph::SubOp>(input, largest);
  Value power = ctx.create<graph::ExpOp>(centred);
  Value sum = ctx.create<graph::ReduceSumOp>(power, axes, true);
  return ctx.create<graph::SubOp>(centred, ctx.create<graph::LogOp>(sum));
}
