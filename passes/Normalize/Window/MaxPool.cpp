//===- MaxPool.cpp - maximum pooling --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the window. Where the maxima lie is worked out from the
// maxima: the first tap of each window, a strided slice of the padded input,
// that is not less.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Window/Window.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Each tap is a slice, so large windows would become large programs.
static constexpr int64_t mostTaps = 256;

namespace {
/// The element index of the maximum in each window.
class MaxIndices {
public:
  MaxIndices(NormalizeContext &ctx, const Node &node, const Spatial &spatial)
      : ctx(ctx), input(node.operand(0)), spatial(spatial),
        shape(node.type(0).getShape()),
        columnMajor(node.flag("storage_order", false)) {}

  /// For maxima of static shape.
  Value build(Value maxima);

private:
  int64_t firstPosition(int64_t dim) const { return -spatial.pads[dim]; }
  int64_t pitch(int64_t dim) const;
  SmallVector<int64_t> offsets(int64_t tap) const;
  Value alongDim(int64_t dim);
  Value pad();
  Value slice(Value padded, ArrayRef<int64_t> offset);
  Value valid(ArrayRef<int64_t> offset);
  Value origins();

  NormalizeContext &ctx;
  Value input;
  const Spatial &spatial;
  ArrayRef<int64_t> shape;
  bool columnMajor;
};
} // namespace

/// Elements between neighbours along a spatial dimension, in the order that the
/// indices count in.
int64_t MaxIndices::pitch(int64_t dim) const {
  ArrayRef<int64_t> image = shape.drop_front(2);
  int64_t pitch = 1;
  for (int64_t extent :
       columnMajor ? image.take_front(dim) : image.drop_front(dim + 1))
    pitch *= extent;
  return pitch;
}

/// Where a tap lies from the window's first element.
SmallVector<int64_t> MaxIndices::offsets(int64_t tap) const {
  SmallVector<int64_t> result(spatial.rank());
  for (int64_t dim = spatial.rank() - 1; dim >= 0; --dim) {
    result[dim] = tap % spatial.kernel[dim] * spatial.dilations[dim];
    tap /= spatial.kernel[dim];
  }
  return result;
}

/// The position of each window's first element, to broadcast: `[1, E, 1...]`.
Value MaxIndices::alongDim(int64_t dim) {
  SmallVector<int64_t> extents(shape.size(), 1);
  extents[2 + dim] = spatial.extents[dim];
  Value index = ctx.indices(extents, 2 + dim);
  Value step = ctx.scalarLike(double(spatial.strides[dim]), index);
  return ctx.create<graph::AddOp>(
      ctx.create<graph::MulOp>(index, step),
      ctx.scalarLike(double(firstPosition(dim)), index));
}

/// The input with all that windows reach; what is read there never counts.
Value MaxIndices::pad() {
  SmallVector<int64_t> low(shape.size(), 0), high(shape.size(), 0);
  for (int64_t dim = 0; dim < spatial.rank(); ++dim) {
    int64_t last = (spatial.extents[dim] - 1) * spatial.strides[dim] +
                   firstPosition(dim) + spatial.span(dim);
    low[2 + dim] = spatial.pads[dim];
    high[2 + dim] = std::max<int64_t>(0, last - shape[2 + dim]);
  }
  auto isZero = [](int64_t width) { return width == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return input;
  Value zero = ctx.scalarLike(0.0, input);
  return ctx.create<graph::PadOp>(input, zero, low, high,
                                  graph::PadMode::Constant);
}

Value MaxIndices::slice(Value padded, ArrayRef<int64_t> offset) {
  SmallVector<int64_t> starts(shape.size(), 0), sizes(shape),
      steps(shape.size(), 1);
  for (int64_t dim = 0; dim < spatial.rank(); ++dim) {
    starts[2 + dim] = offset[dim];
    sizes[2 + dim] = spatial.extents[dim];
    steps[2 + dim] = spatial.strides[dim];
  }
  return ctx.create<graph::SliceOp>(padded, starts, sizes, steps);
}

/// Whether a tap lies inside of the input; null where all do.
Value MaxIndices::valid(ArrayRef<int64_t> offset) {
  Value all;
  for (int64_t dim = 0; dim < spatial.rank(); ++dim) {
    int64_t first = firstPosition(dim) + offset[dim];
    int64_t last = first + (spatial.extents[dim] - 1) * spatial.strides[dim];
    int64_t extent = shape[2 + dim];
    if (first >= 0 && last < extent)
      continue;
    Value place = alongDim(dim);
    auto bound = [&](int64_t at) {
      return ctx.scalarLike(double(at - offset[dim]), place);
    };
    Value own = ctx.create<graph::AndOp>(
        ctx.create<graph::GreaterEqualOp>(place, bound(0)),
        ctx.create<graph::LessOp>(place, bound(extent)));
    all = all ? ctx.create<graph::AndOp>(all, own) : own;
  }
  return all;
}

/// The element index of each window's first element.
Value MaxIndices::origins() {
  int64_t image = 1;
  for (int64_t extent : shape.drop_front(2))
    image *= extent;
  SmallVector<int64_t> planes(shape.size(), 1);
  planes[0] = shape[0];
  planes[1] = shape[1];
  Value plane = ctx.reshape(ctx.indices({shape[0] * shape[1]}, 0), planes);
  Value sum =
      ctx.create<graph::MulOp>(plane, ctx.scalarLike(double(image), plane));
  for (int64_t dim = 0; dim < spatial.rank(); ++dim) {
    Value step = ctx.scalarLike(double(pitch(dim)), plane);
    sum = ctx.create<graph::AddOp>(
        sum, ctx.create<graph::MulOp>(alongDim(dim), step));
  }
  return sum;
}

Value MaxIndices::build(Value maxima) {
  Value base = origins(), padded = pad(), displacement;
  int64_t taps = 1;
  for (int64_t extent : spatial.kernel)
    taps *= extent;
  // From the last tap on, so that the first one wins.
  for (int64_t tap = taps - 1; tap >= 0; --tap) {
    SmallVector<int64_t> offset = offsets(tap);
    int64_t distance = 0;
    for (int64_t dim = 0; dim < spatial.rank(); ++dim)
      distance += offset[dim] * pitch(dim);
    Value own = ctx.scalarLike(double(distance), base);
    Value isMaximum = ctx.create<graph::NotOp>(
        ctx.create<graph::LessOp>(slice(padded, offset), maxima));
    if (Value inside = valid(offset))
      isMaximum = ctx.create<graph::AndOp>(isMaximum, inside);
    displacement = ctx.create<graph::SelectOp>(
        isMaximum, own, displacement ? displacement : own);
  }
  return ctx.create<graph::AddOp>(base, displacement);
}

/// What no element is less than.
static double lowest(RankedTensorType type) {
  Type element = type.getElementType();
  if (isa<FloatType>(element))
    return -std::numeric_limits<double>::infinity();
  return element.isUnsignedInteger()
             ? 0.0
             : -std::exp2(element.getIntOrFloatBitWidth() - 1);
}

Lowered normalize::lowerMaxPool(NormalizeContext &ctx, const Node &node) {
  auto pool = readPool(ctx, node);
  if (!pool)
    return failure();
  const Spatial &s = pool->spatial;
  SmallVector<Value> results(node.numResults());
  Value input = padOpen(ctx, s, node.operand(0), lowest(node.type(0)));
  results[0] = ctx.createTyped<graph::MaxPoolOp>(
      pool->type, input, s.kernel, s.strides, s.pads, s.dilations);
  if (!node.resultUsed(1))
    return results;
  if (pool->isOpen())
    return ctx.unsupported("the result 'Indices' needs pads that are known");
  if (!ctx.isStatic(node.operand(0)))
    return failure();
  int64_t taps = 1;
  for (int64_t extent : s.kernel)
    if (llvm::MulOverflow(taps, extent, taps) || taps > mostTaps)
      return ctx.unsupported("the result 'Indices' of a window of more than "
                             "256 elements is not supported");
  results[1] = MaxIndices(ctx, node, s).build(results[0]);
  return results;
}
