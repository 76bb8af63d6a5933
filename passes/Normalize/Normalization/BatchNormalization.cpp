//===- BatchNormalization.cpp - batch normalisation at inference ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns the four vectors into one scale and one shift per channel.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerBatchNormalization(NormalizeContext &ctx,
                                           const Node &node) {
  if (node.flag("training_mode", false))
    return ctx.unsupported("only inference (training_mode = 0) is supported");
  Value scale = node.operand(1), bias = node.operand(2);
  Value mean = node.operand(3), variance = node.operand(4);
  mlir::Type statistics = node.type(4).getElementType();
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
