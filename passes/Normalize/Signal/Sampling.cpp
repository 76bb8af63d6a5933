//===- Sampling.cpp - pixels read at computed places ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes rows of an image's channels, and numbers them.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Signal/Sampling.h"

using namespace tenon;
using namespace tenon::normalize;

static mlir::Attribute productOf(mlir::MLIRContext *context,
                                 ArrayRef<mlir::Attribute> dims) {
  mlir::Attribute result = sizeDim(context, 1);
  for (mlir::Attribute dim : dims)
    result = graph::multiplyDims(result, dim);
  return result;
}

Sampling::Sampling(NormalizeContext &ctx, Value image, mlir::Type real,
                   mlir::Type element, int64_t groups)
    : ctx(ctx), real(real), element(element) {
  mlir::MLIRContext *context = image.getContext();
  Dims dims = dimsOf(image);
  mlir::Attribute parts = sizeDim(context, groups);
  mlir::Attribute channels = graph::floorDivDim(dims[1], groups);
  // [N, groups, channels, spatial...] to [N, spatial..., groups, channels]
  Dims split = dims;
  split[1] = channels;
  SmallVector<int64_t> order = range(0, dims.size());
  order.erase(order.begin() + 1);
  order.push_back(1);
  if (groups > 1) {
    split.insert(split.begin() + 1, parts);
    order = range(3, split.size());
    order.insert(order.begin(), 0);
    order.append({1, 2});
  }
  dims[1] = parts;
  mlir::Attribute pixels = productOf(context, dims);
  bool isSmall = sizeOf(pixels) >= 0 && sizeOf(pixels) <= INT32_MAX;
  mlir::Type i32 = ctx.builder().getI32Type(), i64 = ctx.builder().getI64Type();
  index = isSmall ? i32 : i64;
  along = isSmall || graph::isSymbolic(pixels) ? i32 : i64;
  mlir::Type type = mlir::getElementTypeOrSelf(image);
  Value moved =
      ctx.transpose(ctx.reshapeTo(image, typeFromDims(split, type)), order);
  rows = ctx.cast(ctx.reshapeTo(moved, typeFromDims({pixels, channels}, type)),
                  element);
}

Value Sampling::number(mlir::Attribute dim, double offset) {
  if (!graph::isSymbolic(dim))
    return number(double(sizeOf(dim)) + offset);
  auto scalar = RankedTensorType::get({}, ctx.builder().getI64Type());
  Value size = ctx.cast(ctx.sizes(dim, scalar), real);
  return offset == 0.0 ? size : add(size, offset);
}

Value Sampling::isInside(Value place, Value low, Value high) {
  return ctx.create<graph::AndOp>(ctx.create<graph::GreaterEqualOp>(place, low),
                                  ctx.create<graph::LessEqualOp>(place, high));
}

Tap Sampling::tapAt(Value place, mlir::Attribute extent, Value weight,
                    bool zeros) {
  Tap tap{Value(), weight, Value()};
  if (zeros)
    tap.inside = isInside(place, number(0.0), number(extent, -1.0));
  Value last = ctx.sizes(graph::affineDim(extent, 1, -1),
                         RankedTensorType::get({}, along));
  tap.index = clamp(ctx.cast(place, along), ctx.scalar(0.0, along), last);
  if (weight)
    tap.weight = ctx.cast(weight, element);
  return tap;
}

/// One of two, or both joined.
template <typename Join>
static Value merge(NormalizeContext &ctx, Value x, Value y) {
  return x && y ? ctx.create<Join>(x, y) : x ? x : y;
}

SmallVector<Tap> Sampling::combine(ArrayRef<Tap> outer, ArrayRef<Tap> inner,
                                   mlir::Attribute extent) {
  if (outer.empty())
    return llvm::to_vector(inner);
  SmallVector<Tap> result;
  for (const Tap &a : outer)
    for (const Tap &b : inner) {
      Value row = ctx.create<graph::MulOp>(
          ctx.cast(a.index, index),
          ctx.sizes(extent, RankedTensorType::get({}, index)));
      result.push_back({ctx.create<graph::AddOp>(row, ctx.cast(b.index, index)),
                        merge<graph::MulOp>(ctx, a.weight, b.weight),
                        merge<graph::AndOp>(ctx, a.inside, b.inside)});
    }
  return result;
}

Tap Sampling::numbers(int64_t rank, int64_t axis, mlir::Attribute count) {
  Dims shape(rank, sizeDim(count.getContext(), 1));
  shape[axis] = count;
  return {ctx.cast(ctx.indices(shape, axis), index), Value(), Value()};
}

/// For all places, `[places]` or `[places, 1]`.
Value Sampling::flat(Value value, bool isColumn) {
  if (!value)
    return {};
  Dims dims{productOf(value.getContext(), dimsOf(value))};
  if (isColumn)
    dims.push_back(sizeDim(value.getContext(), 1));
  return ctx.reshapeTo(value,
                       typeFromDims(dims, mlir::getElementTypeOrSelf(value)));
}

Value Sampling::pixels(const Tap &tap) {
  Value pixel = ctx.create<graph::GatherOp>(rows, flat(tap.index, false), 0);
  if (tap.weight)
    pixel = ctx.create<graph::MulOp>(pixel, flat(tap.weight, true));
  if (tap.inside)
    pixel = ctx.create<graph::SelectOp>(flat(tap.inside, true), pixel,
                                        ctx.scalarLike(0.0, pixel));
  return pixel;
}
