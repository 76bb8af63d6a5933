//===- TopK.cpp - the best elements along an axis -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file moves the axis to the end, so that rows are contiguous. Results are
// sorted even where the model does not ask for it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

#include <numeric>

using namespace tenon;
using namespace tenon::normalize;

static std::optional<int64_t> readK(NormalizeContext &ctx, const Node &node) {
  auto list = ctx.constantInts(node.operand(1));
  if (!list || list->size() != 1) {
    (void)ctx.unsupported("'K' is not known at compile time");
    return std::nullopt;
  }
  return list->front();
}

Lowered normalize::lowerTopK(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank();
  auto k = readK(ctx, node);
  auto axis = ctx.axis(node.integer("axis", -1), rank);
  if (!k || !axis)
    return mlir::failure();
  SmallVector<int64_t> order(rank), back(rank);
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + *axis);
  order.push_back(*axis);
  for (int64_t i = 0; i < rank; ++i)
    back[order[i]] = i;
  SmallVector<Value> results =
      ctx.createAll<graph::TopKOp, 2>(ctx.transpose(node.operand(0), order),
                                      rank - 1, *k, node.flag("largest", true));
  for (Value &result : results)
    if (result)
      result = ctx.transpose(result, back);
  return results;
}
