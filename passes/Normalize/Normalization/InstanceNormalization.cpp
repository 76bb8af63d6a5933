//===- InstanceNormalization.cpp - normalisation of each channel of each image
//===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is layer normalisation over the spatial dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerInstanceNormalization(NormalizeContext &ctx,
                                              const Node &node) {
  int64_t rank = node.type(0).getRank();
  if (rank < 3)
    return ctx.unsupported("the input has no spatial dimensions");
  return layerNorm(ctx, node.operand(0),
                   ctx.perChannel(node.operand(1), node.operand(0)),
                   ctx.perChannel(node.operand(2), node.operand(0)), 2,
                   node.real("epsilon", 1e-5f));
}
