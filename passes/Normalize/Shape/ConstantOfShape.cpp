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
  mlir::Type element =
      value ? value.getElementType() : mlir::Float32Type::get(node.context());
  RankedTensorType type = typeFromDims(*shape, element);
  if (value && value.getNumElements() != 1)
    return ctx.unsupported("'value' does not hold one element");
  if (!value)
    return ctx.splat(0.0, type);
  auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(value);
  if (dense && type.hasStaticShape())
    return ctx.constant(dense.resizeSplat(type));
  return ctx.broadcastTo(ctx.reshape(ctx.constant(value), {}), type);
}
