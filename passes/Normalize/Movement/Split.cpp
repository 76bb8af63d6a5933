//===- Split.cpp - cutting along an axis ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes one slice per result that is used.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// The sizes of the parts: as given, or equal with a smaller last one.
static std::optional<SmallVector<int64_t>>
partSizes(NormalizeContext &ctx, const Node &node, int64_t size) {
  int64_t parts = node.numResults();
  if (node.operand(1))
    return listOperand(ctx, node, 1, "split");
  int64_t each = (size + parts - 1) / parts;
  SmallVector<int64_t> sizes;
  for (int64_t i = 0, left = size; i < parts; ++i, left -= sizes.back())
    sizes.push_back(std::min(each, left));
  return sizes;
}

Lowered normalize::lowerSplit(NormalizeContext &ctx, const Node &node) {
  auto axis = ctx.axis(node.integer("axis", 0), node.type(0).getRank());
  if (!axis || !ctx.isStatic(node.operand(0)))
    return mlir::failure();
  int64_t size = node.type(0).getDimSize(*axis), start = 0;
  auto sizes = partSizes(ctx, node, size);
  if (!sizes)
    return mlir::failure();
  if (sizes->size() != node.numResults())
    return ctx.unsupported("'split' does not fit the number of results");
  SmallVector<Value> results(node.numResults());
  for (auto [index, part] : llvm::enumerate(*sizes)) {
    if (part < 0 || part > size - start)
      return ctx.unsupported("the parts are larger than the whole");
    if (node.resultUsed(index))
      results[index] = ctx.slice(node.operand(0), *axis, start, part);
    start += part;
  }
  if (start != size)
    return ctx.unsupported("the parts are smaller than the whole");
  return results;
}
