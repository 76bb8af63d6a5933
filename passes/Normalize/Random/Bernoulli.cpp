//===- Bernoulli.cpp - ones by their probability --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares numbers from [0, 1) with probabilities.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Random/Random.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerBernoulli(NormalizeContext &ctx, const Node &node) {
  if (!ctx.hasDims(node.operand(0)))
    return mlir::failure();
  mlir::Type given = node.type(0).getElementType(), element = given;
  if (node.has("dtype"))
    element = onnx::elementType(node.integer("dtype", 0), node.context());
  if (!element)
    return ctx.unsupported("'dtype' names no element type");
  mlir::Type real = computeType(given);
  Value drawn = Draws(ctx, node, real).uniform(dimsOf(node.type(0)));
  Value isOne =
      ctx.create<graph::LessOp>(drawn, ctx.cast(node.operand(0), real));
  return ctx.cast(isOne, element);
}
