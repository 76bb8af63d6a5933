//===- Split.cpp - cutting along an axis ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes one slice per result that is used.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// The sizes of the parts: as given, or equal with a smaller last one.
static std::optional<Dims> partSizes(NormalizeContext &ctx, const Node &node,
                                     mlir::Attribute size) {
  int64_t parts = node.numResults();
  if (node.operand(1)) {
    auto sizes = ctx.contents(node.operand(1));
    if (!sizes)
      (void)ctx.unsupported("'split' is not known at compile time");
    return sizes;
  }
  mlir::Attribute each = graph::affineDim(size, 1, parts - 1, parts);
  if (!graph::isSymbolic(size)) {
    SmallVector<int64_t> sizes;
    for (int64_t i = 0, left = sizeOf(size); i < parts;
         ++i, left -= sizes.back())
      sizes.push_back(std::min(sizeOf(each), left));
    return llvm::map_to_vector(
        sizes, [&](int64_t part) { return sizeDim(node.context(), part); });
  }
  Dims sizes(parts, each);
  sizes.back() =
      parts == 2
          ? graph::floorDivDim(size, 2)
          : graph::subtractDims(size, graph::affineDim(each, parts - 1, 0));
  return sizes;
}

Lowered normalize::lowerSplit(NormalizeContext &ctx, const Node &node) {
  auto axis = ctx.axis(node.integer("axis", 0), node.type(0).getRank());
  if (!axis)
    return mlir::failure();
  mlir::Attribute size = dimsOf(node.type(0))[*axis];
  mlir::Attribute zero = sizeDim(node.context(), 0), start = zero;
  if (!size)
    return ctx.unsupported(kUnknownShape);
  auto sizes = partSizes(ctx, node, size);
  if (!sizes)
    return mlir::failure();
  if (sizes->size() != node.numResults())
    return ctx.unsupported("'split' does not fit the number of results");
  SmallVector<Value> results(node.numResults());
  for (auto [index, part] : llvm::enumerate(*sizes)) {
    int64_t left = sizeOf(graph::subtractDims(size, start));
    bool areNumbers =
        !graph::isSymbolic(part) && !mlir::ShapedType::isDynamic(left);
    if (areNumbers && (sizeOf(part) < 0 || sizeOf(part) > left))
      return ctx.unsupported("the parts are larger than the whole");
    if (failed(ctx.demandAtLeast(part, zero)))
      return mlir::failure();
    if (node.resultUsed(index))
      results[index] = ctx.slice(node.operand(0), *axis, start, part);
    start = graph::addDims(start, part);
  }
  if (start != size && !graph::isSymbolic(start) && !graph::isSymbolic(size))
    return ctx.unsupported(sizeOf(start) < sizeOf(size)
                               ? "the parts are smaller than the whole"
                               : "the parts are larger than the whole");
  return results;
}
