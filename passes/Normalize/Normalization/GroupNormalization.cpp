//===- GroupNormalization.cpp - normalisation of groups of channels -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is layer normalisation of the input seen as [N, group, C / group,
// ...].
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"
#include "passes/Normalize/Shapes.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerGroupNormalization(NormalizeContext &ctx,
                                           const Node &node) {
  RankedTensorType type = node.type(0);
  int64_t groups = node.integer("num_groups", 0);
  Dims shape = dimsOf(type);
  if (shape.size() < 2 || !shape[1] || groups < 1 ||
      (!graph::isSymbolic(shape[1]) && sizeOf(shape[1]) % groups))
    return ctx.unsupported("num_groups does not divide the channels");
  mlir::Attribute perGroup = graph::floorDivDim(shape[1], groups);
  shape[1] = sizeDim(node.context(), groups);
  shape.insert(shape.begin() + 2, perGroup);
  Dims vectorShape(shape.size(), sizeDim(node.context(), 1));
  vectorShape[1] = shape[1];
  vectorShape[2] = perGroup;
  auto spread = [&](unsigned index) {
    return ctx.reshapeTo(
        node.operand(index),
        typeFromDims(vectorShape, node.type(index).getElementType()));
  };
  Value parts = ctx.reshapeTo(node.operand(0),
                              typeFromDims(shape, type.getElementType()));
  Value result = layerNorm(ctx, parts, spread(1), spread(2), 2,
                           node.real("epsilon", 1e-5f));
  return ctx.reshapeTo(result, type);
}
