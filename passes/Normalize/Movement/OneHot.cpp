//===- OneHot.cpp - ones at given positions -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares positions with the indices.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerOneHot(NormalizeContext &ctx, const Node &node) {
  auto depths = ctx.constantReals(node.operand(1));
  if (!depths || depths->size() != 1)
    return ctx.unsupported("'depth' is not known at compile time");
  int64_t depth = int64_t(depths->front());
  Dims shape = dimsOf(node.type(0));
  auto axis = ctx.axis(node.integer("axis", -1), shape.size() + 1);
  if (!axis)
    return mlir::failure();
  if (depth < 1 || depth > (int64_t(1) << 31) ||
      node.type(2).getShape() != ArrayRef<int64_t>{2})
    return ctx.unsupported("'depth' or 'values' does not fit");
  SmallVector<int64_t> positions(shape.size() + 1, 1);
  shape.insert(shape.begin() + *axis, sizeDim(node.context(), 1));
  positions[*axis] = depth;
  Value index = ctx.cast(node.operand(0), ctx.builder().getI64Type());
  Value isNegative =
      ctx.create<graph::LessOp>(index, ctx.scalarLike(0.0, index));
  Value fromEnd =
      ctx.create<graph::AddOp>(index, ctx.scalarLike(double(depth), index));
  index = ctx.reshapeTo(ctx.create<graph::SelectOp>(isNegative, fromEnd, index),
                        typeFromDims(shape, ctx.builder().getI64Type()));
  Value isHot =
      ctx.create<graph::EqualOp>(index, ctx.indices(positions, *axis));
  Value off = ctx.reshape(ctx.slice(node.operand(2), 0, 0, 1), {});
  Value on = ctx.reshape(ctx.slice(node.operand(2), 0, 1, 1), {});
  return ctx.create<graph::SelectOp>(isHot, on, off);
}
