//===- Windows.cpp - windows that meet, and what is between images --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

using namespace tenon::fuzz;

/// Whether the dimensions from `first` on are something in all runs.
static bool isFull(const Value &x, size_t first, int64_t least = 1) {
  for (size_t i = first; i < x.shape.size(); ++i)
    if (!x.shape[i].isIn(least, 64))
      return false;
  return true;
}

static bool convTranspose(Graph &graph) {
  Value x = image(graph);
  if (!isFull(x, 2))
    return false;
  int64_t in = *x.shape[1].constant();
  int64_t groups = in % 2 == 0 && graph.random.chance(30) ? 2 : 1;
  int64_t each = graph.random.any<int64_t>({1, 3, 8});
  Shape shape{x.shape[0], each * groups};
  Ints kernel, strides, pads, weights{in, each};
  for (size_t i = 2; i < x.shape.size(); ++i) {
    kernel.push_back(graph.random.between(1, 3));
    strides.push_back(graph.random.between(1, 3));
    int64_t pad = graph.random.below(kernel.back());
    pads.push_back(pad);
    // (extent - 1) * stride + kernel - pad, where the other end has none.
    shape.push_back(x.shape[i] * Extent(strides.back()) +
                    Extent(kernel.back() - strides.back() - pad));
    if (!shape.back().isIn(1, 256))
      return false;
  }
  pads.resize(2 * kernel.size(), 0);
  weights.insert(weights.end(), kernel.begin(), kernel.end());
  if (!isBelow(shape, mostElements))
    return false;
  graph.add("ConvTranspose", {x.name, graph.weights(weights, 9 * in).name}, F32,
            shape, x.bound * 9 * double(in),
            {attribute("kernel_shape", kernel), attribute("strides", strides),
             attribute("pads", pads), attribute("group", groups)});
  return true;
}

/// Groups of several channels.
static bool grouped(Graph &graph) {
  Value x = image(graph);
  int64_t in = *x.shape[1].constant();
  if (in % 4 || !isFull(x, 2))
    return false;
  int64_t each = graph.random.any<int64_t>({2, 3, 8});
  Shape shape = x.shape;
  shape[1] = 2 * each;
  Ints kernel(x.shape.size() - 2, 3), pads(2 * kernel.size(), 1);
  Ints weights{2 * each, in / 2};
  weights.insert(weights.end(), kernel.begin(), kernel.end());
  if (!isBelow(shape, mostElements / 4))
    return false;
  graph.add("Conv", {x.name, graph.weights(weights, 9 * in / 2).name}, F32,
            shape, x.bound * 9 * double(in),
            {attribute("kernel_shape", kernel), attribute("pads", pads),
             attribute("group", int64_t(2))});
  return true;
}

/// Padding that depends on the size of the input.
static bool same(Graph &graph) {
  Value x = image(graph);
  if (!isFull(x, 2))
    return false;
  int64_t in = *x.shape[1].constant(), out = graph.random.between(1, 5);
  int64_t stride = graph.random.between(1, 3);
  Shape shape{x.shape[0], out};
  Ints kernel, strides, weights{out, in};
  for (size_t i = 2; i < x.shape.size(); ++i) {
    kernel.push_back(graph.random.between(1, 4));
    strides.push_back(stride);
    shape.push_back((x.shape[i] + Extent(stride - 1)).dividedBy(stride));
  }
  weights.insert(weights.end(), kernel.begin(), kernel.end());
  graph.add("Conv", {x.name, graph.weights(weights, 9 * in).name}, F32, shape,
            x.bound * 16 * double(in),
            {attribute("kernel_shape", kernel), attribute("strides", strides),
             attribute("auto_pad",
                       graph.random.chance(50) ? "SAME_UPPER" : "SAME_LOWER")});
  return true;
}

static bool lpPool(Graph &graph) {
  Value x = image(graph);
  if (!isFull(x, 2, 2))
    return false;
  Shape shape{x.shape[0], x.shape[1]};
  for (size_t i = 2; i < x.shape.size(); ++i)
    shape.push_back(x.shape[i] + Extent(-1));
  graph.add("LpPool", {x.name}, F32, shape, x.bound * 4,
            {attribute("kernel_shape", Ints(x.shape.size() - 2, 2)),
             attribute("p", graph.random.between(1, 2))});
  return true;
}

static bool lrn(Graph &graph) {
  Value x = image(graph);
  if (x.rank() != 4)
    return false;
  graph.add("LRN", {x.name}, F32, x.shape, x.bound,
            {attribute("size", graph.random.between(1, 5)),
             attribute("alpha", 0.1f)});
  return true;
}

static bool groupNormalise(Graph &graph) {
  Value x = image(graph);
  int64_t channels = *x.shape[1].constant();
  if (graph.opset() < 21 || channels % 2 || !isFull(x, 2))
    return false;
  graph.add(
      "GroupNormalization",
      {x.name, graph.weights({channels}).name, graph.weights({channels}).name},
      F32, x.shape, 70,
      {attribute("num_groups", int64_t(2)), attribute("epsilon", 1e-2f)});
  return true;
}

static bool meanVariance(Graph &graph) {
  Value x = image(graph);
  if (x.rank() != 4 || !isFull(x, 0))
    return false;
  Value y = bounded(graph, x);
  std::string shifted = graph.helper("Add", {y.name, x.name});
  graph.add("LpNormalization",
            {graph.publish(shifted, F32, x.shape, x.bound + 1).name}, F32,
            x.shape, 1,
            {attribute("axis", int64_t(1)),
             attribute("p", graph.random.between(1, 2))});
  return true;
}

/// To sizes that are partly those of the input.
static bool resizeTo(Graph &graph) {
  Value x = image(graph);
  if (x.rank() != 4 || !isFull(x, 0))
    return false;
  Ints sizes{graph.random.between(1, 9), graph.random.between(1, 20)};
  Shape shape{x.shape[0], x.shape[1], sizes[0], sizes[1]};
  if (!isBelow(shape, mostElements))
    return false;
  std::string kept = graph.helper(
      "Shape", {x.name},
      {attribute("start", int64_t(0)), attribute("end", int64_t(2))});
  std::string all = graph.helper("Concat", {kept, graph.integers(sizes).name},
                                 {attribute("axis", int64_t(0))});
  graph.add("Resize", {x.name, "", "", all}, F32, shape, x.bound * 2,
            {attribute("mode", graph.random.chance(70) ? "linear" : "cubic"),
             attribute("antialias", graph.random.below(2))});
  return true;
}

static bool spaceToDepth(Graph &graph) {
  Shape shape = graph.drawShape(4);
  shape[1] = graph.random.between(1, 3);
  shape[2] = shape[2] * Extent(2);
  shape[3] = shape[3] * Extent(2);
  if (!isBelow(shape, mostElements))
    return false;
  Value x = graph.input(F32, shape);
  graph.add("SpaceToDepth", {x.name}, F32,
            {shape[0], shape[1] * Extent(4), shape[2].dividedBy(2),
             shape[3].dividedBy(2)},
            x.bound, {attribute("blocksize", int64_t(2))});
  return true;
}

/// The largest elements, and back to where they were. Indices count in what
/// the windows cover.
static bool unpool(Graph &graph) {
  size_t dims = graph.random.chance(70) ? 2 : 1;
  Shape shape = graph.drawShape(int64_t(dims) + 2);
  for (size_t i = 2; i < shape.size(); ++i)
    shape[i] = shape[i] * Extent(2);
  auto x = newInput(graph, shape, 2);
  if (!x)
    return false;
  Attributes attributes{attribute("kernel_shape", Ints(dims, 2)),
                        attribute("strides", Ints(dims, 2))};
  Names pooled = graph.helpers("MaxPool", {x->name}, 2, attributes);
  if (graph.random.chance(50))
    pooled.push_back(graph.helper("Shape", {x->name}));
  graph.add("MaxUnpool", pooled, F32, shape, x->bound, attributes);
  return true;
}

/// Sums of windows of two by two, which move by one.
static bool unfold(Graph &graph) {
  Extent height = graph.drawExtent(), width = graph.drawExtent();
  int64_t channels = graph.random.between(1, 3);
  Shape image{graph.drawExtent(), channels, height + Extent(1),
              width + Extent(1)};
  if (!isBelow(image, mostElements / 4))
    return false;
  Value like = graph.input(F32, image);
  std::string size = graph.helper("Concat",
                                  {lengthOf(graph, like, 2, true).name,
                                   lengthOf(graph, like, 3, true).name},
                                  {attribute("axis", int64_t(0))});
  Value blocks = graph.input(F32, {image[0], 4 * channels, height * width});
  graph.add("Col2Im", {blocks.name, size, graph.integers({2, 2}).name}, F32,
            image, 4);
  return true;
}

Operators tenon::fuzz::windowOperators() {
  return {{4, convTranspose, 12}, {3, grouped, 12}, {4, same, 12},
          {2, lpPool, 12},        {2, lrn, 12},     {2, groupNormalise},
          {1, meanVariance, 12},  {3, resizeTo},    {1, spaceToDepth, 12},
          {2, unpool, 12},        {2, unfold}};
}
