//===- Convolution.cpp - sliding windows ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what convolutions and their transposes compute. A convolution
// gathers image elements into places, its transpose scatters places into an
// image: one loop serves both.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Convolution.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

bool Window::set(Shape imageShape, Shape placesShape, Shape kernelShape,
                 Shape strides, Shape dilations, Shape pads) {
  size_t rank = imageShape.size();
  if (rank < 1 || rank > 3 || placesShape.size() != rank ||
      kernelShape.size() != rank || strides.size() != rank ||
      dilations.size() != rank || pads.size() != 2 * rank)
    return false;
  size_t first = 3 - rank;
  for (size_t dim = 0; dim < rank; ++dim) {
    image[first + dim] = imageShape[dim];
    places[first + dim] = placesShape[dim];
    kernel[first + dim] = kernelShape[dim];
    stride[first + dim] = strides[dim];
    dilation[first + dim] = dilations[dim];
    begin[first + dim] = pads[dim];
    end[first + dim] = pads[rank + dim];
  }
  return true;
}

SmallVector<int64_t> tenon::interp::channelsLast(int64_t rank) {
  SmallVector<int64_t> order = {0};
  for (int64_t dim = 2; dim < rank; ++dim)
    order.push_back(dim);
  order.push_back(1);
  return order;
}

SmallVector<int64_t> tenon::interp::channelsFirst(int64_t rank) {
  SmallVector<int64_t> order = {0, rank - 1};
  for (int64_t dim = 1; dim + 1 < rank; ++dim)
    order.push_back(dim);
  return order;
}

SmallVector<int64_t> tenon::interp::shapeChannelsFirst(const Tensor &tensor,
                                                       bool isChannelsLast) {
  if (!isChannelsLast || tensor.getRank() < 2)
    return SmallVector<int64_t>(tensor.getShape());
  SmallVector<int64_t> shape;
  for (int64_t dim : channelsFirst(tensor.getRank()))
    shape.push_back(tensor.getShape()[dim]);
  return shape;
}

/// Calls `visit(image offset, places offset, tap)` for each pair of an image
/// row's start and a row of places that meet in a tap of the filter: everything
/// but the last dimension.
template <typename Visit> static void forEachRow(const Window &w, Visit visit) {
  for (int64_t d = 0; d < w.kernel[0]; ++d)
    for (int64_t h = 0; h < w.kernel[1]; ++h)
      for (int64_t z = 0; z < w.places[0]; ++z)
        for (int64_t y = 0; y < w.places[1]; ++y) {
          int64_t depth = w.at(0, z, d), row = w.at(1, y, h);
          if (w.contains(0, depth) && w.contains(1, row))
            visit((depth * w.image[1] + row) * w.image[2],
                  (z * w.places[1] + y) * w.places[2],
                  (d * w.kernel[1] + h) * w.kernel[2]);
        }
}

/// The places [first, last) of the last dimension at which a tap meets the
/// image.
static std::pair<int64_t, int64_t> meetingPlaces(const Window &w, int64_t tap) {
  int64_t first = 0, last = w.places[2];
  while (first < last && !w.contains(2, w.at(2, first, tap)))
    ++first;
  while (last > first && !w.contains(2, w.at(2, last - 1, tap)))
    --last;
  return {first, last};
}

/// Adds one channel's part: places += image * taps, or with `kScatter` image +=
/// places * taps.
template <bool kScatter, typename W, typename Image, typename Places>
static void addChannel(const Window &w, Image *image, Places *places,
                       const W *taps) {
  for (int64_t tap = 0; tap < w.kernel[2]; ++tap) {
    auto [first, last] = meetingPlaces(w, tap);
    int64_t shift = tap * w.dilation[2] - w.begin[2], stride = w.stride[2];
    forEachRow(w, [&, first = first, last = last](
                      int64_t imageRow, int64_t placesRow, int64_t tapRow) {
      W weight = taps[tapRow + tap];
      int64_t start = imageRow + shift;
      for (int64_t x = first; x < last; ++x)
        if constexpr (kScatter)
          image[start + x * stride] += places[placesRow + x] * weight;
        else
          places[placesRow + x] += image[start + x * stride] * weight;
    });
  }
}

template <typename W>
static LogicalResult convolveNumbers(Call &call, const Window &w,
                                     int64_t groups, bool last) {
  auto in = shapeChannelsFirst(call.operands[0], last);
  auto out = shapeChannelsFirst(call.result(), last);
  int64_t channels = in[1] / groups, outputs = out[1] / groups;
  std::vector<W> image = loadImage<W>(call.operands[0], last);
  std::vector<W> filter = loadAll<W>(call.operands[1]);
  std::vector<W> result(call.result().size());
  for (int64_t n = 0; n < out[0]; ++n)
    for (int64_t o = 0; o < out[1]; ++o)
      for (int64_t c = 0; c < channels; ++c)
        addChannel<false, W>(
            w,
            image.data() +
                (n * in[1] + o / outputs * channels + c) * volume(w.image),
            result.data() + (n * out[1] + o) * volume(w.places),
            filter.data() + (o * channels + c) * volume(w.kernel));
  storeImage(call.result(), result, last);
  return success();
}

template <typename W>
static LogicalResult transposeNumbers(Call &call, const Window &w,
                                      int64_t groups, bool last) {
  auto in = shapeChannelsFirst(call.operands[0], last);
  auto out = shapeChannelsFirst(call.result(), last);
  int64_t channels = in[1] / groups, outputs = out[1] / groups;
  std::vector<W> places = loadImage<W>(call.operands[0], last);
  std::vector<W> filter = loadAll<W>(call.operands[1]);
  std::vector<W> result(call.result().size());
  for (int64_t n = 0; n < in[0]; ++n)
    for (int64_t c = 0; c < in[1]; ++c)
      for (int64_t o = 0; o < outputs; ++o)
        addChannel<true, W>(
            w,
            result.data() +
                (n * out[1] + c / channels * outputs + o) * volume(w.image),
            places.data() + (n * in[1] + c) * volume(w.places),
            filter.data() + (c * outputs + o) * volume(w.kernel));
  storeImage(call.result(), result, last);
  return success();
}

/// Whether channels divide into groups as the filter has them: `filterOuter`
/// and `filterInner` are its two first extents.
static bool areGroups(int64_t groups, int64_t outer, int64_t inner,
                      int64_t filterOuter, int64_t filterInner) {
  return groups >= 1 && outer % groups == 0 && inner % groups == 0 &&
         filterOuter == outer && filterInner == inner / groups;
}

LogicalResult tenon::interp::convolve(Call &call) {
  auto op = cast<graph::ConvOp>(call.op);
  bool last = op.getLayout() == graph::Layout::NHWC;
  auto in = shapeChannelsFirst(call.operands[0], last);
  auto out = shapeChannelsFirst(call.result(), last);
  Shape filter = call.operands[1].getShape();
  Window w;
  if (in.size() < 3 || filter.size() != in.size() || out.size() != in.size() ||
      !w.set(Shape(in).drop_front(2), Shape(out).drop_front(2),
             filter.drop_front(2), op.getStrides(), op.getDilations(),
             op.getPads()))
    return call.fail("needs one to three spatial dimensions throughout");
  if (!areGroups(op.getGroup(), out[1], in[1], filter[0], filter[1]))
    return call.fail("has channels that do not divide into its groups");
  if (call.result().size() == 0)
    return success();
  return withAccumulatorOf(call.result().getElementType(), [&](auto kind) {
    return convolveNumbers<decltype(kind)>(call, w, op.getGroup(), last);
  });
}

LogicalResult tenon::interp::convolveTransposed(Call &call) {
  auto op = cast<graph::ConvTransposeOp>(call.op);
  bool last = op.getLayout() == graph::Layout::NHWC;
  auto in = shapeChannelsFirst(call.operands[0], last);
  auto out = shapeChannelsFirst(call.result(), last);
  Shape filter = call.operands[1].getShape();
  Window w;
  if (in.size() < 3 || filter.size() != in.size() || out.size() != in.size() ||
      !w.set(Shape(out).drop_front(2), Shape(in).drop_front(2),
             filter.drop_front(2), op.getStrides(), op.getDilations(),
             op.getPads()))
    return call.fail("needs one to three spatial dimensions throughout");
  if (!areGroups(op.getGroup(), in[1], out[1], filter[0], filter[1]))
    return call.fail("has channels that do not divide into its groups");
  if (call.result().size() == 0)
    return success();
  return withAccumulatorOf(call.result().getElementType(), [&](auto kind) {
    return transposeNumbers<decltype(kind)>(call, w, op.getGroup(), last);
  });
}
