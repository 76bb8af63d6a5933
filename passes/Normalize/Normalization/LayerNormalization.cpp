//===- LayerNormalization.cpp - layer normalisation -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file also makes the mean and the deviation for models that read them.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

mlir::Type normalize::statisticsType(mlir::Type element) {
  return element.isF64() ? element
                         : mlir::Float32Type::get(element.getContext());
}

Value normalize::layerNorm(NormalizeContext &ctx, Value input, Value scale,
                           Value bias, int64_t axis, float epsilon) {
  if (!input || !scale)
    return {};
  Dims dims = dimsOf(input);
  scale = ctx.repeatTo(scale, dims);
  bias = ctx.repeatTo(bias, dims);
  mlir::Type element = mlir::getElementTypeOrSelf(input);
  mlir::Type statistics = statisticsType(element);
  Value wideBias = bias ? ctx.cast(bias, statistics) : Value();
  Value result = ctx.create<graph::LayerNormOp>(
      ctx.cast(input, statistics), ctx.cast(scale, statistics),
      Optional{wideBias}, axis, llvm::APFloat(epsilon));
  return ctx.cast(result, element);
}

Lowered normalize::lowerLayerNormalization(NormalizeContext &ctx,
                                           const Node &node) {
  int64_t rank = node.type(0).getRank();
  auto axis = ctx.axis(node.integer("axis", -1), rank);
  if (!axis)
    return mlir::failure();
  float epsilon = node.real("epsilon", 1e-5f);
  SmallVector<Value> results(node.numResults());
  results[0] = layerNorm(ctx, node.operand(0), node.operand(1), node.operand(2),
                         *axis, epsilon);
  if (!node.resultUsed(1) && !node.resultUsed(2))
    return results;
  SmallVector<int64_t> axes = range(*axis, rank);
  Value input =
      ctx.cast(node.operand(0), statisticsType(node.type(0).getElementType()));
  Value mean = ctx.create<graph::ReduceMeanOp>(input, axes, true);
  Value centred = ctx.create<graph::SubOp>(input, mean);
  Value variance = ctx.create<graph::ReduceMeanOp>(
      ctx.create<graph::MulOp>(centred, centred), axes, true);
  if (results.size() > 1)
    results[1] = mean;
  if (results.size() > 2)
    results[2] = ctx.create<graph::RsqrtOp>(
        ctx.create<graph::AddOp>(variance, ctx.scalarLike(epsilon, variance)));
  return results;
}
