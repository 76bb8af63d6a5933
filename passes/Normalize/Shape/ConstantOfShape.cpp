//===- ConstantOfShape.cpp - one value in a given shape -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes a splat constant, which takes no room.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerConstantOfShape(NormalizeContext &ctx,
                                        const Node &node) {
  auto shape = shapeOperand(ctx, node, 0);
  if (!shape)
    return mlir::failure();
  mlir::ElementsAttr value = node.tensor("value");
  if (!value)
    return ctx.splat(0.0, RankedTensorType::get(
                              *shape, mlir::Float32Type::get(node.context())));
  if (value.getNumElements() != 1)
    return ctx.unsupported("'value' does not hold one element");
  auto type = RankedTensorType::get(*shape, value.getElementType());
  if (auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(value))
    return ctx.constant(dense.resizeSplat(type));
  return ctx.broadcast(ctx.reshape(ctx.constant(value), {}), *shape);
}
