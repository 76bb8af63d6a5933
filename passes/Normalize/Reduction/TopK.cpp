//===- TopK.cpp - the best elements along an axis -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file moves the axis to the end, so that rows are contiguous. Results are
// sorted even where the model does not ask for it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Reduction/Reduction.h"

#include <numeric>

using namespace tenon;
using namespace tenon::normalize;

/// How many elements are chosen of `size`; no dimension after a refusal.
static mlir::Attribute readK(NormalizeContext &ctx, const Node &node,
                             mlir::Attribute size) {
  if (auto list = ctx.constantInts(node.operand(1)); list && list->size() == 1)
    return sizeDim(node.context(), list->front());
  Value k =
      ctx.cast(onlyElement(ctx, node.operand(1)), ctx.builder().getI64Type());
  if (!size || graph::isSymbolic(size)) {
    (void)ctx.unsupported(kUnknownShape);
    return {};
  }
  auto dims = extents(ctx, k, ctx.create<graph::SubOp>(numberOf(ctx, size), k));
  if (!dims)
    return {};
  limitSymbol(ctx, dims->front(), sizeOf(size));
  return dims->front();
}

Lowered normalize::lowerTopK(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank();
  auto axis = ctx.axis(node.integer("axis", -1), rank);
  if (!axis)
    return mlir::failure();
  mlir::Attribute size = dimsOf(node.type(0))[*axis];
  mlir::Attribute k = readK(ctx, node, size);
  if (!k)
    return mlir::failure();
  SmallVector<int64_t> order(rank), back(rank);
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + *axis);
  order.push_back(*axis);
  for (int64_t i = 0; i < rank; ++i)
    back[order[i]] = i;
  // Where the run says how many, all are put in order.
  bool isOpen = graph::isSymbolic(k);
  SmallVector<Value> results = ctx.createAll<graph::TopKOp, 2>(
      ctx.transpose(node.operand(0), order), rank - 1,
      sizeOf(isOpen ? size : k), node.flag("largest", true));
  mlir::Attribute zero = sizeDim(node.context(), 0);
  for (Value &result : results) {
    if (result && isOpen)
      result = ctx.slice(result, rank - 1, zero, k);
    if (result)
      result = ctx.transpose(result, back);
  }
  return results;
}
