//===- Flatten.cpp - two dimensions out of many ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies the dimensions on both sides of the axis.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerFlatten(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  auto axis = ctx.axis(node.integer("axis", 1), type.getRank(), /*end=*/true);
  if (!axis)
    return mlir::failure();
  Dims out(2, sizeDim(node.context(), 1));
  for (auto [index, dim] : llvm::enumerate(dimsOf(type))) {
    if (!dim)
      return ctx.unsupported(kUnknownShape);
    mlir::Attribute &product = out[int64_t(index) < *axis ? 0 : 1];
    product = graph::multiplyDims(product, dim);
  }
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(out, type.getElementType()));
}
