//===- Window.cpp - pooling and its relatives -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what pooling and local response normalisation compute.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Convolution.h"

#include "dialects/Graph/Graph.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// Calls `visit(position)` for each tap of a window at a place; positions
/// outside of the image are -1, and those outside of the padding are left out.
template <typename Visit>
static void forEachTap(const Window &w, const Window::Extents &place,
                       Visit visit) {
  for (int64_t tap = 0; tap < volume(w.kernel); ++tap) {
    int64_t taps[3] = {tap / (w.kernel[1] * w.kernel[2]),
                       tap / w.kernel[2] % w.kernel[1], tap % w.kernel[2]};
    int64_t position = 0;
    bool isInside = true, isPadded = true;
    for (int dim = 0; dim < 3; ++dim) {
      int64_t at = w.at(dim, place[dim], taps[dim]);
      isInside &= w.contains(dim, at);
      isPadded &= at < w.image[dim] + w.end[dim];
      position = position * w.image[dim] + at;
    }
    if (isPadded)
      visit(isInside ? position : -1);
  }
}

/// Calls `compute(image, place)` for the value of each place of each channel.
template <typename W, typename F>
static void slide(Call &call, const Window &w, bool last, F compute) {
  std::vector<W> image = loadImage<W>(call.operands[0], last);
  std::vector<W> result(call.result().size());
  int64_t places = volume(w.places);
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t at = i % places;
    Window::Extents place = {at / (w.places[1] * w.places[2]),
                             at / w.places[2] % w.places[1], at % w.places[2]};
    result[i] = compute(image.data() + i / places * volume(w.image), place);
  }
  storeImage(call.result(), result, last);
}

template <typename Op>
static LogicalResult setWindow(Call &call, Op op, Window &w) {
  bool last = op.getLayout() == graph::Layout::NHWC;
  auto in = shapeChannelsFirst(call.operands[0], last);
  auto out = shapeChannelsFirst(call.result(), last);
  if (in.size() < 3 || out.size() != in.size() || in[0] != out[0] ||
      in[1] != out[1] ||
      !w.set(Shape(in).drop_front(2), Shape(out).drop_front(2), op.getKernel(),
             op.getStrides(), op.getDilations(), op.getPads()))
    return call.fail("needs one to three spatial dimensions throughout");
  return success();
}

static LogicalResult maxPool(Call &call) {
  auto op = cast<graph::MaxPoolOp>(call.op);
  Window w;
  if (failed(setWindow(call, op, w)))
    return failure();
  Type type = call.result().getElementType();
  withNumbersOf(type, [&](auto kind) {
    using W = decltype(kind);
    bool last = op.getLayout() == graph::Layout::NHWC;
    slide<W>(call, w, last, [&](const W *image, auto place) {
      W best = lowestOf<W>(type);
      forEachTap(w, place, [&](int64_t position) {
        if (position >= 0 && !(image[position] <= best) && best == best)
          best = image[position];
      });
      return best;
    });
  });
  return success();
}

static LogicalResult avgPool(Call &call) {
  auto op = cast<graph::AvgPoolOp>(call.op);
  Window w;
  if (failed(setWindow(call, op, w)))
    return failure();
  withNumbersOf(call.result().getElementType(), [&](auto kind) {
    using W = decltype(kind);
    bool last = op.getLayout() == graph::Layout::NHWC;
    slide<W>(call, w, last, [&](const W *image, auto place) -> W {
      W sum = 0, count = 0;
      forEachTap(w, place, [&](int64_t position) {
        sum += position >= 0 ? image[position] : 0;
        count += position >= 0 || op.getCountIncludePad();
      });
      return std::is_same_v<W, double> || count != 0 ? sum / count : 0;
    });
  });
  return success();
}

static LogicalResult lrn(Call &call) {
  auto op = cast<graph::LrnOp>(call.op);
  bool last = op.getLayout() == graph::Layout::NHWC;
  if (call.operands[0].getRank() < 2 || op.getSize() < 1)
    return call.fail("needs a channel dimension and a positive size");
  auto shape = shapeChannelsFirst(call.operands[0], last);
  int64_t channels = shape[1], inner = product(Shape(shape).drop_front(2));
  int64_t before = (op.getSize() - 1) / 2, after = op.getSize() / 2;
  double alpha = op.getAlpha().convertToDouble() / op.getSize();
  double beta = op.getBeta().convertToDouble();
  double bias = op.getBias().convertToDouble();
  std::vector<double> x = loadImage<double>(call.operands[0], last);
  std::vector<double> result(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t channel = i / inner % channels;
    double sum = 0;
    for (int64_t c = std::max<int64_t>(channel - before, 0),
                 e = std::min(channel + after, channels - 1);
         c <= e; ++c) {
      double other = x[i + (c - channel) * inner];
      sum += other * other;
    }
    result[i] = x[i] / std::pow(bias + alpha * sum, beta);
  }
  storeImage(call.result(), result, last);
  return success();
}

static const Entry kEntries[] = {
    {"graph.max_pool", maxPool},
    {"graph.avg_pool", avgPool},
    {"graph.lrn", lrn},
};

ArrayRef<Entry> tenon::interp::windowEntries() { return kEntries; }
