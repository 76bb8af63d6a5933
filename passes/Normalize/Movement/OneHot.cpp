//===- OneHot.cpp - ones at given positions -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares positions with the indices.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// A size, an integer or not; no dimension after a refusal.
static mlir::Attribute depthOf(NormalizeContext &ctx, const Node &node) {
  if (auto known = ctx.constantReals(node.operand(1))) {
    bool fits =
        known->size() == 1 && known->front() >= 1.0 && known->front() <= 0x1p31;
    if (fits)
      return sizeDim(node.context(), int64_t(known->front()));
    (void)ctx.unsupported("'depth' or 'values' does not fit");
    return {};
  }
  Value depth =
      ctx.cast(onlyElement(ctx, node.operand(1)), ctx.builder().getI64Type());
  auto dims = depth ? sizesOf(ctx, depth, "depth") : std::nullopt;
  return dims ? dims->front() : mlir::Attribute();
}

Lowered normalize::lowerOneHot(NormalizeContext &ctx, const Node &node) {
  mlir::Attribute depth = depthOf(ctx, node);
  Dims shape = dimsOf(node.type(0));
  auto axis = ctx.axis(node.integer("axis", -1), shape.size() + 1);
  if (!axis || !depth)
    return mlir::failure();
  Dims two = dimsOf(node.type(2));
  if (two.size() != 1 || (!graph::isSymbolic(two[0]) && sizeOf(two[0]) != 2))
    return ctx.unsupported("'depth' or 'values' does not fit");
  Value values = ctx.reshape(node.operand(2), {2});
  mlir::Attribute one = sizeDim(node.context(), 1);
  Dims positions(shape.size() + 1, one);
  shape.insert(shape.begin() + *axis, one);
  positions[*axis] = depth;
  mlir::Type i64 = ctx.builder().getI64Type();
  Value index = ctx.cast(node.operand(0), i64);
  Value isNegative =
      ctx.create<graph::LessOp>(index, ctx.scalarLike(0.0, index));
  Value fromEnd = ctx.create<graph::AddOp>(
      index, ctx.sizes(depth, RankedTensorType::get({}, i64)));
  index = ctx.reshapeTo(ctx.create<graph::SelectOp>(isNegative, fromEnd, index),
                        typeFromDims(shape, i64));
  Value isHot =
      ctx.create<graph::EqualOp>(index, ctx.indices(positions, *axis));
  Value off = ctx.reshape(ctx.slice(values, 0, 0, 1), {});
  Value on = ctx.reshape(ctx.slice(values, 0, 1, 1), {});
  return ctx.create<graph::SelectOp>(isHot, on, off);
}
