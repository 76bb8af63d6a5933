//===- Hardmax.cpp - one at the first largest element ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares positions with the position of the maximum.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"
#include "passes/Normalize/Shapes.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerHardmax(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  auto axis = ctx.axis(node.integer("axis", -1), type.getRank());
  if (!axis)
    return mlir::failure();
  Dims shape(type.getRank(), sizeDim(node.context(), 1));
  shape[*axis] = dimsOf(type)[*axis];
  Value largest =
      ctx.create<graph::ArgMaxOp>(node.operand(0), *axis, true, false);
  Value isLargest =
      ctx.create<graph::EqualOp>(ctx.indices(shape, *axis), largest);
  return ctx.cast(isLargest, type.getElementType());
}
