//===- Gather.cpp - rows by their numbers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the axis.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// What is read at constant places of a shape where it has sizes, though not
/// all of it has.
static Value gatherSizes(NormalizeContext &ctx, const Node &node) {
  mlir::Operation *shape = node.operand(0).getDefiningOp();
  auto places = ctx.constantInts(node.operand(1));
  if (!places || !shape || shape->getName().getStringRef() != "onnx.Shape" ||
      shape->hasAttr("start") || shape->hasAttr("end"))
    return {};
  auto type = mlir::dyn_cast<RankedTensorType>(shape->getOperand(0).getType());
  SmallVector<int64_t> sizes;
  for (int64_t place : *places) {
    int64_t at = type && place < 0 ? place + type.getRank() : place;
    if (!type || at < 0 || at >= type.getRank() || type.isDynamicDim(at))
      return {};
    sizes.push_back(type.getDimSize(at));
  }
  return ctx.reshape(ctx.vector(sizes), node.type(1).getShape());
}

Lowered normalize::lowerGather(NormalizeContext &ctx, const Node &node) {
  if (Value sizes = gatherSizes(ctx, node))
    return sizes;
  auto axis = ctx.axis(node.integer("axis", 0), node.type(0).getRank());
  if (!axis)
    return mlir::failure();
  return ctx.create<graph::GatherOp>(node.operand(0), node.operand(1), *axis);
}
