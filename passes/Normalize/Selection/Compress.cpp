//===- Compress.cpp - parts that a condition chooses ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gathers where the condition is constant.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "passes/Normalize/Selection/Selection.h"

using namespace tenon;
using namespace tenon::normalize;

/// The input as a vector; null where its size is not known.
static Value flattened(NormalizeContext &ctx, const Node &node) {
  mlir::Attribute count = sizeDim(node.context(), 1);
  for (mlir::Attribute dim : dimsOf(node.type(0)))
    count = graph::multiplyDims(count, dim);
  if (!count) {
    (void)ctx.unsupported(kUnknownShape);
    return {};
  }
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(count, node.type(0).getElementType()));
}

Lowered normalize::lowerCompress(NormalizeContext &ctx, const Node &node) {
  bool hasAxis = node.has("axis");
  Value input = hasAxis ? node.operand(0) : flattened(ctx, node);
  if (!input)
    return mlir::failure();
  auto type = mlir::cast<RankedTensorType>(input.getType());
  auto axis = ctx.axis(node.integer("axis", 0), type.getRank());
  if (!axis)
    return mlir::failure();
  if (node.type(1).getRank() != 1)
    return ctx.unsupported("the condition is not a vector");
  if (auto places = placesOfNonZero(ctx, node.operand(1)))
    return ctx.create<graph::GatherOp>(input, ctx.vector(*places), *axis);
  Dims dims = dimsOf(type);
  int64_t most =
      dims[*axis] ? graph::boundsOf(dims[*axis], ctx.symbols()).max : INT64_MAX;
  dims[*axis] = freshSymbol(ctx, "_0_" + llvm::Twine(*axis),
                            std::min(most, mostElements(ctx, node.type(1))));
  return ctx.call("compress", {input, node.operand(1)}, {1, *axis},
                  typeFromDims(dims, type.getElementType()));
}
