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

bool normalize::mayBeEqual(ArrayRef<mlir::Attribute> a,
                           ArrayRef<mlir::Attribute> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return graph::mayBeEqual(std::get<0>(pair), std::get<1>(pair));
         });
}

mlir::Attribute normalize::product(mlir::MLIRContext *context,
                                   ArrayRef<mlir::Attribute> dims) {
  mlir::Attribute result = sizeDim(context, 1);
  for (mlir::Attribute dim : dims)
    result = graph::multiplyDims(result, dim);
  return result;
}

/// A dimension as an i64 of rank 0.
static Value scalarOf(NormalizeContext &ctx, mlir::Attribute dim) {
  return ctx.sizes(dim, RankedTensorType::get({}, ctx.builder().getI64Type()));
}

Value normalize::linearIndex(NormalizeContext &ctx, ArrayRef<IndexPart> parts,
                             ArrayRef<Value> offsets, mlir::Attribute outside) {
  // A row's own number, from either end, is what gathers and scatters take.
  if (parts.size() == 1 && parts[0].size == outside && offsets.empty())
    return parts[0].index;
  Value sum, areInside;
  auto add = [&](Value term) {
    sum = sum ? ctx.create<graph::AddOp>(sum, term) : term;
  };
  for (const IndexPart &part : parts) {
    Value zero = ctx.scalarLike(0.0, part.index);
    Value size = scalarOf(ctx, part.size);
    Value fromEnd = ctx.create<graph::AddOp>(part.index, size);
    Value isNegative = ctx.create<graph::LessOp>(part.index, zero);
    Value index = ctx.create<graph::SelectOp>(isNegative, fromEnd, part.index);
    Value isInside =
        ctx.create<graph::AndOp>(ctx.create<graph::GreaterEqualOp>(index, zero),
                                 ctx.create<graph::LessOp>(index, size));
    areInside =
        areInside ? ctx.create<graph::AndOp>(areInside, isInside) : isInside;
    add(ctx.create<graph::MulOp>(index, scalarOf(ctx, part.stride)));
  }
  for (Value offset : offsets)
    add(offset);
  return ctx.create<graph::SelectOp>(areInside, sum, scalarOf(ctx, outside));
}

Value normalize::ofLength(NormalizeContext &ctx, Value tuples, int64_t length) {
  if (!tuples)
    return {};
  Dims dims = dimsOf(tuples);
  dims.back() = sizeDim(tuples.getContext(), length);
  return ctx.reshapeTo(tuples,
                       typeFromDims(dims, mlir::getElementTypeOrSelf(tuples)));
}

SmallVector<IndexPart> normalize::tupleParts(NormalizeContext &ctx,
                                             Value tuples,
                                             ArrayRef<mlir::Attribute> sizes) {
  SmallVector<IndexPart> parts;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t last =
        tuples ? mlir::cast<RankedTensorType>(tuples.getType()).getRank() - 1
               : 0;
    parts.push_back({ctx.slice(tuples, last, i, 1), size,
                     product(size.getContext(), sizes.drop_front(i + 1))});
  }
  return parts;
}

Value normalize::steps(NormalizeContext &ctx, int64_t rank, int64_t axis,
                       mlir::Attribute size, mlir::Attribute stride) {
  Dims shape(rank, sizeDim(ctx.builder().getContext(), 1));
  shape[axis] = size;
  Value numbers = ctx.indices(shape, axis);
  return ctx.create<graph::MulOp>(numbers, scalarOf(ctx, stride));
}
