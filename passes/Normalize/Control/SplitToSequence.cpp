//===- SplitToSequence.cpp - a tensor in pieces ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file cuts a few pieces of known sizes one by one, and leaves others to
// the run time.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "passes/Normalize/Control/Control.h"
#include "passes/Normalize/Control/Types.h"
#include "passes/Normalize/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// More pieces are not cut one by one.
static constexpr int64_t kMaxPieces = 64;

/// The sizes of pieces; nothing where they are too many or not known.
static std::optional<SmallVector<int64_t>>
pieceSizes(NormalizeContext &ctx, Value split, int64_t extent) {
  if (ShapedType::isDynamic(extent))
    return std::nullopt;
  auto given =
      split ? ctx.constantInts(split) : std::optional(SmallVector<int64_t>{1});
  if (!given)
    return std::nullopt;
  bool isList = split && cast<RankedTensorType>(split.getType()).getRank() == 1;
  SmallVector<int64_t> sizes;
  if (!isList && given->size() != 1)
    return std::nullopt;
  if (isList)
    sizes = *given;
  else if (given->front() > 0 && extent / given->front() < kMaxPieces)
    for (int64_t begin = 0; begin < extent; begin += given->front())
      sizes.push_back(std::min(given->front(), extent - begin));
  bool fits = !sizes.empty() && int64_t(sizes.size()) <= kMaxPieces;
  int64_t sum = 0;
  for (int64_t size : sizes) {
    fits &= size >= 0 && size <= extent;
    sum += fits ? size : 0;
  }
  return fits && sum == extent ? std::optional(sizes) : std::nullopt;
}

/// A piece of one, without that dimension.
static Value squeeze(NormalizeContext &ctx, Value piece, int64_t axis) {
  if (!piece)
    return {};
  auto type = cast<RankedTensorType>(piece.getType());
  Dims dims = graph::dimsOf(type);
  dims.erase(dims.begin() + axis);
  return ctx.reshapeTo(piece, graph::typeFromDims(dims, type.getElementType()));
}

Lowered normalize::lowerSplitToSequence(NormalizeContext &ctx,
                                        const Node &node) {
  RankedTensorType type = node.type(0);
  auto axis = ctx.axis(node.integer("axis", 0), type.getRank());
  if (!axis)
    return failure();
  Value split = node.operand(1);
  bool keeps = split || node.flag("keepdims", true);
  Dims dims = graph::dimsOf(type);
  if (auto sizes = pieceSizes(ctx, split, type.getDimSize(*axis))) {
    SmallVector<Value> pieces;
    int64_t begin = 0;
    for (int64_t size : *sizes) {
      Value piece = ctx.slice(node.operand(0), *axis, begin, size);
      pieces.push_back(keeps ? piece : squeeze(ctx, piece, *axis));
      if (!pieces.back())
        return failure();
      begin += size;
    }
    return constructSequence(ctx, pieces);
  }
  dims[*axis] = split ? Attribute() : graph::sizeDim(node.context(), 1);
  if (!keeps)
    dims.erase(dims.begin() + *axis);
  SmallVector<Value> operands = {node.operand(0)};
  if (split)
    operands.push_back(split);
  return ctx.call(
      "split_to_sequence", operands, {*axis, keeps},
      control::SequenceType::get(
          node.context(), graph::typeFromDims(dims, type.getElementType())));
}
