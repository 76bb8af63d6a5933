//===- Signals.cpp - spectra, and places that data choose -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

std::optional<Value> tenon::fuzz::newInput(Graph &graph, const Shape &shape,
                                           size_t first) {
  bool isFull = std::all_of(shape.begin() + std::ptrdiff_t(first), shape.end(),
                            [](const Extent &e) { return e.isIn(1, 256); });
  if (!isFull || !isBelow(shape, mostElements))
    return std::nullopt;
  return graph.input(F32, shape);
}

static bool dft(Graph &graph) {
  Extent length = graph.drawExtent();
  auto x = newInput(graph, {graph.drawExtent(), length, 1}, 1);
  if (!x)
    return false;
  Shape shape = x->shape;
  shape[2] = 2;
  graph.add("DFT", {x->name}, F32, shape, double(length.most()) + 1,
            {attribute("inverse", graph.random.below(2))});
  return true;
}

/// Frames of a known length in a signal of an open one.
static bool stft(Graph &graph) {
  int64_t frame = graph.random.any<int64_t>({4, 5, 8}), step = 3;
  Extent more = graph.drawExtent();
  Shape signal{graph.drawExtent(), more + Extent(frame)};
  if (graph.random.chance(70))
    signal.push_back(1);
  auto x = newInput(graph, signal, 1);
  if (!x)
    return false;
  graph.add("STFT",
            {x->name, graph.integer(step).name, "", graph.integer(frame).name},
            F32,
            {x->shape[0], more.dividedBy(step) + Extent(1), frame / 2 + 1, 2},
            10, {attribute("onesided", int64_t(1))});
  return true;
}

static bool gridSample(Graph &graph) {
  Extent batch = graph.drawExtent();
  bool isYoung = graph.opset() >= 20;
  size_t dims = isYoung && graph.random.chance(25) ? 3 : 2;
  Shape shape{batch, graph.random.between(1, 5)}, grid{batch};
  for (size_t i = 0; i < dims; ++i) {
    shape.push_back(graph.drawExtent());
    grid.push_back(graph.drawExtent());
  }
  Shape sampled{batch, shape[1]};
  sampled.insert(sampled.end(), grid.begin() + 1, grid.end());
  grid.push_back(int64_t(dims));
  auto x = newInput(graph, shape, 2), places = newInput(graph, grid, dims + 2);
  if (!x || !places || !isBelow(sampled, mostElements))
    return false;
  const char *mode = isYoung ? "linear" : "bilinear";
  if (dims == 2 && graph.random.chance(30))
    mode = isYoung ? "cubic" : "bicubic";
  graph.add("GridSample", {x->name, places->name}, F32, sampled, 4,
            {attribute("mode", mode),
             attribute("padding_mode", graph.random.any<const char *>(
                                           {"zeros", "border", "reflection"})),
             attribute("align_corners", graph.random.below(2))});
  return true;
}

/// Where the elements of images of some sizes come from.
static bool affineGrid(Graph &graph) {
  size_t dims = graph.random.chance(70) ? 2 : 3;
  Extent batch = graph.drawExtent();
  Shape image{batch, graph.random.between(1, 3)}, shape{batch};
  for (size_t i = 0; i < dims; ++i) {
    image.push_back(graph.drawExtent());
    shape.push_back(image.back());
  }
  shape.push_back(int64_t(dims));
  auto like = newInput(graph, image, 2);
  if (!like || !isBelow(shape, mostElements))
    return false;
  Value theta = graph.input(F32, {batch, int64_t(dims), int64_t(dims + 1)});
  graph.add("AffineGrid", {theta.name, graph.helper("Shape", {like->name})},
            F32, shape, double(dims + 1),
            {attribute("align_corners", graph.random.below(2))});
  return true;
}

/// A filter bank for spectra as long as a dimension.
static bool melWeights(Graph &graph) {
  Value x = graph.anyFloat(1, 4);
  int64_t axis = graph.drawAxis(x), bands = graph.random.between(1, 6);
  if (!x.shape[axis].isIn(1, 512))
    return false;
  graph.add("MelWeightMatrix",
            {graph.integer(bands).name, lengthOf(graph, x, axis, false).name,
             graph.integer(8192).name, graph.number(0).name,
             graph.number(4000).name},
            F32, {x.shape[axis].dividedBy(2) + Extent(1), bands}, 1);
  return true;
}

static bool roiAlign(Graph &graph) {
  auto x = newInput(graph, {graph.drawExtent(), graph.random.between(1, 5),
                            graph.drawExtent(), graph.drawExtent()});
  auto regions = newInput(graph, {graph.drawExtent(), 4}, 2);
  if (!x || !regions)
    return false;
  Value images = graph.indices(I64, {regions->shape[0]}, x->shape[0], false);
  graph.add(
      "RoiAlign", {x->name, regions->name, images.name}, F32,
      {regions->shape[0], x->shape[1], 2, 3}, 1,
      {attribute("output_height", int64_t(2)),
       attribute("output_width", int64_t(3)),
       attribute("mode", graph.random.chance(60) ? "avg" : "max"),
       attribute("coordinate_transformation_mode",
                 graph.random.chance(50) ? "half_pixel" : "output_half_pixel"),
       attribute("sampling_ratio", graph.random.between(1, 2)),
       attribute("spatial_scale", 3.0f)});
  return true;
}

static bool deformConv(Graph &graph) {
  if (graph.opset() < 19)
    return false;
  Extent batch = graph.drawExtent();
  Extent height = graph.drawExtent(), width = graph.drawExtent();
  int64_t in = graph.random.between(1, 4), out = graph.random.between(1, 4);
  auto x =
      newInput(graph, {batch, in, height + Extent(1), width + Extent(1)}, 2);
  auto offsets = newInput(graph, {batch, 8, height, width}, 1);
  if (!x || !offsets)
    return false;
  graph.add(
      "DeformConv",
      {x->name, graph.weights({out, in, 2, 2}, 4 * in).name, offsets->name},
      F32, {batch, out, height, width}, 4 * double(in),
      {attribute("kernel_shape", Ints{2, 2})});
  return true;
}

static bool reverseSequence(Graph &graph) {
  Value x = graph.anyFloat(2, 4);
  if (!x.shape[0].isIn(1, 4096) || !isKnown(x.shape))
    return false;
  Value lengths = graph.indices(I64, {x.shape[1]}, x.shape[0], false);
  graph.add("ReverseSequence", {x.name, lengths.name}, F32, x.shape, x.bound,
            {attribute("time_axis", int64_t(0)),
             attribute("batch_axis", int64_t(1))});
  return true;
}

Operators tenon::fuzz::signalOperators() {
  return {{2, dft},
          {2, stft},
          {3, gridSample},
          {2, roiAlign},
          {2, deformConv},
          {1, reverseSequence, 12},
          {2, affineGrid, 20},
          {2, melWeights}};
}
