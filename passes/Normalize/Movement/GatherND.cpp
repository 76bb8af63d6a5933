//===- GatherND.cpp - slices by index tuples ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file folds the indexed dimensions into one and gathers from it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// The dimensions of the data by the part they play.
struct Parts {
  int64_t batch = 1;   ///< product of the leading dimensions both share
  int64_t indexed = 1; ///< product of the dimensions that a tuple indexes
  SmallVector<int64_t> sizes; ///< of the indexed dimensions
  SmallVector<int64_t> rest;  ///< of those behind
};
} // namespace

static std::optional<Parts> partsOf(NormalizeContext &ctx, const Node &node) {
  ArrayRef<int64_t> data = node.type(0).getShape();
  ArrayRef<int64_t> indices = node.type(1).getShape();
  int64_t batchDims = node.integer("batch_dims", 0);
  if (!ctx.isStatic(node.operand(0)) || !ctx.isStatic(node.operand(1)))
    return std::nullopt;
  int64_t tuple = indices.empty() ? 0 : indices.back();
  bool fits = batchDims >= 0 && tuple >= 1 &&
              batchDims < int64_t(indices.size()) &&
              batchDims + tuple <= int64_t(data.size()) &&
              data.take_front(batchDims) == indices.take_front(batchDims);
  if (!fits) {
    (void)ctx.unsupported("the index tuples do not fit the data");
    return std::nullopt;
  }
  Parts parts;
  parts.batch = product(data.take_front(batchDims));
  parts.sizes.assign(data.begin() + batchDims,
                     data.begin() + batchDims + tuple);
  parts.indexed = product(parts.sizes);
  parts.rest.assign(data.begin() + batchDims + tuple, data.end());
  return parts;
}

Lowered normalize::lowerGatherND(NormalizeContext &ctx, const Node &node) {
  auto parts = partsOf(ctx, node);
  if (!parts)
    return mlir::failure();
  ArrayRef<int64_t> indices = node.type(1).getShape();
  int64_t tuple = indices.back(), count = node.type(1).getNumElements();
  int64_t perBatch = parts->batch * tuple ? count / (parts->batch * tuple) : 0;
  Value tuples =
      ctx.reshape(ctx.cast(node.operand(1), ctx.builder().getI64Type()),
                  {parts->batch, perBatch, tuple});
  SmallVector<Value> offsets;
  if (parts->batch > 1)
    offsets.push_back(steps(ctx, 3, 0, parts->batch, parts->indexed));
  Value linear = linearIndex(ctx, tupleParts(ctx, tuples, parts->sizes),
                             offsets, parts->batch * parts->indexed);
  SmallVector<int64_t> rows{parts->batch * parts->indexed};
  llvm::append_range(rows, parts->rest);
  Value gathered = ctx.create<graph::GatherOp>(
      ctx.reshape(node.operand(0), rows),
      ctx.reshape(linear, {parts->batch * perBatch}), 0);
  SmallVector<int64_t> shape(indices.drop_back());
  llvm::append_range(shape, parts->rest);
  return ctx.reshape(gathered, shape);
}
