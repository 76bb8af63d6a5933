//===- MeanVarianceNormalization.cpp - zero mean and unit deviation -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes mean and deviation over the axes given.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerMeanVarianceNormalization(NormalizeContext &ctx,
                                                  const Node &node) {
  SmallVector<int64_t> axes{0, 2, 3};
  if (node.has("axes"))
    axes = node.integers("axes");
  for (int64_t &axis : axes) {
    auto checked = ctx.axis(axis, node.type(0).getRank());
    if (!checked)
      return mlir::failure();
    axis = *checked;
  }
  llvm::sort(axes);
  axes.erase(llvm::unique(axes), axes.end());
  Value mean = ctx.create<graph::ReduceMeanOp>(node.operand(0), axes, true);
  Value centred = ctx.create<graph::SubOp>(node.operand(0), mean);
  Value square = ctx.create<graph::MulOp>(centred, centred);
  Value deviation = ctx.create<graph::SqrtOp>(
      ctx.create<graph::ReduceMeanOp>(square, axes, true));
  // ONNX defines this constant, which only matters for a deviation of zero.
  Value divisor =
      ctx.create<graph::AddOp>(deviation, ctx.scalarLike(1e-9, deviation));
  return ctx.create<graph::DivOp>(centred, divisor);
}
