//===- EyeLike.cpp - identity matrices ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares row and column numbers.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerEyeLike(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  if (type.getRank() != 2)
    return ctx.unsupported("the operand is not a matrix");
  mlir::Type element = type.getElementType();
  if (node.has("dtype"))
    element = onnx::elementType(node.integer("dtype", 0), node.context());
  if (!element)
    return ctx.unsupported("'dtype' names no element type");
  Dims dims = dimsOf(type);
  mlir::Attribute one = sizeDim(node.context(), 1);
  Value rows = ctx.indices(Dims{dims[0], one}, 0);
  Value columns = ctx.indices(Dims{one, dims[1]}, 1);
  Value moved = ctx.create<graph::AddOp>(
      rows, ctx.scalarLike(double(node.integer("k", 0)), rows));
  return ctx.cast(ctx.create<graph::EqualOp>(moved, columns), element);
}
