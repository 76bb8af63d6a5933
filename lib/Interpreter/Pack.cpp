//===- Pack.cpp - weights in panels ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what graph.pack computes, element by element: from the place
// of an element follows which one of the operand it is, or which point of a
// window of the operand. It shares nothing with what writes artifacts, not even
// the transforms of windows or roundings.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// Product of the extents of some dimensions.
static int64_t extentOf(Shape shape, ArrayRef<int64_t> dims) {
  int64_t extent = 1;
  for (int64_t dim : dims)
    extent *= shape[dim];
  return extent;
}

/// Sets the index of each of `dims` from a number that counts through them, the
/// last one fastest.
static void setIndices(MutableArrayRef<int64_t> indices, Shape shape,
                       ArrayRef<int64_t> dims, int64_t number) {
  for (int64_t dim : llvm::reverse(dims)) {
    indices[dim] = number % shape[dim];
    number /= shape[dim];
  }
}

//===-- Roundings ---------------------------------------------------------===//

/// The nearest number of the format, ties to even.
static double rounded(float number, const llvm::fltSemantics &format) {
  APFloat value(number);
  bool losesInfo;
  value.convert(format, APFloat::rmNearestTiesToEven, &losesInfo);
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// As units for TF32 should get a constant: larger by what they cut off of the
/// other factor, on average.
static double roundedToTf32(float number) {
  constexpr float cutOff = 0.7213f / 2048;
  return rounded(number + number * cutOff, APFloat::FloatTF32());
}

/// Each of three numbers of bf16 takes what those before it left.
static double bf16Piece(float number, int64_t plane) {
  for (; plane > 0; --plane)
    number -= float(rounded(number, APFloat::BFloat()));
  return rounded(number, APFloat::BFloat());
}

//===-- Points of windows -------------------------------------------------===//

/// Those of F(m, r) but for the last one, infinity.
static ArrayRef<double> finitePoints(int64_t count) {
  static constexpr double four[] = {0, 1, -1};
  static constexpr double six[] = {0, 0.625, -0.625, 1.5, -1.5};
  static constexpr double eight[] = {0, 0.5, -0.5, 1, -1, 1.75, -1.75};
  return count == 4   ? ArrayRef(four)
         : count == 6 ? ArrayRef(six)
                      : ArrayRef(eight);
}

/// What tap `tap` of `taps` adds to point `point`: the taps are a polynomial's
/// coefficients, whose value there is divided by the distances to the others;
/// at infinity it is the last coefficient.
static double share(int64_t tap, int64_t taps, int64_t point, int64_t points) {
  ArrayRef<double> finite = finitePoints(points);
  if (point == points - 1)
    return tap == taps - 1;
  double distances = 1;
  for (double other : finite)
    if (other != finite[point])
      distances *= finite[point] - other;
  return std::pow(finite[point], double(tap)) / distances;
}

//===-- Places ------------------------------------------------------------===//

namespace {

/// The windows that the first dimensions of K are, and which one of K's steps
/// stands for what: points first, then windows, then the rest of K.
struct Windows {
  int64_t rank, side, taps, points, along;

  Windows(graph::PackOp op, Shape shape) {
    rank = op.getWindowRank();
    side = shape[op.getKDims().front()];
    taps = op.getWindow() ? op.getWindow() : side;
    points = op.getWinograd() + taps - 1;
    along = (side + taps - 1) / taps;
  }

  int64_t power(int64_t number) const {
    return rank == 1 ? number : number * number;
  }
};

class Packer {
public:
  explicit Packer(Call &call)
      : op(cast<graph::PackOp>(call.op)), input(call.operands[0]),
        result(call.result()), shape(input.getShape()), steps(stridesOf(shape)),
        indices(shape.size()) {}

  LogicalResult run();

private:
  bool find(int64_t place);
  int64_t offset() const;
  float numberAt(int64_t offset) const;
  double pointOf();
  void storeNumber(int64_t place, float number);

  graph::PackOp op;
  const Tensor &input;
  Tensor &result;
  Shape shape;
  Strides steps;
  SmallVector<int64_t> indices; ///< of the element that a place has
  int64_t plane = 0, window = 0, point = 0;
};

} // namespace

/// The step of K that three bf16 planes have at a place: lane t of four takes
/// the steps 4 t to 4 t + 3 of sixteen, which it finds at the places 2 t, 2 t +
/// 1, 2 t + 8 and 2 t + 9.
static int64_t stepAt(int64_t place) {
  int64_t first = place / 16 * 16;
  for (int64_t lane = 0; lane < 4; ++lane)
    for (int64_t i = 0; i < 4; ++i)
      if (first + 2 * lane + i % 2 + 8 * (i / 2) == place)
        return first + 4 * lane + i;
  return place;
}

/// Sets what stands at a place of the result; false: zero, behind the columns
/// of a group.
bool Packer::find(int64_t place) {
  int64_t panel = op.getPanel(), fold = op.getFold(), groups = op.getGroups();
  Shape packed = result.getShape();
  int64_t lane = place % panel, k = place / panel % packed.end()[-2];
  int64_t number = place / (panel * packed.end()[-2]) % packed.end()[-3];
  int64_t batch = place / product(packed.take_back(3));
  int64_t batches = extentOf(shape, op.getBatchDims());
  plane = batch / batches;
  setIndices(indices, shape, op.getBatchDims(), batch % batches);
  int64_t inGroup = packed.end()[-3] / groups;
  int64_t columns = extentOf(shape, op.getNDims()) / groups;
  int64_t column = number % inGroup * panel + lane;
  if (column >= columns * fold)
    return false;
  setIndices(indices, shape, op.getNDims(),
             number / inGroup * columns + column / fold);
  if (size_t(packed.size()) > op.getBatchDims().size() + 3)
    k = stepAt(k);
  ArrayRef<int64_t> dims = op.getKDims();
  if (op.getWinograd()) {
    Windows windows(op, shape);
    dims = dims.drop_front(windows.rank);
    int64_t rest = extentOf(shape, dims), all = windows.power(windows.along);
    point = k / rest / all;
    window = k / rest % all;
    k %= rest;
  }
  setIndices(indices, shape, dims, k * fold + column % fold);
  return true;
}

int64_t Packer::offset() const {
  int64_t sum = 0;
  for (auto [index, step] : llvm::zip_equal(indices, steps))
    sum += index * step;
  return sum;
}

float Packer::numberAt(int64_t offset) const {
  double number;
  load<double>(input, offset, 1, number);
  return float(number);
}

/// Of the window at the indices, whose taps are the operand's last elements.
double Packer::pointOf() {
  Windows w(op, shape);
  ArrayRef<int64_t> dims = op.getKDims().take_front(w.rank);
  int64_t first = offset();
  for (int64_t dim : dims)
    first -= indices[dim] * steps[dim];
  double sum = 0;
  for (int64_t tap = 0; tap < w.power(w.taps); ++tap) {
    double factor = 1;
    int64_t at = first;
    bool isInside = true;
    for (int64_t i = 0; i < w.rank; ++i) {
      auto of = [&](int64_t number, int64_t extent) {
        return w.rank == 2 && i == 0 ? number / extent : number % extent;
      };
      int64_t position = of(window, w.along) * w.taps + of(tap, w.taps);
      factor *= share(of(tap, w.taps), w.taps, of(point, w.points), w.points);
      isInside &= position < w.side;
      at += position * steps[dims[i]];
    }
    if (isInside)
      sum += factor * numberAt(at);
  }
  return sum;
}

void Packer::storeNumber(int64_t place, float number) {
  double value = number;
  if (op.getElement() && op.getElement()->isTF32())
    value = roundedToTf32(number);
  else if (op.getElement() && isa<VectorType>(*op.getElement()))
    value = bf16Piece(number, plane);
  store<double>(result, place, value);
}

LogicalResult Packer::run() {
  int64_t size = *elementSize(result.getElementType());
  char *to = result.mutableBytes().data();
  for (int64_t place = 0; place < result.size(); ++place) {
    if (!find(place))
      std::memset(to + place * size, 0, size);
    else if (op.getWinograd())
      storeNumber(place, float(pointOf()));
    else if (op.getElement())
      storeNumber(place, numberAt(offset()));
    else
      std::memcpy(to + place * size, input.bytes().data() + offset() * size,
                  size);
  }
  return success();
}

static LogicalResult pack(Call &call) { return Packer(call).run(); }

static const Entry kEntries[] = {{"graph.pack", pack}};

ArrayRef<Entry> tenon::interp::packEntries() { return kEntries; }
