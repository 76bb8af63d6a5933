//===- Images.cpp - windows over open heights and widths ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

Value tenon::fuzz::image(Graph &graph) {
  int64_t rank = graph.random.chance(80) ? 4 : 3;
  auto fits = [&](const Value &value) {
    return value.kind == F32 && value.rank() == rank && value.bound < 100 &&
           isKnown(value.shape) && value.shape[1].constant() &&
           !value.shape[1].is(0);
  };
  if (graph.random.chance(85))
    if (auto found = graph.find(fits))
      return *found;
  for (;;) {
    Shape shape = graph.drawShape(rank);
    shape[1] = graph.random.any<int64_t>({1, 2, 3, 4, 8, 17});
    if (isBelow(shape, mostElements))
      return graph.input(F32, shape);
  }
}

namespace {
/// How windows lie along the spatial dimensions.
struct Windows {
  Ints kernel, strides, dilations, pads;
  bool isCeil = false;
};
} // namespace

static Windows drawWindows(Graph &graph, int64_t dims, bool isPool) {
  Windows windows;
  windows.isCeil = isPool && graph.random.chance(25);
  windows.pads.assign(2 * size_t(dims), 0);
  bool isPadded = graph.random.chance(60);
  for (int64_t i = 0; i < dims; ++i) {
    int64_t kernel = graph.random.any<int64_t>({1, 2, 3, 3, 5});
    windows.kernel.push_back(kernel);
    windows.strides.push_back(graph.random.any<int64_t>({1, 1, 2, 3}));
    windows.dilations.push_back(graph.random.chance(15) ? 2 : 1);
    if (isPadded) {
      windows.pads[i] = graph.random.below((kernel + 1) / 2 + 1) % kernel;
      windows.pads[i + dims] = graph.random.below(kernel);
    }
  }
  return windows;
}

/// The extent along dimension `i`; nothing where no window fits.
static std::optional<Extent> windowsAlong(const Windows &windows, size_t i,
                                          const Extent &extent) {
  int64_t span = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
  int64_t pads = windows.pads[i] + windows.pads[i + windows.kernel.size()];
  if (!extent.isIn(1, 64) || !(extent + Extent(pads)).isIn(span, 1 << 20))
    return std::nullopt;
  int64_t rounding = windows.isCeil ? windows.strides[i] - 1 : 0;
  Extent room = extent + Extent(pads + rounding) + Extent(-span);
  Extent count = room.dividedBy(windows.strides[i]) + Extent(1);
  // A last window that begins behind the data is none: leave such sizes.
  for (unsigned run = 0; run < runCount; ++run)
    if ((count.at()[run] - 1) * windows.strides[i] >=
        extent.at()[run] + windows.pads[i])
      return std::nullopt;
  return count;
}

static std::optional<Shape> windowed(const Value &x, const Windows &windows,
                                     int64_t channels) {
  Shape shape{x.shape[0], channels};
  int64_t taps = 1;
  for (size_t i = 0; i < windows.kernel.size(); ++i) {
    auto extent = windowsAlong(windows, i, x.shape[i + 2]);
    if (!extent)
      return std::nullopt;
    shape.push_back(*extent);
    taps *= windows.kernel[i];
  }
  Shape products = shape;
  products.push_back(*x.shape[1].constant() * taps);
  if (!isBelow(products, mostProducts) || !isBelow(shape, mostElements))
    return std::nullopt;
  return shape;
}

static Attributes attributesOf(const Windows &windows) {
  return {attribute("kernel_shape", windows.kernel),
          attribute("strides", windows.strides),
          attribute("dilations", windows.dilations),
          attribute("pads", windows.pads)};
}

static bool convolve(Graph &graph) {
  Value x = image(graph);
  int64_t in = *x.shape[1].constant(), groups = 1;
  int64_t out = graph.random.any<int64_t>({1, 2, 4, 8, 9, 16});
  if (graph.random.chance(25)) {
    groups = in;
    out = in * graph.random.between(1, 2);
  }
  Windows windows = drawWindows(graph, x.rank() - 2, false);
  auto shape = windowed(x, windows, out);
  if (!shape)
    return false;
  Ints weights{out, in / groups};
  weights.insert(weights.end(), windows.kernel.begin(), windows.kernel.end());
  int64_t terms = in / groups;
  for (int64_t extent : windows.kernel)
    terms *= extent;
  Names operands{x.name, graph.weights(weights, terms).name};
  if (graph.random.chance(60))
    operands.push_back(graph.weights({out}).name);
  Attributes attributes = attributesOf(windows);
  attributes.push_back(attribute("group", groups));
  graph.add("Conv", operands, F32, *shape, x.bound * double(terms) + 1,
            attributes);
  return true;
}

static bool pool(Graph &graph) {
  Value x = image(graph);
  bool isMax = graph.random.chance(50);
  Windows windows = drawWindows(graph, x.rank() - 2, true);
  if (!isMax && graph.opset() < 19)
    std::fill(windows.dilations.begin(), windows.dilations.end(), 1);
  auto shape = windowed(x, windows, *x.shape[1].constant());
  if (!shape)
    return false;
  Attributes attributes = attributesOf(windows);
  attributes.push_back(attribute("ceil_mode", int64_t(windows.isCeil)));
  if (!isMax) {
    if (graph.opset() < 19)
      attributes.erase(attributes.begin() + 2);
    attributes.push_back(attribute("count_include_pad", graph.random.below(2)));
  }
  graph.add(isMax ? "MaxPool" : "AveragePool", {x.name}, F32, *shape, x.bound,
            attributes);
  return true;
}

static bool globalPool(Graph &graph) {
  Value x = image(graph);
  Shape shape{x.shape[0], x.shape[1]};
  for (size_t i = 2; i < x.shape.size(); ++i) {
    if (!x.shape[i].isIn(1, 64))
      return false;
    shape.push_back(1);
  }
  const char *op =
      graph.random.chance(60) ? "GlobalAveragePool" : "GlobalMaxPool";
  graph.add(op, {x.name}, F32, shape, x.bound);
  return true;
}

static bool normalise(Graph &graph) {
  Value x = image(graph);
  int64_t channels = *x.shape[1].constant();
  Value scale = graph.weights({channels}), shift = graph.weights({channels});
  if (graph.random.chance(50)) {
    Value mean = graph.weights({channels});
    std::string spread = graph.helper("Abs", {graph.weights({channels}).name});
    graph.add("BatchNormalization",
              {x.name, scale.name, shift.name, mean.name, spread}, F32, x.shape,
              x.bound * 10 + 10, {attribute("epsilon", 0.1f)});
    return true;
  }
  for (size_t i = 2; i < x.shape.size(); ++i)
    if (!x.shape[i].isIn(1, 64))
      return false;
  graph.add("InstanceNormalization", {x.name, scale.name, shift.name}, F32,
            x.shape, 70, {attribute("epsilon", 1e-2f)});
  return true;
}

/// By scales that are whole, so that it is clear how large the result is.
static bool resize(Graph &graph) {
  Value x = image(graph);
  Shape shape{x.shape[0], x.shape[1]};
  Ints factors{1, 1};
  for (size_t i = 2; i < x.shape.size(); ++i) {
    factors.push_back(graph.random.between(1, 3));
    shape.push_back(x.shape[i] * Extent(factors.back()));
    if (!x.shape[i].isIn(1, 64))
      return false;
  }
  // Of nothing there is nothing to resize.
  if (!isBelow(shape, mostElements) || !x.shape[0].isIn(1, mostElements))
    return false;
  std::string scales = graph.helper("Cast", {graph.integers(factors).name},
                                    {attribute("to", int64_t(F32))});
  bool isLinear = graph.random.chance(50);
  const char *place = graph.random.any<const char *>(
      {"half_pixel", "asymmetric", "align_corners"});
  Attributes attributes{attribute("mode", isLinear ? "linear" : "nearest"),
                        attribute("coordinate_transformation_mode", place)};
  if (!isLinear)
    attributes.push_back(attribute(
        "nearest_mode", graph.random.any<const char *>(
                            {"floor", "round_prefer_floor", "ceil"})));
  graph.add("Resize", {x.name, "", scales}, F32, shape, x.bound, attributes);
  return true;
}

static bool blocks(Graph &graph) {
  Value x = image(graph);
  if (x.rank() != 4)
    return false;
  int64_t channels = *x.shape[1].constant();
  if (channels % 4)
    return false;
  Shape shape{x.shape[0], channels / 4, x.shape[2] * Extent(2),
              x.shape[3] * Extent(2)};
  graph.add("DepthToSpace", {x.name}, F32, shape, x.bound,
            {attribute("blocksize", int64_t(2)),
             attribute("mode", graph.random.chance(50) ? "DCR" : "CRD")});
  return true;
}

Operators tenon::fuzz::imageOperators() {
  return {{6, convolve, 12},  {4, pool, 12}, {2, globalPool, 12},
          {2, normalise, 12}, {2, resize},   {1, blocks, 12}};
}
