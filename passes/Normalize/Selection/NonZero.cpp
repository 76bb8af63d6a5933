//===- NonZero.cpp - where elements are not zero --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes numbers of the places that are known: of constants, and of
// tensors of nothing but ones, which models count through.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Selection/Selection.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// A row for each dimension, of the places' coordinates.
static Value coordinates(NormalizeContext &ctx, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> places) {
  SmallVector<int64_t> rows(shape.size() * places.size());
  for (auto [column, place] : llvm::enumerate(places)) {
    int64_t rest = place;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      rows[dim * places.size() + column] = rest % shape[dim];
  }
  return ctx.constant(DenseElementsAttr::get(
      RankedTensorType::get({int64_t(shape.size()), int64_t(places.size())},
                            ctx.builder().getI64Type()),
      ArrayRef<int64_t>(rows)));
}

/// Whether all elements are the same constant, which is not zero.
static bool isFilled(const NormalizeContext &ctx, Value value) {
  auto isNonZero = [&](Value constant) {
    ElementsAttr elements = ctx.constantOf(constant);
    if (!elements || !elements.isSplat() || elements.empty())
      return false;
    auto dense = dyn_cast<DenseElementsAttr>(elements);
    if (!dense)
      return false;
    if (isa<FloatType>(dense.getElementType()))
      return !dense.getSplatValue<APFloat>().isZero();
    return isa<IntegerType>(dense.getElementType()) &&
           !dense.getSplatValue<APInt>().isZero();
  };
  auto broadcast = value.getDefiningOp<graph::BroadcastOp>();
  return isNonZero(broadcast ? broadcast.getInput() : value);
}

/// The coordinates of all places of a shape.
static Value allCoordinates(NormalizeContext &ctx, const Dims &dims) {
  Attribute count = sizeDim(ctx.builder().getContext(), 1);
  for (Attribute dim : dims)
    count = graph::multiplyDims(count, dim);
  if (!count)
    return {};
  auto row = typeFromDims({sizeDim(ctx.builder().getContext(), 1), count},
                          ctx.builder().getI64Type());
  SmallVector<Value> rows;
  for (size_t axis = 0; axis < dims.size(); ++axis)
    rows.push_back(ctx.reshapeTo(ctx.indices(dims, int64_t(axis)), row));
  return rows.size() == 1 ? rows.front()
                          : ctx.create<graph::ConcatOp>(rows, int64_t(0));
}

Lowered normalize::lowerNonZero(NormalizeContext &ctx, const Node &node) {
  Value input = node.operand(0);
  // As numpy does, one element has a place in a vector.
  if (node.type(0).getRank() == 0)
    input = ctx.reshape(input, {1});
  auto type = cast<RankedTensorType>(input.getType());
  if (auto places = placesOfNonZero(ctx, input))
    return coordinates(ctx, type.getShape(), *places);
  Dims dims = dimsOf(type);
  if (isFilled(ctx, input) && !llvm::is_contained(dims, Attribute()))
    return allCoordinates(ctx, dims);
  Attribute count = freshSymbol(ctx, "_0_1", mostElements(ctx, type));
  Type result = typeFromDims({sizeDim(node.context(), type.getRank()), count},
                             ctx.builder().getI64Type());
  return ctx.call("nonzero", input, {}, result);
}
