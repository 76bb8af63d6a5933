//===- Expand.cpp - broadcast to a shape ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lets the input's own dimensions win over ones, as numpy does.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerExpand(NormalizeContext &ctx, const Node &node) {
  auto shape = shapeOperand(ctx, node, 1);
  if (!shape || !ctx.isStatic(node.operand(0)))
    return mlir::failure();
  ArrayRef<int64_t> in = node.type(0).getShape();
  if (in.size() > shape->size())
    shape->insert(shape->begin(), in.size() - shape->size(), 1);
  int64_t lead = shape->size() - in.size();
  for (auto [index, size] : llvm::enumerate(in))
    if (int64_t &wanted = (*shape)[lead + index]; wanted == 1)
      wanted = size;
  return ctx.broadcast(node.operand(0), *shape);
}
