//===- ScatterElements.cpp - elements by their numbers along an axis ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers the elements of the flattened data that updates go to, or
// the rows, where an index counts for whole rows.
//===----------------------------------------------------------------------===//
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

/// Whether updates have an index for each element, and offsets stay inside.
static bool fits(const Node &node, int64_t axis) {
  ArrayRef<int64_t> data = node.type(0).getShape(),
                    indices = node.type(1).getShape();
  if (indices != node.type(2).getShape() || indices.size() != data.size())
    return false;
  for (size_t dim = 0; dim < data.size(); ++dim)
    if (int64_t(dim) != axis && indices[dim] > data[dim])
      return false;
  return true;
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
  ArrayRef<int64_t> data = node.type(0).getShape();
  int64_t rank = data.size();
  auto repeat = indices.getDefiningOp<graph::BroadcastOp>();
  if (!repeat)
    return {indices, rank};
  ArrayRef<int64_t> from = repeat.getInput().getType().getShape();
  SmallVector<int64_t> source(rank - from.size(), 1);
  llvm::append_range(source, from);
  SmallVector<int64_t> shape(node.type(1).getShape());
  int64_t rowDim = rank;
  for (; rowDim > axis + 1; --rowDim) {
    if (source[rowDim - 1] != 1 || shape[rowDim - 1] != data[rowDim - 1])
      break;
    shape[rowDim - 1] = 1;
  }
  return {ctx.broadcast(ctx.reshape(repeat.getInput(), source), shape), rowDim};
}

Lowered normalize::lowerScatterElements(NormalizeContext &ctx,
                                        const Node &node) {
  auto kind = scatterKind(ctx, node);
  ArrayRef<int64_t> data = node.type(0).getShape();
  int64_t rank = data.size();
  auto axis = ctx.axis(node.integer("axis", 0), rank);
  if (!kind || !axis || !ctx.isStatic(node.operand(0)) ||
      !ctx.isStatic(node.operand(1)) || !ctx.isStatic(node.operand(2)))
    return mlir::failure();
  if (!fits(node, *axis))
    return ctx.unsupported("indices and updates do not fit the data");
  RowIndices found = findRows(ctx, node, *axis);
  ArrayRef<int64_t> outer = data.take_front(found.rowDim);
  SmallVector<Value> offsets;
  for (int64_t dim = 0; dim < found.rowDim; ++dim)
    if (dim != *axis && node.type(1).getDimSize(dim) > 1)
      offsets.push_back(steps(ctx, rank, dim, node.type(1).getDimSize(dim),
                              product(outer.drop_front(dim + 1))));
  Value index = ctx.cast(found.indices, ctx.builder().getI64Type());
  Value linear = linearIndex(
      ctx, IndexPart{index, data[*axis], product(outer.drop_front(*axis + 1))},
      offsets, product(outer));
  return scatterRows(ctx, node.operand(0), linear, node.operand(2),
                     found.rowDim, *kind);
}

Value normalize::scatterRows(NormalizeContext &ctx, Value data, Value linear,
                             Value updates, int64_t rowDim,
                             graph::ScatterKind kind) {
  if (!linear)
    return {};
  auto shape = mlir::cast<RankedTensorType>(data.getType()).getShape();
  int64_t count =
      mlir::cast<RankedTensorType>(linear.getType()).getNumElements();
  SmallVector<int64_t> rows{product(shape.take_front(rowDim))}, own{count};
  llvm::append_range(rows, shape.drop_front(rowDim));
  llvm::append_range(own, shape.drop_front(rowDim));
  Value result = ctx.create<graph::ScatterOp>(ctx.reshape(data, rows),
                                              ctx.reshape(linear, {count}),
                                              ctx.reshape(updates, own), kind);
  return ctx.reshape(result, shape);
}
