//===- Indices.cpp - numbers of rows from several indices -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what operators share that index more than one dimension.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

int64_t normalize::product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

Value normalize::linearIndex(NormalizeContext &ctx, ArrayRef<IndexPart> parts,
                             ArrayRef<Value> offsets, int64_t outside) {
  // A row's own number, from either end, is what gathers and scatters take.
  if (parts.size() == 1 && parts[0].size == outside && offsets.empty())
    return parts[0].index;
  Value sum, areInside;
  auto add = [&](Value term) {
    sum = sum ? ctx.create<graph::AddOp>(sum, term) : term;
  };
  for (const IndexPart &part : parts) {
    Value zero = ctx.scalarLike(0.0, part.index);
    Value size = ctx.scalarLike(double(part.size), part.index);
    Value fromEnd = ctx.create<graph::AddOp>(part.index, size);
    Value isNegative = ctx.create<graph::LessOp>(part.index, zero);
    Value index = ctx.create<graph::SelectOp>(isNegative, fromEnd, part.index);
    Value isInside =
        ctx.create<graph::AndOp>(ctx.create<graph::GreaterEqualOp>(index, zero),
                                 ctx.create<graph::LessOp>(index, size));
    areInside =
        areInside ? ctx.create<graph::AndOp>(areInside, isInside) : isInside;
    add(ctx.create<graph::MulOp>(index,
                                 ctx.scalarLike(double(part.stride), index)));
  }
  for (Value offset : offsets)
    add(offset);
  return ctx.create<graph::SelectOp>(areInside, sum,
                                     ctx.scalarLike(double(outside), sum));
}

SmallVector<IndexPart> normalize::tupleParts(NormalizeContext &ctx,
                                             Value tuples,
                                             ArrayRef<int64_t> sizes) {
  SmallVector<IndexPart> parts;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t last =
        tuples ? mlir::cast<RankedTensorType>(tuples.getType()).getRank() - 1
               : 0;
    parts.push_back({ctx.slice(tuples, last, i, 1), size,
                     product(sizes.drop_front(i + 1))});
  }
  return parts;
}

Value normalize::steps(NormalizeContext &ctx, int64_t rank, int64_t axis,
                       int64_t size, int64_t stride) {
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = size;
  Value numbers = ctx.indices(shape, axis);
  return ctx.create<graph::MulOp>(numbers,
                                  ctx.scalarLike(double(stride), numbers));
}
