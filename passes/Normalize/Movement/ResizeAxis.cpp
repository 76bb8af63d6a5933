//===- ResizeAxis.cpp - interpolation that the run decides ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Movement/ResizeAxis.h"

#include "passes/Normalize/Extents.h"

using namespace tenon;
using namespace tenon::normalize;
using graph::CoordinateMode;
using graph::NearestMode;
using graph::ResizeMode;

namespace {
class AxisResizer {
public:
  AxisResizer(NormalizeContext &ctx, Value input, const ResizedAxis &axis,
              const ResizeRule &rule)
      : ctx(ctx), input(input), axis(axis), rule(rule),
        real(ctx.builder().getF64Type()), in(sizeOf(axis.in)),
        out(sizeOf(axis.out)),
        scale(axis.scale ? axis.scale : ctx.create<graph::DivOp>(out, in)),
        reach(rule.mode == ResizeMode::Cubic ? 2 : 1) {}

  Value build();

private:
  Value sizeOf(mlir::Attribute dim) {
    auto type = RankedTensorType::get({}, ctx.builder().getI64Type());
    return ctx.cast(ctx.sizes(dim, type), real);
  }
  Value number(double value) { return ctx.scalar(value, real); }
  Value add(Value x, Value y) { return ctx.create<graph::AddOp>(x, y); }
  Value add(Value x, double y) { return add(x, number(y)); }
  Value sub(Value x, Value y) { return ctx.create<graph::SubOp>(x, y); }
  Value mul(Value x, Value y) { return ctx.create<graph::MulOp>(x, y); }
  Value mul(Value x, double y) { return mul(x, number(y)); }
  Value div(Value x, Value y) { return ctx.create<graph::DivOp>(x, y); }
  Value select(Value condition, Value x, Value y) {
    return ctx.create<graph::SelectOp>(condition, x, y);
  }
  Value isAtMost(Value x, Value y) {
    return ctx.create<graph::LessEqualOp>(x, y);
  }

  Value places(mlir::Attribute count);
  Value coordinate(Value place);
  Value cropped(Value place);
  Value rounded(Value x);
  Value clamped(Value index);
  Value isInside(Value index);
  Value kernel(Value distance);
  Value gather(Value index);
  Value alongAxis(Value vector);
  Value nearest(Value x);
  Value fewTaps(Value x);
  Value anyTaps(Value x);
  Value weights(Value x, Value positions, Value shrink);
  Value extrapolated(Value result, Value x);

  NormalizeContext &ctx;
  Value input;
  const ResizedAxis &axis;
  const ResizeRule &rule;
  mlir::Type real;
  Value in, out, scale;
  int64_t reach; ///< of the kernel, in elements
};
} // namespace

//===-- Where results fall ------------------------------------------------===//

/// 0, 1, 2... in f64.
Value AxisResizer::places(mlir::Attribute count) {
  return ctx.cast(ctx.indices(ArrayRef(count), 0), real);
}

/// With tf_crop_and_resize.
Value AxisResizer::cropped(Value place) {
  Value last = add(in, -1.0);
  Value start = axis.start ? axis.start : number(0);
  Value end = axis.end ? axis.end : number(1);
  Value middle = mul(mul(add(start, end), 0.5), last);
  Value step = div(mul(sub(end, start), last), add(out, -1.0));
  Value spread = add(mul(start, last), mul(place, step));
  return select(isAtMost(out, number(1)), middle, spread);
}

/// As ONNX has it, but for a width of 1, which `align_corners` would divide
/// by 0.
Value AxisResizer::coordinate(Value place) {
  Value half = add(div(add(place, 0.5), scale), -0.5);
  Value width = mul(scale, in);
  switch (rule.coordinates) {
  case CoordinateMode::HalfPixel:
    return half;
  case CoordinateMode::HalfPixelSymmetric: {
    Value center = mul(in, 0.5);
    return add(mul(center, sub(number(1), div(out, width))), half);
  }
  case CoordinateMode::PytorchHalfPixel:
    return select(isAtMost(out, number(1)), number(0), half);
  case CoordinateMode::AlignCorners: {
    Value isOne = ctx.create<graph::EqualOp>(width, number(1));
    Value step = div(add(in, -1.0), add(width, -1.0));
    return select(isOne, number(0), mul(place, step));
  }
  case CoordinateMode::Asymmetric:
    return div(place, scale);
  case CoordinateMode::TfCropAndResize:
    break;
  }
  return cropped(place);
}

//===-- Elements ----------------------------------------------------------===//

Value AxisResizer::rounded(Value x) {
  switch (rule.nearest) {
  case NearestMode::RoundPreferFloor:
    return ctx.create<graph::CeilOp>(add(x, -0.5));
  case NearestMode::RoundPreferCeil:
    return ctx.create<graph::FloorOp>(add(x, 0.5));
  case NearestMode::Floor:
    return ctx.create<graph::FloorOp>(x);
  case NearestMode::Ceil:
    break;
  }
  return ctx.create<graph::CeilOp>(x);
}

Value AxisResizer::clamped(Value index) {
  Value low = ctx.create<graph::MaxOp>(index, number(0));
  return ctx.create<graph::MinOp>(low, add(in, -1.0));
}

Value AxisResizer::isInside(Value index) {
  return ctx.create<graph::EqualOp>(clamped(index), index);
}

/// Elements of the input along the axis.
Value AxisResizer::gather(Value index) {
  return ctx.create<graph::GatherOp>(
      input, ctx.cast(index, ctx.builder().getI64Type()), axis.axis);
}

/// A vector as it meets what `gather` returns.
Value AxisResizer::alongAxis(Value vector) {
  if (!vector)
    return {};
  Dims dims(dimsOf(input).size(), sizeDim(input.getContext(), 1));
  dims[axis.axis] = dimsOf(vector).front();
  return ctx.reshapeTo(vector,
                       typeFromDims(dims, mlir::getElementTypeOrSelf(vector)));
}

/// Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981,
/// equation (4), or a tent.
Value AxisResizer::kernel(Value distance) {
  Value x = ctx.create<graph::AbsOp>(distance);
  if (rule.mode == ResizeMode::Linear)
    return ctx.create<graph::MaxOp>(sub(number(1), x), number(0));
  double a = rule.cubicA;
  Value near = add(mul(mul(add(mul(x, a + 2), -(a + 3)), x), x), 1.0);
  Value far = add(mul(add(mul(add(mul(x, a), -5 * a), x), 8 * a), x), -4 * a);
  Value tail = select(ctx.create<graph::LessOp>(x, number(2)), far, number(0));
  return select(isAtMost(x, number(1)), near, tail);
}

Value AxisResizer::nearest(Value x) { return gather(clamped(rounded(x))); }

//===-- Sums of taps ------------------------------------------------------===//

/// Two elements, or four: one sum of gathers.
Value AxisResizer::fewTaps(Value x) {
  Value base = add(ctx.create<graph::CeilOp>(x), -1.0), sum, total;
  for (int64_t tap = 1 - reach; tap <= reach; ++tap) {
    Value index = add(base, double(tap));
    Value weight = kernel(sub(index, x));
    if (rule.excludesOutside)
      weight = select(isInside(index), weight, number(0));
    Value term = mul(gather(clamped(index)), alongAxis(weight));
    sum = sum ? add(sum, term) : term;
    total = total ? add(total, weight) : weight;
  }
  if (!rule.excludesOutside)
    return sum;
  Value isNone = ctx.create<graph::EqualOp>(total, number(0));
  return div(sum, alongAxis(select(isNone, number(1), total)));
}

/// `[out, positions]`, each row adding up to 1.
Value AxisResizer::weights(Value x, Value positions, Value shrink) {
  Value rows = ctx.reshapeTo(
      x, typeFromDims({axis.out, sizeDim(x.getContext(), 1)}, real));
  Value all = kernel(mul(sub(positions, rows), shrink));
  if (rule.excludesOutside)
    all = select(isInside(positions), all, number(0));
  Value total = ctx.create<graph::ReduceSumOp>(all, ArrayRef<int64_t>{1}, true);
  Value isNone = ctx.create<graph::EqualOp>(total, number(0));
  return div(all, select(isNone, number(1), total));
}

/// A filter that grows as images shrink: a product with the matrix of all
/// weights, over the elements and what repeats at the borders.
Value AxisResizer::anyTaps(Value x) {
  Value shrink = ctx.create<graph::MinOp>(scale, number(1));
  Value margin =
      add(ctx.create<graph::CeilOp>(div(number(double(reach)), shrink)), 1.0);
  mlir::Type i64 = ctx.builder().getI64Type();
  auto margins = extents(ctx, ctx.reshape(ctx.cast(margin, i64), {1}));
  if (!x || !margins)
    return {};
  mlir::Attribute wide = margins->front();
  mlir::Attribute count = graph::addDims(axis.in, graph::affineDim(wide, 2, 0));
  Value positions = sub(places(count), sizeOf(wide));
  Value read = gather(clamped(positions));
  Value matrix = weights(x, positions, shrink);
  if (!read || !matrix)
    return {};
  auto rank = int64_t(dimsOf(read).size());
  SmallVector<int64_t> order = range(0, rank);
  std::swap(order[axis.axis], order.back());
  Value last = ctx.transpose(read, order);
  Dims dims = dimsOf(last), rows{sizeDim(read.getContext(), 1), dims.back()};
  for (mlir::Attribute dim : ArrayRef(dims).drop_back())
    rows[0] = graph::multiplyDims(rows[0], dim);
  Value flat = ctx.reshapeTo(last, typeFromDims(rows, real));
  Value product = ctx.create<graph::MatmulOp>(flat, matrix, false, true);
  dims.back() = axis.out;
  return ctx.transpose(ctx.reshapeTo(product, typeFromDims(dims, real)), order);
}

/// Where a crop leaves the image.
Value AxisResizer::extrapolated(Value result, Value x) {
  if (rule.coordinates != CoordinateMode::TfCropAndResize || !result)
    return result;
  Value isBefore = ctx.create<graph::LessOp>(x, number(0));
  Value isBehind = ctx.create<graph::LessOp>(add(in, -1.0), x);
  Value isOutside = alongAxis(ctx.create<graph::OrOp>(isBefore, isBehind));
  return select(isOutside, ctx.scalarLike(rule.extrapolation, result), result);
}

Value AxisResizer::build() {
  Value x = coordinate(places(axis.out));
  if (!x || !input)
    return {};
  Value result = rule.mode == ResizeMode::Nearest ? nearest(x)
                 : rule.antialias                 ? anyTaps(x)
                                                  : fewTaps(x);
  return extrapolated(result, x);
}

Value normalize::resizeAxis(NormalizeContext &ctx, Value input,
                            const ResizedAxis &axis, const ResizeRule &rule) {
  if (!input || !axis.in || !axis.out)
    return {};
  return AxisResizer(ctx, input, axis, rule).build();
}
