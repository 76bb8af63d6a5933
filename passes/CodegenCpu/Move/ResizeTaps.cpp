//===- ResizeTaps.cpp - what an interpolated element is made of -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Move/ResizeTaps.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
struct Dimension {
  double in, out, scale;
  double roiStart = 0, roiEnd = 1;

  bool isIdentity() const {
    return scale == 1 && in == out && roiStart == 0 && roiEnd == 1;
  }
};
} // namespace

/// Where result element `x` falls in the source.
static double coordinate(graph::CoordinateMode mode, const Dimension &dim,
                         double x) {
  double length = dim.scale * dim.in;
  switch (mode) {
  case graph::CoordinateMode::AlignCorners:
    return length == 1 ? 0 : x * (dim.in - 1) / (length - 1);
  case graph::CoordinateMode::Asymmetric:
    return x / dim.scale;
  case graph::CoordinateMode::TfCropAndResize: {
    double last = dim.in - 1, roi = dim.roiEnd - dim.roiStart;
    return dim.out > 1 ? dim.roiStart * last + x * roi * last / (dim.out - 1)
                       : (dim.roiStart + dim.roiEnd) / 2 * last;
  }
  case graph::CoordinateMode::PytorchHalfPixel:
    return dim.out > 1 ? (x + 0.5) / dim.scale - 0.5 : 0;
  case graph::CoordinateMode::HalfPixelSymmetric:
    return dim.in / 2 * (1 - dim.out / length) + (x + 0.5) / dim.scale - 0.5;
  default:
    return (x + 0.5) / dim.scale - 0.5;
  }
}

static double nearest(graph::NearestMode mode, double x) {
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

static double kernelWeight(bool isCubic, double distance, double a) {
  double x = std::fabs(distance);
  if (!isCubic)
    return std::max(0.0, 1 - x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// Appends the taps of result element `i`; their number is the same for all.
static void addTaps(graph::ResizeOp op, const Dimension &dim, size_t i,
                    ResizeTable &table) {
  double x = coordinate(op.getCoordinateMode(), dim, double(i));
  x = std::isnan(x) ? 0 : std::clamp(x, -4 - dim.in, 2 * dim.in + 4);
  if (!table.outside.empty())
    table.outside[i] = x < 0 || x > dim.in - 1;
  auto inside = [&](double index) {
    return std::clamp<double>(index, 0, dim.in - 1);
  };
  if (op.getMode() == graph::ResizeMode::Nearest) {
    table.indices[i] = inside(nearest(op.getNearestMode(), x));
    table.weights[i] = 1;
    return;
  }
  bool isCubic = op.getMode() == graph::ResizeMode::Cubic;
  double a = op.getCubicCoeffA().convertToDouble();
  double shrink = op.getAntialias() ? std::min(dim.scale, 1.0) : 1.0;
  int64_t start = int64_t(table.taps) / 2 - 1;
  double base = std::ceil(x) - 1, sum = 0;
  for (size_t tap = 0; tap < table.taps; ++tap) {
    double index = base + double(tap) - double(start);
    bool counts = !op.getExcludeOutside() || inside(index) == index;
    double weight = counts ? kernelWeight(isCubic, (index - x) * shrink, a) : 0;
    sum += weight;
    table.indices[tap * table.size + i] = inside(index);
    table.weights[tap * table.size + i] = weight;
  }
  if (!op.getAntialias() && !op.getExcludeOutside())
    return;
  for (size_t tap = 0; tap < table.taps; ++tap)
    table.weights[tap * table.size + i] /= sum == 0 ? 1 : sum;
}

FailureOr<ResizeTable> codegen::makeResizeTable(graph::ResizeOp op,
                                                size_t dim) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  double in = double(input.getDimSize(dim)),
         out = double(result.getDimSize(dim));
  float given = op.getScales()[dim];
  // Scales are rounded to f32; the exact ratio of the extents is meant.
  double scale = given == float(out / in) ? out / in : double(given);
  ResizeTable table;
  Dimension shape{in, out, scale};
  bool isCropped =
      op.getCoordinateMode() == graph::CoordinateMode::TfCropAndResize;
  if (isCropped) {
    shape.roiStart = op.getRoi()[dim];
    shape.roiEnd = op.getRoi()[op.getScales().size() + dim];
  }
  if (shape.isIdentity())
    return table;
  bool isCubic = op.getMode() == graph::ResizeMode::Cubic;
  double shrink = op.getAntialias() ? std::min(scale, 1.0) : 1.0;
  if (!(shrink > 1.0 / 32))
    return op.emitError() << "'graph.resize' shrinks too far";
  int64_t start = int64_t(std::floor((isCubic ? -2 : -1) / shrink)) + 1;
  table.taps =
      op.getMode() == graph::ResizeMode::Nearest ? 1 : size_t(2 - 2 * start);
  table.size = size_t(result.getDimSize(dim));
  table.indices.assign(table.taps * table.size, 0);
  table.weights.assign(table.taps * table.size, 0);
  table.outside.assign(isCropped ? table.size : 0, 0);
  for (size_t i = 0; i < table.size; ++i)
    addTaps(op, shape, i, table);
  if (llvm::all_of(table.outside, [](double flag) { return flag == 0; }))
    table.outside.clear();
  return table;
}

//===-- Repeated taps -----------------------------------------------------===//

/// What the vector at `first` reads, from its first element on; nothing where
/// that is more than a vector or not all there.
static std::optional<RepeatedTaps>
tapsAt(const ResizeTable &table, int64_t first, int64_t input, int64_t lanes) {
  RepeatedTaps found;
  double low = double(input), high = 0;
  for (size_t tap = 0; tap < table.taps; ++tap) {
    RepeatedTaps::Tap next;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      size_t entry = tap * table.size + size_t(first + lane);
      low = std::min(low, table.indices[entry]);
      high = std::max(high, table.indices[entry]);
      next.places.push_back(int64_t(table.indices[entry]));
      next.weights.push_back(
          table.weights.empty() ? 1.0f : float(table.weights[entry]));
    }
    found.taps.push_back(std::move(next));
  }
  found.offset = int64_t(low);
  if (found.offset + lanes > input || int64_t(high) >= found.offset + lanes)
    return std::nullopt;
  for (RepeatedTaps::Tap &tap : found.taps)
    for (int64_t &place : tap.places)
      place -= found.offset;
  return found;
}

static bool areEqual(const RepeatedTaps &x, const RepeatedTaps &y) {
  return llvm::all_of(llvm::zip_equal(x.taps, y.taps), [](auto pair) {
    auto &[one, other] = pair;
    return one.places == other.places && one.weights == other.weights;
  });
}

std::optional<RepeatedTaps>
codegen::repeatedTaps(const ResizeTable &table, int64_t input, int64_t lanes) {
  auto size = int64_t(table.size);
  int64_t factor = input > 0 ? size / input : 0;
  if (table.taps == 0 || !table.outside.empty() || factor < 2 ||
      size != factor * input || lanes % factor != 0)
    return std::nullopt;
  int64_t middle = size / lanes / 2 * lanes;
  auto found = middle + lanes <= size ? tapsAt(table, middle, input, lanes)
                                      : std::nullopt;
  if (!found)
    return std::nullopt;
  auto isAlike = [&](int64_t first) {
    auto other = tapsAt(table, first, input, lanes);
    return other && areEqual(*found, *other) &&
           other->offset - found->offset == (first - middle) / factor;
  };
  found->factor = factor;
  found->begin = found->end = middle;
  while (found->begin >= lanes && isAlike(found->begin - lanes))
    found->begin -= lanes;
  while (found->end + lanes <= size && isAlike(found->end))
    found->end += lanes;
  found->offset -= middle / factor;
  if (found->end - found->begin < size / 2)
    return std::nullopt;
  return found;
}
