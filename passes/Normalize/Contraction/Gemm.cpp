//===- Gemm.cpp - general matrix product ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes a matmul, scales and an addition of it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"

using namespace tenon;
using namespace tenon::normalize;

static Value scaled(NormalizeContext &ctx, Value value, float factor) {
  if (factor == 1.0f)
    return value;
  return ctx.create<graph::MulOp>(value, ctx.scalarLike(factor, value));
}

Lowered normalize::lowerGemm(NormalizeContext &ctx, const Node &node) {
  if (node.type(0).getRank() != 2 || node.type(1).getRank() != 2)
    return ctx.unsupported("A and B must be matrices");
  Value product = ctx.create<graph::MatmulOp>(node.operand(0), node.operand(1),
                                              node.flag("transA", false),
                                              node.flag("transB", false));
  Value result = scaled(ctx, product, node.real("alpha", 1.0f));
  float beta = node.real("beta", 1.0f);
  if (!node.operand(2) || beta == 0.0f)
    return result;
  return ctx.create<graph::AddOp>(result, scaled(ctx, node.operand(2), beta));
}
