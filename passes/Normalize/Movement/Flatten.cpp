//===- Flatten.cpp - two dimensions out of many ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies the sizes on both sides of the axis.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerFlatten(NormalizeContext &ctx, const Node &node) {
  ArrayRef<int64_t> shape = node.type(0).getShape();
  auto axis = ctx.axis(node.integer("axis", 1), shape.size(), /*end=*/true);
  if (!axis || !ctx.isStatic(node.operand(0)))
    return mlir::failure();
  auto product = [](ArrayRef<int64_t> sizes) {
    int64_t result = 1;
    for (int64_t size : sizes)
      result *= size;
    return result;
  };
  return ctx.reshape(node.operand(0), {product(shape.take_front(*axis)),
                                       product(shape.drop_front(*axis))});
}
