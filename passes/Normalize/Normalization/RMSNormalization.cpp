//===- RMSNormalization.cpp - division by the root of the mean square -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes the statistics in f32 at least.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerRMSNormalization(NormalizeContext &ctx,
                                         const Node &node) {
  int64_t rank = node.type(0).getRank();
  auto axis = ctx.axis(node.integer("axis", -1), rank);
  if (!axis)
    return mlir::failure();
  mlir::Type element = node.type(0).getElementType();
  Value input = ctx.cast(node.operand(0), statisticsType(element));
  Value square = ctx.create<graph::MulOp>(input, input);
  Value mean =
      ctx.create<graph::ReduceMeanOp>(square, range(*axis, rank), true);
  Value epsilon = ctx.scalarLike(node.real("epsilon", 1e-5f), mean);
  Value factor =
      ctx.create<graph::RsqrtOp>(ctx.create<graph::AddOp>(mean, epsilon));
  Value normal = ctx.create<graph::MulOp>(input, factor);
  return ctx.create<graph::MulOp>(
      ctx.cast(normal, node.type(1).getElementType()),
      ctx.repeatTo(node.operand(1), dimsOf(node.type(0))));
}
