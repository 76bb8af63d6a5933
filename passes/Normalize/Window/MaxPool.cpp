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
        shape(dimsOf(node.type(0))),
        columnMajor(node.flag("storage_order", false)) {}

  Value build(Value maxima);

private:
  bool isOpen(int64_t dim) const { return bool(spatial.open[dim].start); }
  /// Where the first element of the first window lies, and of the last one.
  Attribute firstPosition(int64_t dim) {
    const OpenPadding &open = spatial.open[dim];
    return isOpen(dim) ? graph::affineDim(open.start, 1, -open.margin)
                       : number(-spatial.pads[dim]);
  }
  Attribute lastPosition(int64_t dim) {
    int64_t stride = spatial.strides[dim];
    return graph::addDims(graph::affineDim(spatial.dims[dim], stride, -stride),
                          firstPosition(dim));
  }
  Attribute number(int64_t value) { return sizeDim(input.getContext(), value); }
  Value scalar(Attribute dim) {
    auto type = RankedTensorType::get({}, ctx.builder().getI64Type());
    return ctx.sizes(dim, type);
  }
  Attribute pitch(int64_t dim);
  SmallVector<int64_t> offsets(int64_t tap) const;
  Value alongDim(int64_t dim);
  Value pad();
  Value slice(Value padded, ArrayRef<int64_t> offset);
  Value valid(ArrayRef<int64_t> offset);
  Value origins();
  Value distance(ArrayRef<int64_t> offset);

  NormalizeContext &ctx;
  Value input;
  const Spatial &spatial;
  Dims shape;
  bool columnMajor;
};
} // namespace

/// Elements between neighbours along a spatial dimension, in the order that the
/// indices count in.
Attribute MaxIndices::pitch(int64_t dim) {
  ArrayRef<Attribute> image = ArrayRef<Attribute>(shape).drop_front(2);
  Attribute pitch = number(1);
  for (Attribute extent :
       columnMajor ? image.take_front(dim) : image.drop_front(dim + 1))
    pitch = graph::multiplyDims(pitch, extent);
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
  Dims extents(shape.size(), number(1));
  extents[2 + dim] = spatial.dims[dim];
  Value index = ctx.indices(extents, 2 + dim);
  Value step = ctx.scalarLike(double(spatial.strides[dim]), index);
  return ctx.create<graph::AddOp>(ctx.create<graph::MulOp>(index, step),
                                  scalar(firstPosition(dim)));
}

/// The input with all that windows reach; what is read there never counts. Of
/// an open dimension what none reaches may be cut off.
Value MaxIndices::pad() {
  SmallVector<int64_t> low(shape.size(), 0);
  Dims high(shape.size(), number(0));
  for (int64_t dim = 0; dim < spatial.rank(); ++dim) {
    if (isOpen(dim))
      continue;
    Attribute width = graph::subtractDims(
        graph::affineDim(lastPosition(dim), 1, spatial.span(dim)),
        shape[2 + dim]);
    low[2 + dim] = spatial.pads[dim];
    high[2 + dim] = graph::isSymbolic(width)
                        ? width
                        : number(std::max<int64_t>(0, sizeOf(width)));
  }
  Value around = padOpen(ctx, spatial, input, 0.0);
  auto isZero = [](int64_t width) { return width == 0; };
  if (llvm::all_of(low, isZero) &&
      llvm::all_of(high, [&](Attribute width) { return width == number(0); }))
    return around;
  Value zero = ctx.scalarLike(0.0, input);
  graph::SplitDims highs = graph::splitDims(input.getContext(), high);
  return ctx.create<graph::PadOp>(around, zero, low, highs.numbers,
                                  graph::PadMode::Constant, graph::DimsAttr(),
                                  highs.dims);
}

Value MaxIndices::slice(Value padded, ArrayRef<int64_t> offset) {
  SmallVector<int64_t> steps(shape.size(), 1);
  Dims starts(shape.size(), number(0)), sizes = shape;
  for (int64_t dim = 0; dim < spatial.rank(); ++dim) {
    starts[2 + dim] = number(offset[dim]);
    sizes[2 + dim] = spatial.dims[dim];
    steps[2 + dim] = spatial.strides[dim];
  }
  return ctx.slice(padded, starts, sizes, steps);
}

/// Whether a tap lies inside of the input; null where all do.
Value MaxIndices::valid(ArrayRef<int64_t> offset) {
  Value all;
  for (int64_t dim = 0; dim < spatial.rank(); ++dim) {
    Attribute extent = shape[2 + dim];
    Attribute last = graph::affineDim(lastPosition(dim), 1, offset[dim]);
    Attribute first = graph::affineDim(firstPosition(dim), 1, offset[dim]);
    if (ctx.isAtLeast(first, number(0)) &&
        ctx.isAtLeast(graph::affineDim(extent, 1, -1), last))
      continue;
    Value place = alongDim(dim);
    Value own = ctx.create<graph::AndOp>(
        ctx.create<graph::GreaterEqualOp>(
            place, ctx.scalarLike(double(-offset[dim]), place)),
        ctx.create<graph::LessOp>(
            place, scalar(graph::affineDim(extent, 1, -offset[dim]))));
    all = all ? ctx.create<graph::AndOp>(all, own) : own;
  }
  return all;
}

/// The element index of each window's first element.
Value MaxIndices::origins() {
  Attribute image = number(1);
  for (Attribute extent : ArrayRef<Attribute>(shape).drop_front(2))
    image = graph::multiplyDims(image, extent);
  Dims planes(shape.size(), number(1));
  planes[0] = shape[0];
  planes[1] = shape[1];
  Value plane =
      ctx.reshapeTo(ctx.indices(graph::multiplyDims(shape[0], shape[1]), 0),
                    typeFromDims(planes, ctx.builder().getI64Type()));
  Value sum = ctx.create<graph::MulOp>(plane, scalar(image));
  for (int64_t dim = 0; dim < spatial.rank(); ++dim)
    sum = ctx.create<graph::AddOp>(
        sum, ctx.create<graph::MulOp>(alongDim(dim), scalar(pitch(dim))));
  return sum;
}

/// How far a tap's index is from that of the window's first element.
Value MaxIndices::distance(ArrayRef<int64_t> offset) {
  Attribute distance = number(0);
  for (int64_t dim = 0; dim < spatial.rank(); ++dim)
    distance =
        graph::addDims(distance, graph::affineDim(pitch(dim), offset[dim], 0));
  return scalar(distance);
}

Value MaxIndices::build(Value maxima) {
  Value base = origins(), padded = pad(), displacement;
  int64_t taps = 1;
  for (int64_t extent : spatial.kernel)
    taps *= extent;
  // From the last tap on, so that the first one wins.
  for (int64_t tap = taps - 1; tap >= 0; --tap) {
    SmallVector<int64_t> offset = offsets(tap);
    Value own = distance(offset);
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
  if (!ctx.hasDims(node.operand(0)))
    return failure();
  int64_t taps = 1;
  for (int64_t extent : s.kernel)
    if (llvm::MulOverflow(taps, extent, taps) || taps > mostTaps)
      return ctx.unsupported("the result 'Indices' of a window of more than "
                             "256 elements is not supported");
  results[1] = MaxIndices(ctx, node, s).build(results[0]);
  return results;
}
