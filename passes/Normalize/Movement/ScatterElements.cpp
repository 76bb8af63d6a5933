//===- ScatterElements.cpp - elements by their numbers along an axis ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers the elements of the flattened data that updates go to, or
// the rows, where an index counts for whole rows.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Movement/Scatter.h"

using namespace tenon;
using namespace tenon::normalize;

std::optional<graph::ScatterKind> normalize::scatterKind(NormalizeContext &ctx,
                                                         const Node &node) {
  StringRef name = node.string("reduction", "none");
  auto kind = name == "none" ? graph::ScatterKind::Replace
                             : graph::symbolizeScatterKind(name);
  if (!kind) {
    (void)ctx.unsupported("unknown reduction '" + name + "'");
    return std::nullopt;
  }
  if (*kind != graph::ScatterKind::Replace &&
      node.type(0).getElementType().isInteger(1)) {
    (void)ctx.unsupported("booleans have no reduction '" + name + "'");
    return std::nullopt;
  }
  return kind;
}

/// Whether updates have an index for each element, and offsets stay inside; the
/// run checks what symbols leave open.
static bool demandFit(NormalizeContext &ctx, const Node &node, int64_t axis) {
  Dims data = dimsOf(node.type(0)), indices = dimsOf(node.type(1)),
       updates = dimsOf(node.type(2));
  if (updates.size() != indices.size() || indices.size() != data.size())
    return succeeded(
        ctx.unsupported("indices and updates do not fit the data"));
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (!graph::mayBeEqual(index, updates[dim]))
      return succeeded(
          ctx.unsupported("indices and updates do not fit the data"));
    if (int64_t(dim) == axis || index == data[dim])
      continue;
    bool areNumbers =
        !graph::isSymbolic(index) && !graph::isSymbolic(data[dim]);
    if (areNumbers && sizeOf(index) > sizeOf(data[dim]))
      return succeeded(
          ctx.unsupported("indices and updates do not fit the data"));
  }
  return true;
}

/// Whether no index along `dim` exceeds the data: the run checks what ranges of
/// symbols leave open, if it can do so before.
static bool staysInside(NormalizeContext &ctx, mlir::Attribute data,
                        mlir::Attribute index) {
  return data == index || succeeded(graph::demandNotNegative(
                              graph::subtractDims(data, index), ctx.symbols()));
}

namespace {
/// The indices, of one element along the trailing dimensions from `rowDim` on:
/// there they would repeat, for all of a row.
struct RowIndices {
  Value indices;
  int64_t rowDim;
};
} // namespace

static RowIndices findRows(NormalizeContext &ctx, const Node &node,
                           int64_t axis) {
  Value indices = node.operand(1);
  Dims data = dimsOf(node.type(0));
  int64_t rank = data.size();
  auto repeat = indices.getDefiningOp<graph::BroadcastOp>();
  if (!repeat)
    return {indices, rank};
  Dims from = dimsOf(repeat.getInput()), shape = dimsOf(node.type(1));
  mlir::Attribute one = sizeDim(node.context(), 1);
  Dims source(rank - from.size(), one);
  llvm::append_range(source, from);
  int64_t rowDim = rank;
  for (; rowDim > axis + 1; --rowDim) {
    if (source[rowDim - 1] != one || shape[rowDim - 1] != data[rowDim - 1])
      break;
    shape[rowDim - 1] = one;
  }
  mlir::Type element = node.type(1).getElementType();
  Value own = ctx.reshapeTo(repeat.getInput(), typeFromDims(source, element));
  return {ctx.broadcastTo(own, typeFromDims(shape, element)), rowDim};
}

Lowered normalize::lowerScatterElements(NormalizeContext &ctx,
                                        const Node &node) {
  auto kind = scatterKind(ctx, node);
  Dims data = dimsOf(node.type(0)), indices = dimsOf(node.type(1));
  auto axis = ctx.axis(node.integer("axis", 0), data.size());
  if (!kind || !axis)
    return mlir::failure();
  if (llvm::is_contained(data, mlir::Attribute()) ||
      llvm::is_contained(indices, mlir::Attribute()))
    return ctx.unsupported(kUnknownShape);
  if (!demandFit(ctx, node, *axis))
    return mlir::failure();
  RowIndices found = findRows(ctx, node, *axis);
  auto outer = ArrayRef<mlir::Attribute>(data).take_front(found.rowDim);
  auto stride = [&](int64_t dim) {
    return product(node.context(), outer.drop_front(dim + 1));
  };
  Value index = ctx.cast(found.indices, ctx.builder().getI64Type());
  SmallVector<IndexPart> parts{{index, data[*axis], stride(*axis)}};
  SmallVector<Value> offsets;
  mlir::Attribute one = sizeDim(node.context(), 1);
  for (int64_t dim = 0; dim < found.rowDim; ++dim) {
    if (dim == *axis || sizeOf(indices[dim]) == 0)
      continue;
    if (!staysInside(ctx, data[dim], indices[dim]))
      parts.push_back({steps(ctx, data.size(), dim, indices[dim], one),
                       data[dim], stride(dim)});
    else if (sizeOf(indices[dim]) != 1)
      offsets.push_back(
          steps(ctx, data.size(), dim, indices[dim], stride(dim)));
  }
  Value linear =
      linearIndex(ctx, parts, offsets, product(node.context(), outer));
  return scatterRows(ctx, node.operand(0), linear, node.operand(2),
                     found.rowDim, *kind);
}

Value normalize::scatterRows(NormalizeContext &ctx, Value data, Value linear,
                             Value updates, int64_t rowDim,
                             graph::ScatterKind kind) {
  if (!linear)
    return {};
  auto type = mlir::cast<RankedTensorType>(data.getType());
  Dims shape = dimsOf(type);
  mlir::Attribute count = product(data.getContext(), dimsOf(linear));
  Dims rows{product(data.getContext(),
                    ArrayRef<mlir::Attribute>(shape).take_front(rowDim))},
      own{count};
  rows.append(shape.begin() + rowDim, shape.end());
  own.append(shape.begin() + rowDim, shape.end());
  mlir::Type element = type.getElementType();
  Value result = ctx.create<graph::ScatterOp>(
      ctx.reshapeTo(data, typeFromDims(rows, element)),
      ctx.reshapeTo(linear, typeFromDims(count, ctx.builder().getI64Type())),
      ctx.reshapeTo(updates, typeFromDims(own, element)), kind);
  return ctx.reshapeTo(result, type);
}
