//===- Resize.cpp - interpolation -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what graph.resize computes. Interpolation is separable: each
// dimension in turn becomes weighted sums of its elements, the weights given by
// where a result coordinate falls in the operand.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

namespace {

/// One dimension being resized.
struct Axis {
  double in, out; ///< extents
  double scale;
  double roiStart = 0, roiEnd = 1;
};

/// The weighted elements that make one result element.
struct Taps {
  std::vector<std::pair<int64_t, double>> terms;
  bool isOutside = false; ///< tf_crop_and_resize: the extrapolation value
};

/// More weights per element than this are refused.
constexpr int64_t kMaxTaps = int64_t(1) << 20;

} // namespace

/// Scales come rounded to f32; where they are the ratio of the extents, the
/// exact ratio is meant.
static double exactScale(float scale, double in, double out) {
  return scale == static_cast<float>(out / in) ? out / in : scale;
}

/// Where result element `x` falls in the operand.
static double coordinate(graph::CoordinateMode mode, const Axis &axis,
                         double x) {
  double length = axis.scale * axis.in; // of the result, not rounded
  switch (mode) {
  case graph::CoordinateMode::AlignCorners:
    return length == 1 ? 0 : x * (axis.in - 1) / (length - 1);
  case graph::CoordinateMode::Asymmetric:
    return x / axis.scale;
  case graph::CoordinateMode::TfCropAndResize: {
    double span = (axis.roiEnd - axis.roiStart) * (axis.in - 1);
    return axis.roiStart * (axis.in - 1) +
           (length == 1 ? span / 2 : x * span / (length - 1));
  }
  case graph::CoordinateMode::PytorchHalfPixel:
    return length == 1 ? -0.5 : (x + 0.5) / axis.scale - 0.5;
  case graph::CoordinateMode::HalfPixelSymmetric:
    return axis.in / 2 * (1 - axis.out / length) + (x + 0.5) / axis.scale - 0.5;
  case graph::CoordinateMode::HalfPixel:
    break;
  }
  return (x + 0.5) / axis.scale - 0.5;
}

static double roundNearest(graph::NearestMode mode, double x) {
  switch (mode) {
  case graph::NearestMode::RoundPreferFloor:
    return std::ceil(x - 0.5);
  case graph::NearestMode::RoundPreferCeil:
    return std::floor(x + 0.5);
  case graph::NearestMode::Floor:
    return std::floor(x);
  case graph::NearestMode::Ceil:
    break;
  }
  return std::ceil(x);
}

/// The interpolation kernels by distance.
static double triangle(double distance) {
  return std::max(0.0, 1 - std::fabs(distance));
}
static double cubic(double distance, double a) {
  double x = std::fabs(distance);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// Weights of the elements around `x`. Antialiasing widens the kernel when the
/// result is smaller than the operand.
static Taps kernelTaps(graph::ResizeOp op, const Axis &axis, double x) {
  bool isCubic = op.getMode() == graph::ResizeMode::Cubic;
  double a = op.getCubicCoeffA().convertToDouble();
  double shrink = op.getAntialias() ? std::min(axis.scale, 1.0) : 1.0;
  int64_t start = std::floor((isCubic ? -2 : -1) / shrink) + 1;
  // The element left of x has weight tap 0, even when x is an element itself.
  int64_t base = std::ceil(x) - 1, extent = axis.in;
  Taps taps;
  double sum = 0;
  for (int64_t i = start; i < 2 - start; ++i) {
    double distance = (i - (x - base)) * shrink;
    double weight = isCubic ? cubic(distance, a) : triangle(distance);
    bool isInside = base + i >= 0 && base + i < extent;
    if (op.getExcludeOutside() && !isInside)
      continue;
    sum += weight;
    taps.terms.push_back(
        {std::clamp<int64_t>(base + i, 0, extent - 1), weight});
  }
  if (op.getAntialias() || op.getExcludeOutside())
    for (auto &term : taps.terms)
      term.second /= sum == 0 ? 1 : sum;
  return taps;
}

static Taps tapsAt(graph::ResizeOp op, const Axis &axis, int64_t index) {
  double x = coordinate(op.getCoordinateMode(), axis, index);
  // Far outside is as good as just outside: every tap is the border.
  x = std::isnan(x) ? 0 : std::clamp(x, -4 - axis.in, 2 * axis.in + 4);
  Taps taps;
  if (op.getMode() != graph::ResizeMode::Nearest)
    taps = kernelTaps(op, axis, x);
  else
    taps.terms = {{std::clamp<double>(roundNearest(op.getNearestMode(), x), 0,
                                      axis.in - 1),
                   1.0}};
  taps.isOutside =
      op.getCoordinateMode() == graph::CoordinateMode::TfCropAndResize &&
      (x < 0 || x > axis.in - 1);
  return taps;
}

/// Replaces dimension `dim` of `numbers`, of shape `shape`, by the sums.
static void resizeDim(std::vector<double> &numbers,
                      MutableArrayRef<int64_t> shape, size_t dim,
                      ArrayRef<Taps> taps, double outside) {
  int64_t in = shape[dim], out = taps.size();
  int64_t outer = product(shape.take_front(dim));
  int64_t inner = product(shape.drop_front(dim + 1));
  shape[dim] = out;
  std::vector<double> resized(outer * out * inner);
  for (int64_t row = 0; row < outer * out; ++row) {
    const Taps &sums = taps[row % out];
    double *to = resized.data() + row * inner;
    const double *from = numbers.data() + row / out * in * inner;
    if (sums.isOutside)
      std::fill_n(to, inner, outside);
    else
      for (auto [index, weight] : sums.terms)
        for (int64_t i = 0; i < inner; ++i)
          to[i] += weight * from[index * inner + i];
  }
  numbers = std::move(resized);
}

static bool isIdentity(const Axis &axis) {
  return axis.scale == 1 && axis.in == axis.out && axis.roiStart == 0 &&
         axis.roiEnd == 1;
}

static LogicalResult resize(Call &call) {
  auto op = cast<graph::ResizeOp>(call.op);
  const Tensor &input = call.operands[0];
  Tensor &result = call.result();
  size_t rank = input.getRank();
  bool isCropped =
      op.getCoordinateMode() == graph::CoordinateMode::TfCropAndResize;
  if (size_t(result.getRank()) != rank || op.getScales().size() != rank ||
      (isCropped && op.getRoi().size() != 2 * rank))
    return call.fail("needs one scale (and roi) per dimension");
  if (input.size() == 0 && result.size() != 0)
    return call.fail("has nothing to interpolate");
  SmallVector<int64_t> shape(input.getShape());
  std::vector<double> numbers = loadAll<double>(input);
  double outside = op.getExtrapolationValue().convertToDouble();
  for (size_t dim = 0; dim < rank && result.size() != 0; ++dim) {
    Axis axis{double(shape[dim]), double(result.getShape()[dim]), 1};
    axis.scale = exactScale(op.getScales()[dim], axis.in, axis.out);
    if (isCropped) {
      axis.roiStart = op.getRoi()[dim];
      axis.roiEnd = op.getRoi()[rank + dim];
    }
    if (isIdentity(axis))
      continue;
    if (!(axis.scale * kMaxTaps > 4))
      return call.fail("has a scale that is too small");
    std::vector<Taps> taps;
    for (int64_t i = 0; i < result.getShape()[dim]; ++i)
      taps.push_back(tapsAt(op, axis, i));
    resizeDim(numbers, shape, dim, taps, outside);
  }
  if (!isReal(result.getElementType()))
    for (double &number : numbers)
      number = std::nearbyint(number);
  storeAll(result, numbers);
  return success();
}

static const Entry kEntries[] = {{"graph.resize", resize}};

ArrayRef<Entry> tenon::interp::resizeEntries() { return kEntries; }
