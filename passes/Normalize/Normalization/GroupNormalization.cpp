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
  if (type.getRank() < 2 || groups < 1 || type.getDimSize(1) < 0 ||
      type.getDimSize(1) % groups)
    return ctx.unsupported("num_groups does not divide the channels");
  int64_t perGroup = type.getDimSize(1) / groups;
  Dims shape = dimsOf(type);
  shape[1] = sizeDim(node.context(), groups);
  shape.insert(shape.begin() + 2, sizeDim(node.context(), perGroup));
  SmallVector<int64_t> vectorShape(shape.size(), 1);
  vectorShape[1] = groups;
  vectorShape[2] = perGroup;
  Value parts = ctx.reshapeTo(node.operand(0),
                              typeFromDims(shape, type.getElementType()));
  Value result =
      layerNorm(ctx, parts, ctx.reshape(node.operand(1), vectorShape),
                ctx.reshape(node.operand(2), vectorShape), 2,
                node.real("epsilon", 1e-5f));
  return ctx.reshapeTo(result, type);
}
