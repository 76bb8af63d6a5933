//===- WindowErrorTest.cpp - rounding errors of sums over windows ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles convolutions, transposed ones and average pools, and holds
// each element against f64. Kernels share sums of rows, columns or channels
// between windows in orders of their own, so a term passes as many roundings as
// there are terms, at most.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/TestConvolution.h"

using namespace tenon;
using namespace tenon::test;

//===-- Convolutions ------------------------------------------------------===//

static void checkConvolution(const Convolution &convolution) {
  SCOPED_TRACE(convolution.windows.attributes());
  SCOPED_TRACE(std::to_string(convolution.channels) + " channels");
  for (Values kind : allValues) {
    Floats x = convolution.drawInput(kind), w = convolution.drawWeights(kind);
    std::vector<Exact> exact = convolution.exact(x, w);
    expectWithin(exact, convolution.text(w), x,
                 roundings(double(convolution.terms())));
  }
}

TEST(WindowError, Convolutions) {
  for (int64_t channels : {1, 3, 20, 96})
    checkConvolution({channels, 40, 1, {{12, 12}, {3, 3}}});
}

TEST(WindowError, ConvolutionsOfGroups) {
  checkConvolution({24, 36, 3, {{13, 9}, {3, 3}, 2}});
}

static Convolution depthwise(int64_t channels, const Windows &windows) {
  return {channels, channels, channels, windows};
}

TEST(WindowError, DepthwiseConvolutions) {
  for (int64_t side : {3, 5, 7})
    for (int64_t stride : {1, 2})
      checkConvolution(depthwise(19, {{14, 17}, {side, side}, stride}));
}

/// More than a second-level cache holds.
TEST(WindowError, DepthwiseConvolutionsOfLargeMaps) {
  checkConvolution(depthwise(32, {{112, 112}, {3, 3}, 2}));
}

//===-- Transposed convolutions -------------------------------------------===//

namespace {
struct Transposed {
  int64_t channels, filters, groups;
  int64_t side, stride; ///< of windows

  static constexpr int64_t rows = 7, columns = 11;

  int64_t each() const { return channels / groups; }
  int64_t height() const { return (rows - 1) * stride + side; }
  int64_t width() const { return (columns - 1) * stride + side; }

  /// Of one element.
  int64_t terms() const {
    int64_t windows = (side + stride - 1) / stride;
    return each() * windows * windows;
  }

  std::string text(const Floats &weights) const {
    NamedTensor x = {"x", {1, channels, rows, columns}};
    NamedTensor y = {"y", {1, filters, height(), width()}};
    NamedTensor w = {"w", {channels, filters / groups, side, side}};
    std::string strides = arrayText({stride, stride});
    return program({x}, y,
                   constant(w, weights) +
                       operation(y, "onnx.ConvTranspose", {x, w},
                                 "strides = " + strides + ", group = " +
                                     std::to_string(groups) + " : i64"));
  }

  /// What a channel adds to the map of a filter.
  void addWindows(const float *image, const float *taps, Exact *map) const {
    for (int64_t i = 0; i < rows * columns; ++i)
      for (int64_t t = 0; t < side * side; ++t) {
        int64_t y = i / columns * stride + t / side;
        int64_t x = i % columns * stride + t % side;
        map[y * width() + x].add(double(image[i]) * taps[t]);
      }
  }

  std::vector<Exact> exact(const Floats &x, const Floats &weights) const {
    std::vector<Exact> result(filters * height() * width());
    int64_t own = filters / groups;
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t f = 0; f < own; ++f)
        addWindows(&x[c * rows * columns],
                   &weights[(c * own + f) * side * side],
                   &result[(c / each() * own + f) * height() * width()]);
    return result;
  }
};
} // namespace

/// Lanes are filters or, of few, pixels.
static void checkTransposed(int64_t side, int64_t stride) {
  for (auto [channels, filters, groups] :
       {std::array<int64_t, 3>{24, 40, 1}, {24, 3, 1}, {20, 20, 20}})
    for (Values kind : allValues) {
      SCOPED_TRACE(std::to_string(filters) + " filters");
      Transposed all = {channels, filters, groups, side, stride};
      Floats x = draw(channels * all.rows * all.columns, kind, 5);
      Floats w = draw(channels * filters / groups * side * side, kind, 6);
      std::vector<Exact> exact = all.exact(x, w);
      expectWithin(exact, all.text(w), x, roundings(double(all.terms())));
    }
}

TEST(WindowError, TransposedConvolutionsOfSeparateWindows) {
  checkTransposed(2, 2);
}

TEST(WindowError, TransposedConvolutionsOfOverlappingWindows) {
  checkTransposed(3, 2);
}

//===-- Averages ----------------------------------------------------------===//

/// A sum is multiplied by the inverse of the count, which is rounded, too.
static constexpr double ofMean = 2;

static std::vector<Exact> averages(const Windows &windows, const Floats &x,
                                   int64_t channels, bool countsPadding) {
  std::vector<Exact> result(channels * windows.outputs());
  int64_t taps = product(windows.taps);
  Doubles counts(windows.outputs(), countsPadding ? double(taps) : 0);
  if (!countsPadding)
    windows.forAll([&](int64_t out, int64_t, int64_t) { ++counts[out]; });
  for (int64_t c = 0; c < channels; ++c)
    windows.forAll([&](int64_t out, int64_t in, int64_t) {
      result[c * windows.outputs() + out].add(x[c * windows.inputs() + in] /
                                              counts[out]);
    });
  return result;
}

static void checkAveragePool(const Windows &windows, bool countsPadding) {
  constexpr int64_t channels = 19;
  SCOPED_TRACE(windows.attributes());
  NamedTensor in = {"x", imageShape(channels, windows.map)};
  NamedTensor out = {"y", imageShape(channels, windows.results())};
  std::string text =
      program({in}, out,
              operation(out, "onnx.AveragePool", {in},
                        windows.attributes() + ", count_include_pad = " +
                            (countsPadding ? "1" : "0") + " : i64"));
  for (Values kind : allValues) {
    Floats x = draw(channels * windows.inputs(), kind, 7);
    std::vector<Exact> exact = averages(windows, x, channels, countsPadding);
    expectWithin(exact, text, x,
                 roundings(double(product(windows.taps)) + ofMean));
  }
}

TEST(WindowError, AveragePools) {
  checkAveragePool({{14, 17}, {3, 3}, 1}, false);
  checkAveragePool({{14, 17}, {2, 2}, 2}, false);
  checkAveragePool({{14, 17}, {5, 5}, 2}, false);
  checkAveragePool({{14, 17}, {7, 7}, 1}, true);
}

/// Of maps beside each other lanes are parts. Where channels are beside each
/// other a large map is averaged in eight parts of its own.
static void checkGlobalAverage(bool channelsLast) {
  constexpr int64_t channels = 24, rows = 64, columns = 61, parts = 8;
  constexpr int64_t k = rows * columns;
  NamedTensor in = {"x", {1, channels, rows, columns}};
  NamedTensor out = {"y", {1, channels, 1, 1}};
  if (channelsLast) {
    in.shape = {1, rows, columns, channels};
    out.shape = {1, 1, 1, channels};
  }
  std::string text = program(
      {in}, out,
      operation(out, "graph.reduce_mean", {in},
                "axes = " +
                    arrayText(channelsLast ? llvm::ArrayRef<int64_t>{1, 2}
                                           : llvm::ArrayRef<int64_t>{2, 3}) +
                    ", keep_dims = true"));
  for (Values kind : allValues) {
    Floats x = draw(channels * k, kind, 8);
    std::vector<Exact> exact(channels);
    for (int64_t i = 0; i < channels * k; ++i)
      exact[channelsLast ? i % channels : i / k].add(x[i] / double(k));
    onAllProcessors([&](const CompileOptions &options) {
      CompiledProgram compiled(text, options);
      double n =
          channelsLast ? k / parts + parts : sumRoundings(k, compiled.lanes());
      expectWithin(exact, compiled.run<float>(x), roundings(n + ofMean));
    });
  }
}

TEST(WindowError, GlobalAverages) {
  checkGlobalAverage(false);
  checkGlobalAverage(true);
}
