//===- Split.cpp - cutting along an axis ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes one slice per result that is used.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// Sizes that only the run knows; it checks that they are all of the whole.
static std::optional<Dims> checkedSizes(NormalizeContext &ctx,
                                        ArrayRef<Value> sizes,
                                        mlir::Attribute whole) {
  Value sum = numberOf(ctx, int64_t(0)), size = numberOf(ctx, whole);
  for (Value part : sizes)
    sum = ctx.create<graph::AddOp>(sum, part);
  return extents(ctx, sizes,
                 {ctx.create<graph::SubOp>(size, sum),
                  ctx.create<graph::SubOp>(sum, size)});
}

/// Whether sizes are known to be parts, and all of the whole; that is demanded
/// of the inputs where they decide.
static bool areParts(NormalizeContext &ctx, ArrayRef<mlir::Attribute> sizes,
                     mlir::Attribute whole) {
  auto isSize = [&](mlir::Attribute dim) {
    return ctx.isAtLeast(dim, sizeDim(whole.getContext(), 0)) ||
           (isOfInputs(ctx, dim) &&
            succeeded(graph::demandNotNegative(dim, ctx.symbols())));
  };
  mlir::Attribute rest = whole;
  for (mlir::Attribute size : sizes)
    rest = graph::subtractDims(rest, size);
  return llvm::all_of(sizes, isSize) && isSize(rest) &&
         isSize(graph::affineDim(rest, -1, 0));
}

static std::optional<Dims> givenSizes(NormalizeContext &ctx, const Node &node,
                                      mlir::Attribute whole) {
  auto elements = elementsOf(ctx, node.operand(1), "split");
  if (!elements)
    return std::nullopt;
  Dims known;
  SmallVector<Value> numbers;
  for (const Element &element : *elements)
    known.push_back(element.dim);
  bool hasData = llvm::is_contained(known, mlir::Attribute());
  bool areNumbers = !hasData && llvm::none_of(known, graph::isSymbolic) &&
                    !graph::isSymbolic(whole);
  if (areNumbers || (!hasData && areParts(ctx, known, whole)))
    return known;
  for (const Element &element : *elements)
    numbers.push_back(numberOf(ctx, element));
  return checkedSizes(ctx, numbers, whole);
}

/// The sizes of the parts: as given, or equal with a smaller last one.
static std::optional<Dims> partSizes(NormalizeContext &ctx, const Node &node,
                                     mlir::Attribute size) {
  int64_t parts = node.numResults();
  if (node.operand(1))
    return givenSizes(ctx, node, size);
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
  if (parts == 2)
    return Dims{each, graph::floorDivDim(size, 2)};
  sizes.back() =
      graph::subtractDims(size, graph::affineDim(each, parts - 1, 0));
  if (areParts(ctx, sizes, size))
    return sizes;
  return checkedSizes(
      ctx,
      llvm::map_to_vector(
          sizes, [&](mlir::Attribute part) { return numberOf(ctx, part); }),
      size);
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
