//===- Unsqueeze.cpp - insertion of unit dimensions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps the symbols of the other dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerUnsqueeze(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  auto listed = listOperand(ctx, node, 1, "axes");
  if (!listed)
    return mlir::failure();
  auto axes =
      axesOperand(ctx, node, 1, type.getRank() + int64_t(listed->size()));
  if (!axes)
    return mlir::failure();
  llvm::sort(*axes);
  Dims dims = dimsOf(type);
  for (int64_t axis : *axes)
    dims.insert(dims.begin() + axis, sizeDim(node.context(), 1));
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(dims, type.getElementType()));
}
