//===- Expand.cpp - broadcast to a shape ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file joins the shapes as numpy does.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerExpand(NormalizeContext &ctx, const Node &node) {
  auto shape = shapeOperand(ctx, node, 1);
  if (!shape)
    return mlir::failure();
  RankedTensorType in = node.type(0);
  auto type = graph::broadcastTypes(
      {in, typeFromDims(*shape, in.getElementType())}, in.getElementType());
  if (failed(type))
    return ctx.unsupported("the input does not broadcast to the shape operand");
  return ctx.broadcastTo(node.operand(0), *type);
}
