//===- GroupNormalization.cpp - normalisation of groups of channels -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is layer normalisation of the input seen as [N, group, C / group,
// ...].
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerGroupNormalization(NormalizeContext &ctx,
                                           const Node &node) {
  RankedTensorType type = node.type(0);
  if (!ctx.isStatic(node.operand(0)))
    return mlir::failure();
  int64_t groups = node.integer("num_groups", 0);
  if (type.getRank() < 2 || groups < 1 || type.getDimSize(1) % groups)
    return ctx.unsupported("num_groups does not divide the channels");
  int64_t perGroup = type.getDimSize(1) / groups;
  SmallVector<int64_t> shape(type.getShape());
  shape[1] = groups;
  shape.insert(shape.begin() + 2, perGroup);
  SmallVector<int64_t> vectorShape(shape.size(), 1);
  vectorShape[1] = groups;
  vectorShape[2] = perGroup;
  Value result = layerNorm(ctx, ctx.reshape(node.operand(0), shape),
                           ctx.reshape(node.operand(1), vectorShape),
                           ctx.reshape(node.operand(2), vectorShape), 2,
                           node.real("epsilon", 1e-5f));
  return ctx.reshape(result, type.getShape());
}
