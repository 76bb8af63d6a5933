//===- Signals.cpp - spectra, and places that data choose -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

static double most(const Extent &extent) {
  return double(*std::max_element(extent.at().begin(), extent.at().end()));
}

/// A new input where the shape has few elements, and those from `first` on are
/// something.
static std::optional<Value> newInput(Graph &graph, const Shape &shape,
                                     size_t first = 0) {
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
  graph.add("DFT", {x->name}, F32, shape, most(length) + 1,
            {attribute("inverse", graph.random.below(2))});
  return true;
}

/// Frames of a known length in a signal of an open one.
static bool stft(Graph &graph) {
  int64_t frame = graph.random.any<int64_t>({4, 5, 8}), step = 3;
  Extent more = graph.drawExtent();
  auto x = newInput(graph, {graph.drawExtent(), more + Extent(frame), 1}, 1);
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
  auto x = newInput(graph,
                    {batch, graph.random.between(1, 5), graph.drawExtent(),
                     graph.drawExtent()},
                    2);
  auto places =
      newInput(graph, {batch, graph.drawExtent(), graph.drawExtent(), 2}, 4);
  if (!x || !places)
    return false;
  graph.add(
      "GridSample", {x->name, places->name}, F32,
      {batch, x->shape[1], places->shape[1], places->shape[2]}, 1,
      {attribute("padding_mode", graph.random.chance(50) ? "zeros" : "border"),
       attribute("align_corners", graph.random.below(2))});
  return true;
}

static bool roiAlign(Graph &graph) {
  auto x = newInput(graph, {graph.drawExtent(), graph.random.between(1, 5),
                            graph.drawExtent(), graph.drawExtent()});
  auto regions = newInput(graph, {graph.drawExtent(), 4}, 2);
  if (!x || !regions)
    return false;
  Value images = graph.indices(I64, {regions->shape[0]}, x->shape[0], false);
  graph.add("RoiAlign", {x->name, regions->name, images.name}, F32,
            {regions->shape[0], x->shape[1], 2, 3}, 1,
            {attribute("output_height", int64_t(2)),
             attribute("output_width", int64_t(3)),
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
  return {{2, dft},      {2, stft},       {3, gridSample},
          {2, roiAlign}, {2, deformConv}, {1, reverseSequence}};
}
