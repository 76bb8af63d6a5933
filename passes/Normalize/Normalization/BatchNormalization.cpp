//===- BatchNormalization.cpp - batch normalisation -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns the four vectors of inference into one scale and one shift
// per channel. In training the batch's own mean and variance take the place of
// two of them, which follow.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

/// `old` * momentum + `now` * (1 - momentum), in the type of `old`.
static Value followed(NormalizeContext &ctx, Value old, Value now,
                      float momentum) {
  mlir::Type element = mlir::getElementTypeOrSelf(old);
  now = ctx.reshapeTo(ctx.cast(now, element),
                      mlir::cast<RankedTensorType>(old.getType()));
  Value kept = ctx.create<graph::MulOp>(old, ctx.scalar(momentum, element));
  Value taken =
      ctx.create<graph::MulOp>(now, ctx.scalar(1 - double(momentum), element));
  return ctx.create<graph::AddOp>(kept, taken);
}

/// The variance is that of the batch, not an estimate of a larger one's.
static Lowered lowerTraining(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank();
  if (rank < 2)
    return ctx.unsupported("in training the input needs a batch and channels");
  SmallVector<int64_t> axes{0};
  for (int64_t dim = 2; dim < rank; ++dim)
    axes.push_back(dim);
  mlir::Type element = node.type(0).getElementType();
  mlir::Type wide = statisticsType(element);
  Value input = ctx.cast(node.operand(0), wide);
  Value mean = ctx.create<graph::ReduceMeanOp>(input, axes, true);
  Value centred = ctx.create<graph::SubOp>(input, mean);
  Value square = ctx.create<graph::MulOp>(centred, centred);
  Value variance = ctx.create<graph::ReduceMeanOp>(square, axes, true);
  Value stable = ctx.create<graph::AddOp>(
      variance, ctx.scalar(node.real("epsilon", 1e-5f), wide));
  Value scale = ctx.perChannel(ctx.cast(node.operand(1), wide), input);
  Value bias = ctx.perChannel(ctx.cast(node.operand(2), wide), input);
  Value factor =
      ctx.create<graph::MulOp>(ctx.create<graph::RsqrtOp>(stable), scale);
  Value scaled = ctx.create<graph::MulOp>(centred, factor);
  SmallVector<Value> results(node.numResults());
  results[0] = ctx.cast(ctx.create<graph::AddOp>(scaled, bias), element);
  float momentum = node.real("momentum", 0.9f);
  if (results.size() > 1)
    results[1] = followed(ctx, node.operand(3), mean, momentum);
  if (results.size() > 2)
    results[2] = followed(ctx, node.operand(4), variance, momentum);
  return results;
}

Lowered normalize::lowerBatchNormalization(NormalizeContext &ctx,
                                           const Node &node) {
  if (node.flag("training_mode", false))
    return lowerTraining(ctx, node);
  Value scale = node.operand(1), bias = node.operand(2);
  mlir::Type statistics = node.type(4).getElementType();
  // Of a model of 16 bits, one of the two may be trained, in f32.
  Value mean = ctx.cast(node.operand(3), statistics);
  Value variance = node.operand(4);
  Value epsilon = ctx.scalar(node.real("epsilon", 1e-5f), statistics);
  Value deviation =
      ctx.create<graph::SqrtOp>(ctx.create<graph::AddOp>(variance, epsilon));
  Value factor =
      ctx.create<graph::DivOp>(ctx.cast(scale, statistics), deviation);
  Value shift = ctx.create<graph::SubOp>(
      ctx.cast(bias, statistics), ctx.create<graph::MulOp>(mean, factor));
  mlir::Type element = node.type(0).getElementType();
  Value input = node.operand(0);
  Value scaled = ctx.create<graph::MulOp>(
      input, ctx.perChannel(ctx.cast(factor, element), input));
  SmallVector<Value> results(node.numResults());
  results[0] = ctx.create<graph::AddOp>(
      scaled, ctx.perChannel(ctx.cast(shift, element), input));
  return results;
}
