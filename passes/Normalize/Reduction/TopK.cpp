//===- TopK.cpp - the best elements along an axis -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file moves the axis to the end, so that rows are contiguous. Results are
// sorted even where the model does not ask for it. Where neither k nor the
// axis has a size, elements count how many are better, and go there.
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
  if (!size) {
    (void)ctx.unsupported(kUnknownShape);
    return {};
  }
  auto dims = extents(ctx, k, ctx.create<graph::SubOp>(numberOf(ctx, size), k));
  if (!dims)
    return {};
  if (!graph::isSymbolic(size))
    limitSymbol(ctx, dims->front(), sizeOf(size));
  return dims->front();
}

//===-- Rows of any length ------------------------------------------------===//

/// Where `other` stands before `own` if places do not matter, and where only
/// they do. NaN counts as larger than every number.
static std::pair<Value, Value> compare(NormalizeContext &ctx, Value own,
                                       Value other, bool largest) {
  Value better = largest ? ctx.create<graph::LessOp>(own, other)
                         : ctx.create<graph::LessOp>(other, own);
  Value equal = ctx.create<graph::EqualOp>(own, other);
  if (!own || !mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(own)))
    return {better, equal};
  Value ownNan = ctx.create<graph::IsNanOp>(own);
  Value otherNan = ctx.create<graph::IsNanOp>(other);
  Value first = largest ? otherNan : ownNan, last = largest ? ownNan : otherNan;
  better = ctx.create<graph::OrOp>(
      better, ctx.create<graph::AndOp>(first, ctx.create<graph::NotOp>(last)));
  equal = ctx.create<graph::OrOp>(equal,
                                  ctx.create<graph::AndOp>(ownNan, otherNan));
  return {better, equal};
}

/// How many elements of its row stand before each: of `rows`, `[rows, length]`.
static Value placesOf(NormalizeContext &ctx, Value rows, bool largest) {
  mlir::MLIRContext *context = rows.getContext();
  Dims dims = dimsOf(rows);
  mlir::Attribute one = sizeDim(context, 1);
  mlir::Type element = mlir::getElementTypeOrSelf(rows);
  Value own =
      ctx.reshapeTo(rows, typeFromDims({dims[0], dims[1], one}, element));
  Value other =
      ctx.reshapeTo(rows, typeFromDims({dims[0], one, dims[1]}, element));
  auto [better, equal] = compare(ctx, own, other, largest);
  Dims down{one, dims[1], one}, across{one, one, dims[1]};
  Value isBefore =
      ctx.create<graph::LessOp>(ctx.indices(across, 2), ctx.indices(down, 1));
  Value stands = ctx.create<graph::OrOp>(
      better, ctx.create<graph::AndOp>(equal, isBefore));
  return ctx.create<graph::ReduceSumOp>(
      ctx.cast(stands, ctx.builder().getI64Type()), ArrayRef<int64_t>{2},
      false);
}

/// All elements of the last dimension in order, and their indices.
static SmallVector<Value> sorted(NormalizeContext &ctx, Value input,
                                 bool largest) {
  if (!input)
    return {Value(), Value()};
  Dims dims = dimsOf(input);
  if (llvm::is_contained(dims, mlir::Attribute())) {
    (void)ctx.unsupported(kUnknownShape);
    return {Value(), Value()};
  }
  mlir::Attribute length = dims.back(), count = sizeDim(input.getContext(), 1);
  for (mlir::Attribute dim : ArrayRef(dims).drop_back())
    count = graph::multiplyDims(count, dim);
  Dims table{count, length}, flat{graph::multiplyDims(count, length)};
  mlir::Type element = mlir::getElementTypeOrSelf(input);
  mlir::Type i64 = ctx.builder().getI64Type();
  Value rows = ctx.reshapeTo(input, typeFromDims(table, element));
  Value first = ctx.create<graph::MulOp>(
      ctx.indices({count, sizeDim(input.getContext(), 1)}, 0),
      ctx.sizes(length, RankedTensorType::get({}, i64)));
  Value to = ctx.create<graph::AddOp>(placesOf(ctx, rows, largest), first);
  to = ctx.reshapeTo(to, typeFromDims(flat, i64));
  auto move = [&](Value values) {
    if (!values)
      return Value();
    mlir::Type type = mlir::getElementTypeOrSelf(values);
    Value all = ctx.reshapeTo(values, typeFromDims(flat, type));
    Value moved =
        ctx.create<graph::ScatterOp>(all, to, all, graph::ScatterKind::Replace);
    return ctx.reshapeTo(moved, typeFromDims(dims, type));
  };
  Value numbers =
      ctx.broadcastTo(ctx.indices({sizeDim(input.getContext(), 1), length}, 1),
                      typeFromDims(table, i64));
  return {move(rows), move(numbers)};
}

//===-- The operator ------------------------------------------------------===//

static SmallVector<Value> choose(NormalizeContext &ctx, Value input,
                                 mlir::Attribute size, mlir::Attribute k,
                                 bool largest) {
  // Where the run says how many, all are put in order.
  mlir::Attribute count = graph::isSymbolic(k) ? size : k;
  if (graph::isSymbolic(count))
    return sorted(ctx, input, largest);
  int64_t last = input ? int64_t(dimsOf(input).size()) - 1 : 0;
  return ctx.createAll<graph::TopKOp, 2>(input, last, sizeOf(count), largest);
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
  SmallVector<Value> results =
      choose(ctx, ctx.transpose(node.operand(0), order), size, k,
             node.flag("largest", true));
  mlir::Attribute zero = sizeDim(node.context(), 0);
  for (Value &result : results) {
    if (result && graph::isSymbolic(k))
      result = ctx.slice(result, rank - 1, zero, k);
    if (result)
      result = ctx.transpose(result, back);
  }
  return results;
}
