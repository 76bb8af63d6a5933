//===- ResizeLive.cpp - taps that are found in the run --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Move/ResizeLive.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static bool isNearest(graph::ResizeOp op) {
  return op.getMode() == graph::ResizeMode::Nearest;
}

static bool isCubic(graph::ResizeOp op) {
  return op.getMode() == graph::ResizeMode::Cubic;
}

static Num toDouble(KernelBuilder &b, const Size &size) {
  Type f64 = b.builder().getF64Type();
  return Num(b, size.isFixed() ? b.constantOf(f64, double(size.fixed()))
                               : arith::SIToFPOp::create(b.builder(), b.loc(),
                                                         f64, b.index(size)));
}

/// A scale of 0 is what the extents say. Filters that grow as images shrink
/// have as many taps as the scale says, which must be known then.
LiveTaps::LiveTaps(KernelBuilder &b, graph::ResizeOp op, size_t dim,
                   const Size &in, const Size &out)
    : b(b), op(op), in(toDouble(b, in).get()), out(toDouble(b, out).get()) {
  double given = op.getScales()[dim];
  if (op.getAntialias() && given > 0)
    shrink = std::min(given, 1.0);
  scale = given > 0 ? b.constantOf(b.builder().getF64Type(), given)
                    : (Num(b, this->out) / Num(b, this->in)).get();
}

bool LiveTaps::canFind(graph::ResizeOp op) {
  return op.getRoi().empty() && llvm::all_of(op.getScales(), [&](float scale) {
           return !op.getAntialias() || scale > 1.0f / 32;
         });
}

/// Of the first tap, where 0 is the element left of the coordinate.
static int64_t firstTap(graph::ResizeOp op, double shrink) {
  return int64_t(std::floor((isCubic(op) ? -2 : -1) / shrink)) + 1;
}

size_t LiveTaps::count() {
  return isNearest(op) ? 1 : size_t(2 - 2 * firstTap(op, shrink));
}

/// Where result elements fall in the source.
Num LiveTaps::coordinate(Num i) {
  Num size = all(in, i), factor = all(scale, i), length = factor * size;
  Num halves = (i + 0.5) / factor - 0.5;
  Value isOne = equal(length, i.of(1));
  switch (op.getCoordinateMode()) {
  case graph::CoordinateMode::AlignCorners:
    return select(isOne, i.of(0), i * (size - 1.0) / (length - 1.0));
  case graph::CoordinateMode::Asymmetric:
    return i / factor;
  case graph::CoordinateMode::PytorchHalfPixel:
    return select(lessEqual(all(out, i), i.of(1)), i.of(0), halves);
  case graph::CoordinateMode::HalfPixelSymmetric:
    return size / 2.0 * (1.0 - all(out, i) / length) + (i + 0.5) / factor - 0.5;
  default:
    return halves;
  }
}

Num LiveTaps::inside(Num index) {
  return maximum(minimum(index, all(in, index) - 1.0), index.of(0));
}

Num LiveTaps::nearest(Num x) {
  switch (op.getNearestMode()) {
  case graph::NearestMode::RoundPreferFloor:
    return ceil(x - 0.5);
  case graph::NearestMode::RoundPreferCeil:
    return floor(x + 0.5);
  case graph::NearestMode::Floor:
    return floor(x);
  case graph::NearestMode::Ceil:
    break;
  }
  return ceil(x);
}

Num LiveTaps::kernelWeight(Num distance) {
  Num x = abs(distance), zero = x.of(0);
  if (!isCubic(op))
    return maximum(1.0 - x, zero);
  double a = op.getCubicCoeffA().convertToDouble();
  Num near = ((x * (a + 2)) - (a + 3)) * x * x + 1.0;
  Num far = ((x * a - 5 * a) * x + 8 * a) * x - 4 * a;
  return select(lessEqual(x, x.of(1)), near,
                select(less(x, x.of(2)), far, zero));
}

SmallVector<LiveTaps::Tap> LiveTaps::interpolated(Num x) {
  Num base = ceil(x) - 1.0, sum = x.of(0);
  SmallVector<Tap> taps;
  int64_t first = firstTap(op, shrink);
  for (size_t tap = 0; tap < count(); ++tap) {
    Num index = base + double(int64_t(tap) + first);
    Num weight = kernelWeight((index - x) * shrink);
    if (op.getExcludeOutside())
      weight = select(equal(inside(index), index), weight, x.of(0));
    sum = sum + weight;
    taps.push_back({inside(index), weight});
  }
  if (!op.getAntialias() && !op.getExcludeOutside())
    return taps;
  sum = select(equal(sum, x.of(0)), x.of(1), sum);
  for (Tap &tap : taps)
    tap.weight = tap.weight / sum;
  return taps;
}

SmallVector<LiveTaps::Tap> LiveTaps::at(Num i) {
  Num x = coordinate(i);
  if (isNearest(op))
    return {{inside(nearest(x)), x.of(1)}};
  return interpolated(x);
}
