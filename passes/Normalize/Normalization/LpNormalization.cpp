//===- LpNormalization.cpp - division by a norm along one axis ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file leaves vectors of norm zero at zero.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerLpNormalization(NormalizeContext &ctx,
                                        const Node &node) {
  auto axis = ctx.axis(node.integer("axis", -1), node.type(0).getRank());
  int64_t p = node.integer("p", 2);
  if (!axis)
    return mlir::failure();
  if (p != 1 && p != 2)
    return ctx.unsupported("p is neither 1 nor 2");
  Value input = node.operand(0);
  Value part = p == 1 ? ctx.create<graph::AbsOp>(input)
                      : ctx.create<graph::MulOp>(input, input);
  Value norm =
      ctx.create<graph::ReduceSumOp>(part, SmallVector<int64_t>{*axis}, true);
  if (p == 2)
    norm = ctx.create<graph::SqrtOp>(norm);
  Value isZero = ctx.create<graph::EqualOp>(norm, ctx.scalarLike(0.0, norm));
  Value divisor =
      ctx.create<graph::SelectOp>(isZero, ctx.scalarLike(1.0, norm), norm);
  return ctx.create<graph::DivOp>(input, divisor);
}
