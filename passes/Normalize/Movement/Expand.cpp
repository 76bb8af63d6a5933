//===- Expand.cpp - broadcast to a shape ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file joins the shapes as numpy does.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

/// What data say, or the input's dimension where that is 1: in place of the
/// broadcast of two dimensions.
static Value joined(NormalizeContext &ctx, const Element &element,
                    mlir::Attribute dim) {
  Value number = numberOf(ctx, element);
  if (element.isKnown() || sizeOf(dim) == 1)
    return number;
  Value isOne = ctx.create<graph::EqualOp>(number, numberOf(ctx, int64_t(1)));
  return ctx.create<graph::SelectOp>(isOne, numberOf(ctx, dim), number);
}

/// The dimensions that are asked for; those of the input that data join with
/// are replaced by what comes of it.
static std::optional<Dims> wantedDims(NormalizeContext &ctx, const Node &node,
                                      Dims &in) {
  if (!isData(ctx, node.operand(1)))
    return shapeOperand(ctx, node, 1);
  auto elements = elementsOf(ctx, node.operand(1), "shape");
  if (!elements)
    return std::nullopt;
  size_t count = elements->size(), shared = std::min(count, in.size());
  SmallVector<Value> numbers;
  for (auto [index, element] : llvm::enumerate(*elements))
    numbers.push_back(
        index < count - shared
            ? numberOf(ctx, element)
            : joined(ctx, element, in[index + in.size() - count]));
  auto dims = extents(ctx, numbers);
  for (size_t index = count - shared; dims && index < count; ++index) {
    mlir::Attribute &own = in[index + in.size() - count];
    if (!(*elements)[index].isKnown() && sizeOf(own) != 1)
      own = (*dims)[index];
  }
  return dims;
}

Lowered normalize::lowerExpand(NormalizeContext &ctx, const Node &node) {
  Dims own = dimsOf(node.type(0)), in = own;
  auto shape = wantedDims(ctx, node, in);
  if (!shape)
    return mlir::failure();
  mlir::Type element = node.type(0).getElementType();
  auto type = graph::broadcastTypes(
      {typeFromDims(in, element), typeFromDims(*shape, element)}, element);
  if (failed(type))
    return ctx.unsupported("the input does not broadcast to the shape operand");
  // What the run found equal to a number is that number.
  Dims result = dimsOf(*type);
  auto behind =
      llvm::MutableArrayRef<mlir::Attribute>(result).take_back(own.size());
  for (auto [to, dim] : llvm::zip_equal(behind, own))
    if (!graph::isSymbolic(dim) && sizeOf(dim) > 1)
      to = dim;
  return ctx.reshapeTo(ctx.broadcastTo(node.operand(0), *type),
                       typeFromDims(result, element));
}
