//===- GatherND.cpp - slices by index tuples ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file folds the indexed dimensions into one and gathers from it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// The dimensions of the data by the part they play.
struct Parts {
  mlir::Attribute batch;    ///< product of the leading ones that both share
  mlir::Attribute perBatch; ///< tuples in each
  mlir::Attribute indexed;  ///< product of those that a tuple indexes
  Dims sizes;               ///< those that a tuple indexes
  Dims rest;                ///< those behind
  int64_t tuple = 0;        ///< how many a tuple indexes
};
} // namespace

static bool areSymbols(mlir::Attribute a, mlir::Attribute b) {
  return graph::isSymbolic(a) && graph::isSymbolic(b);
}

/// Whether leading dimensions are the same; the run checks what may be.
static bool demandSame(NormalizeContext &ctx, ArrayRef<mlir::Attribute> data,
                       ArrayRef<mlir::Attribute> indices) {
  return llvm::all_of(llvm::zip(data, indices), [&](auto pair) {
    auto [a, b] = pair;
    return a == b ||
           (graph::mayBeEqual(a, b) &&
            (areSymbols(a, b) || (succeeded(ctx.demandAtLeast(a, b)) &&
                                  succeeded(ctx.demandAtLeast(b, a)))));
  });
}

/// The index tuples, whose leading dimensions are held to those of the data
/// where both are symbols.
static Value indicesOf(NormalizeContext &ctx, const Node &node) {
  Dims own = dimsOf(node.type(1)), held = own, data = dimsOf(node.type(0));
  for (int64_t i = 0; i < node.integer("batch_dims", 0); ++i)
    if (areSymbols(own[i], data[i]))
      held[i] = data[i];
  return held == own ? node.operand(1) : heldTo(ctx, node.operand(1), held);
}

/// How many dimensions a tuple indexes; where that is a symbol, the rank that
/// the model states for the result says it.
static int64_t lengthOfTuples(const Node &node, int64_t batchDims) {
  Dims indices = dimsOf(node.type(1));
  int64_t tuple = indices.empty() ? 0 : sizeOf(indices.back());
  if (!mlir::ShapedType::isDynamic(tuple))
    return tuple;
  auto stated = statedRank(node.operation()->getResult(0));
  return stated ? int64_t(indices.size()) - 1 + node.type(0).getRank() -
                      batchDims - *stated
                : tuple;
}

static std::optional<Parts> partsOf(NormalizeContext &ctx, const Node &node) {
  Dims all = dimsOf(node.type(0)), tuples = dimsOf(node.type(1));
  ArrayRef<mlir::Attribute> data = all, indices = tuples;
  int64_t batchDims = node.integer("batch_dims", 0);
  int64_t tuple = lengthOfTuples(node, batchDims);
  if (llvm::is_contained(all, mlir::Attribute()) ||
      llvm::is_contained(tuples, mlir::Attribute()) ||
      mlir::ShapedType::isDynamic(tuple)) {
    (void)ctx.unsupported(kUnknownShape);
    return std::nullopt;
  }
  bool fits = batchDims >= 0 && tuple >= 1 &&
              batchDims < int64_t(indices.size()) &&
              batchDims + tuple <= int64_t(data.size()) &&
              demandSame(ctx, data.take_front(batchDims),
                         indices.take_front(batchDims));
  if (!fits) {
    (void)ctx.unsupported("the index tuples do not fit the data");
    return std::nullopt;
  }
  Parts parts;
  parts.tuple = tuple;
  parts.batch = product(node.context(), data.take_front(batchDims));
  parts.perBatch =
      product(node.context(), indices.drop_front(batchDims).drop_back());
  parts.sizes.assign(data.begin() + batchDims,
                     data.begin() + batchDims + tuple);
  parts.indexed = product(node.context(), parts.sizes);
  parts.rest.assign(data.begin() + batchDims + tuple, data.end());
  return parts;
}

Lowered normalize::lowerGatherND(NormalizeContext &ctx, const Node &node) {
  auto parts = partsOf(ctx, node);
  if (!parts)
    return mlir::failure();
  Dims shape = dimsOf(node.type(1));
  mlir::Type i64 = ctx.builder().getI64Type();
  mlir::Type element = node.type(0).getElementType();
  Value tuples = ctx.reshapeTo(
      ctx.cast(ofLength(ctx, indicesOf(ctx, node), parts->tuple), i64),
      typeFromDims({parts->batch, parts->perBatch,
                    sizeDim(node.context(), parts->tuple)},
                   i64));
  mlir::Attribute count = graph::multiplyDims(parts->batch, parts->indexed);
  SmallVector<Value> offsets;
  if (sizeOf(parts->batch) != 1)
    offsets.push_back(steps(ctx, 3, 0, parts->batch, parts->indexed));
  Value linear =
      linearIndex(ctx, tupleParts(ctx, tuples, parts->sizes), offsets, count);
  Dims rows{count};
  llvm::append_range(rows, parts->rest);
  mlir::Attribute picked = graph::multiplyDims(parts->batch, parts->perBatch);
  Value gathered = ctx.create<graph::GatherOp>(
      ctx.reshapeTo(node.operand(0), typeFromDims(rows, element)),
      ctx.reshapeTo(linear, typeFromDims(picked, i64)), 0);
  shape.pop_back();
  llvm::append_range(shape, parts->rest);
  return ctx.reshapeTo(gathered, typeFromDims(shape, element));
}
