//===- Resize.cpp - interpolation -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what graph.resize computes, element by element, in the words
// of ONNX's Resize: where an element falls in the original tensor, and which
// sampling locations around it weigh how much. Emitters have tables of taps and
// resize one dimension after the other; nothing of that is here.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

namespace {

/// A dimension. The width is what the scale asks for, which may be a fraction;
/// the length is that rounded down.
struct Axis {
  double original, resized; ///< lengths
  double scale;
  double start = 0, end = 1; ///< the region of interest

  double width() const { return scale * original; }
  bool isKept() const {
    return scale == 1 && original == resized && start == 0 && end == 1;
  }
};

/// One resize. A place has an index for each dimension of the result, a point a
/// coordinate for each of the operand.
class Resizer {
public:
  explicit Resizer(Call &call)
      : op(cast<graph::ResizeOp>(call.op)), input(call.operands[0]),
        result(call.result()), steps(stridesOf(input.getShape())) {}

  /// What it cannot do; empty: nothing.
  std::string read();
  void run();

private:
  double original(const Axis &axis, double resized);
  double nearest(double x);
  double kernel(double distance);
  int64_t inside(const Axis &axis, double location) const;
  bool findPoint(int64_t element);
  void copyNearest(int64_t element);
  double average(size_t dim, int64_t offset);
  double neighbours(size_t dim, int64_t offset);

  graph::ResizeOp op;
  const Tensor &input;
  Tensor &result;
  Strides steps;
  SmallVector<Axis> axes;
  std::vector<double> numbers, point;
};

} // namespace

/// Smaller scales, which need so many more locations, are refused.
static constexpr double kLeastScale = 0x1p-18;

std::string Resizer::read() {
  size_t rank = input.getRank();
  ArrayRef<float> scales = op.getScales(), roi = op.getRoi();
  bool isCropped =
      op.getCoordinateMode() == graph::CoordinateMode::TfCropAndResize;
  if (size_t(result.getRank()) != rank || scales.size() != rank ||
      (isCropped && roi.size() != 2 * rank))
    return "needs one scale (and roi) per dimension";
  if (input.size() == 0 && result.size() != 0)
    return "has nothing to interpolate";
  for (size_t dim = 0; dim < rank; ++dim) {
    Axis axis{double(input.getShape()[dim]), double(result.getShape()[dim]),
              scales[dim]};
    // A scale is often an f32 that was a quotient of lengths; 0 stands for one.
    double quotient = axis.resized / axis.original;
    if (scales[dim] == 0 || scales[dim] == float(quotient))
      axis.scale = quotient;
    if (isCropped) {
      axis.start = roi[dim];
      axis.end = roi[dim + rank];
    }
    if (result.size() != 0 && !axis.isKept() && !(axis.scale > kLeastScale))
      return "has a scale that is too small";
    axes.push_back(axis);
  }
  return {};
}

/// `x_original` of ONNX's text, with two exceptions. The test data that are
/// published with it divide by the width where the text says length_resized,
/// with align_corners, and have 0 for a width of 1, which the text would divide
/// by 0.
double Resizer::original(const Axis &axis, double resized) {
  double last = axis.original - 1;
  double halfPixel = (resized + 0.5) / axis.scale - 0.5;
  switch (op.getCoordinateMode()) {
  case graph::CoordinateMode::HalfPixel:
    return halfPixel;
  case graph::CoordinateMode::HalfPixelSymmetric: {
    double adjustment = axis.resized / axis.width();
    double center = axis.original / 2;
    return center * (1 - adjustment) + (resized + 0.5) / axis.scale - 0.5;
  }
  case graph::CoordinateMode::PytorchHalfPixel:
    return axis.resized > 1 ? halfPixel : 0;
  case graph::CoordinateMode::AlignCorners:
    return axis.width() == 1 ? 0 : resized * last / (axis.width() - 1);
  case graph::CoordinateMode::Asymmetric:
    return resized / axis.scale;
  case graph::CoordinateMode::TfCropAndResize:
    break;
  }
  if (axis.resized <= 1)
    return 0.5 * (axis.start + axis.end) * last;
  return axis.start * last +
         resized * (axis.end - axis.start) * last / (axis.resized - 1);
}

/// Rounded half down, half up, down or up.
double Resizer::nearest(double x) {
  double below = std::floor(x), fraction = x - below;
  bool up = false;
  switch (op.getNearestMode()) {
  case graph::NearestMode::RoundPreferFloor:
    up = fraction > 0.5;
    break;
  case graph::NearestMode::RoundPreferCeil:
    up = fraction >= 0.5;
    break;
  case graph::NearestMode::Floor:
    break;
  case graph::NearestMode::Ceil:
    up = fraction > 0;
    break;
  }
  return up ? below + 1 : below;
}

/// The weight of a sampling location. The cubic one is Equation (4) of Keys,
/// "Cubic Convolution Interpolation for Digital Image Processing", 1981.
double Resizer::kernel(double distance) {
  double s = std::fabs(distance);
  if (op.getMode() == graph::ResizeMode::Linear)
    return s < 1 ? 1 - s : 0;
  double a = op.getCubicCoeffA().convertToDouble();
  double square = s * s, cube = square * s;
  if (s <= 1)
    return (a + 2) * cube - (a + 3) * square + 1;
  return s < 2 ? a * cube - 5 * a * square + 8 * a * s - 4 * a : 0;
}

/// Locations outside of the tensor have the value at its border.
int64_t Resizer::inside(const Axis &axis, double location) const {
  return int64_t(std::clamp(location, 0.0, axis.original - 1));
}

/// Where an element falls in the original tensor; false: outside of the image
/// that is cropped.
bool Resizer::findPoint(int64_t element) {
  bool isCropped =
      op.getCoordinateMode() == graph::CoordinateMode::TfCropAndResize;
  for (size_t dim = axes.size(); dim-- > 0;) {
    const Axis &axis = axes[dim];
    int64_t length = result.getShape()[dim];
    auto resized = double(element % length);
    element /= length;
    point[dim] = axis.isKept() ? resized : original(axis, resized);
    if (std::isnan(point[dim]))
      point[dim] = 0;
    if (isCropped && (point[dim] < 0 || point[dim] > axis.original - 1))
      return false;
  }
  return true;
}

/// Elements that are nearest are taken as they are.
void Resizer::copyNearest(int64_t element) {
  int64_t offset = 0, size = *elementSize(input.getElementType());
  for (size_t dim = 0; dim < axes.size(); ++dim)
    offset += inside(axes[dim], nearest(point[dim])) * steps[dim];
  std::memcpy(result.mutableBytes().data() + element * size,
              input.bytes().data() + offset * size, size);
}

/// Of the original at `point`, where the dimensions before `dim` are decided.
double Resizer::average(size_t dim, int64_t offset) {
  if (dim == axes.size())
    return numbers[offset];
  if (axes[dim].isKept())
    return average(dim + 1, offset + int64_t(point[dim]) * steps[dim]);
  return neighbours(dim, offset);
}

/// The weighted average of the locations that a stretched kernel reaches, as
/// many to the left as to the right; one that is met counts to the right.
double Resizer::neighbours(size_t dim, int64_t offset) {
  const Axis &axis = axes[dim];
  double x = point[dim];
  double stretch = op.getAntialias() ? std::max(1.0, 1 / axis.scale) : 1;
  double reach = op.getMode() == graph::ResizeMode::Cubic ? 2 : 1;
  double half = std::ceil(reach * stretch), sum = 0, weights = 0;
  for (double i = std::ceil(x) - half; i < std::ceil(x) + half; ++i) {
    int64_t index = inside(axis, i);
    if (op.getExcludeOutside() && double(index) != i)
      continue;
    double weight = kernel((i - x) / stretch);
    sum += weight * average(dim + 1, offset + index * steps[dim]);
    weights += weight;
  }
  bool isNormalised = op.getAntialias() || op.getExcludeOutside();
  return isNormalised && weights != 0 ? sum / weights : sum;
}

void Resizer::run() {
  bool isNearest = op.getMode() == graph::ResizeMode::Nearest;
  bool isWhole = !isReal(result.getElementType());
  double outside = op.getExtrapolationValue().convertToDouble();
  point.resize(axes.size());
  if (!isNearest)
    numbers = loadAll<double>(input);
  for (int64_t element = 0; element < int64_t(result.size()); ++element) {
    bool isInside = findPoint(element);
    if (isInside && isNearest) {
      copyNearest(element);
      continue;
    }
    double number = isInside ? average(0, 0) : outside;
    store<double>(result, element, isWhole ? std::nearbyint(number) : number);
  }
}

static LogicalResult resize(Call &call) {
  Resizer resizer(call);
  if (std::string why = resizer.read(); !why.empty())
    return call.fail(why);
  resizer.run();
  return success();
}

static const Entry kEntries[] = {{"graph.resize", resize}};

ArrayRef<Entry> tenon::interp::resizeEntries() { return kEntries; }
