//===- Dropout.cpp - dropout at inference ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file passes the input on; the mask keeps everything.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// Whether the node drops elements: it trains, and the ratio is not zero.
static bool drops(NormalizeContext &ctx, const Node &node) {
  if (!node.operand(2))
    return false;
  auto training = ctx.constantInts(node.operand(2));
  auto ratio = ctx.constantReals(node.operand(1));
  bool trains = !training || training->size() != 1 || training->front() != 0;
  bool keepsAll = ratio && ratio->size() == 1 && ratio->front() == 0.0;
  return trains && !keepsAll;
}

Lowered normalize::lowerDropout(NormalizeContext &ctx, const Node &node) {
  if (drops(ctx, node))
    return ctx.unsupported("only inference (training_mode = false) is "
                           "supported");
  SmallVector<Value> results(node.numResults());
  results[0] = node.operand(0);
  if (!node.resultUsed(1))
    return results;
  results[1] = ctx.splat(
      1.0, typeFromDims(dimsOf(node.type(0)), ctx.builder().getI1Type()));
  return results;
}
