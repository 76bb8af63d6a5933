//===- TestConvolution.h - a convolution as text and in f64 -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_TESTCONVOLUTION_H
#define TENON_TEST_UNIT_TESTCONVOLUTION_H

#include "test/unit/ErrorBounds.h"

#include <numeric>

namespace tenon::test {

inline int64_t product(llvm::ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<>());
}

/// "array<i64: 1, 2>"
inline std::string arrayText(llvm::ArrayRef<int64_t> numbers) {
  std::string text = "array<i64: ";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + ">";
}

/// A batch and channels in front of a map.
inline std::vector<int64_t> imageShape(int64_t channels,
                                       llvm::ArrayRef<int64_t> map) {
  std::vector<int64_t> shape = {1, channels};
  shape.insert(shape.end(), map.begin(), map.end());
  return shape;
}

/// Two dimensions; one is a row.
struct Plane {
  int64_t rows, columns;

  explicit Plane(llvm::ArrayRef<int64_t> extents)
      : rows(extents.size() == 1 ? 1 : extents.front()),
        columns(extents.back()) {}
};

/// Where windows of `taps` lie on a map with zeros around it: so many that
/// windows of odd sides have their middles on the map.
struct Windows {
  std::vector<int64_t> map, taps; ///< along one or two dimensions
  int64_t stride = 1;

  int64_t padding(size_t dim) const { return (taps[dim] - 1) / 2; }
  int64_t inputs() const { return product(map); }
  int64_t outputs() const { return product(results()); }

  std::vector<int64_t> results() const {
    std::vector<int64_t> extents;
    for (size_t i = 0; i < map.size(); ++i)
      extents.push_back((map[i] + 2 * padding(i) - taps[i]) / stride + 1);
    return extents;
  }

  std::string attributes() const {
    std::vector<int64_t> pads;
    for (int side = 0; side < 2; ++side)
      for (size_t i = 0; i < taps.size(); ++i)
        pads.push_back(padding(i));
    return "kernel_shape = " + arrayText(taps) + ", pads = " + arrayText(pads) +
           ", strides = " + arrayText(std::vector<int64_t>(map.size(), stride));
  }

  /// Calls `visit(output, input, tap)` for all taps on the map.
  template <typename Visit> void forAll(Visit visit) const {
    Plane in(map), out(results()), window(taps);
    int64_t above = (window.rows - 1) / 2, before = (window.columns - 1) / 2;
    for (int64_t i = 0; i < out.rows * out.columns; ++i)
      for (int64_t t = 0; t < window.rows * window.columns; ++t) {
        int64_t row = i / out.columns * stride + t / window.columns - above;
        int64_t column = i % out.columns * stride + t % window.columns - before;
        if (row >= 0 && row < in.rows && column >= 0 && column < in.columns)
          visit(i, row * in.columns + column, t);
      }
  }
};

struct Convolution {
  int64_t channels = 1, filters = 1, groups = 1;
  Windows windows;

  int64_t each() const { return channels / groups; }
  int64_t terms() const { return each() * product(windows.taps); }

  Floats drawInput(Values kind) const {
    return draw(channels * windows.inputs(), kind, 3);
  }
  Floats drawWeights(Values kind) const {
    return draw(filters * terms(), kind, 4);
  }

  std::string text(const Floats &weights) const {
    NamedTensor x = {"x", imageShape(channels, windows.map)};
    NamedTensor y = {"y", imageShape(filters, windows.results())};
    NamedTensor w = {"w", {filters, each()}};
    w.shape.insert(w.shape.end(), windows.taps.begin(), windows.taps.end());
    return program({x}, y,
                   constant(w, weights) +
                       operation(y, "onnx.Conv", {x, w},
                                 windows.attributes() + ", group = " +
                                     std::to_string(groups) + " : i64"));
  }

  /// Calls `add(result, element, weight)` for all terms of all results.
  template <typename Add>
  void forAll(const Floats &x, const Floats &weights, Add add) const {
    int64_t taps = product(windows.taps);
    for (int64_t f = 0; f < filters; ++f)
      for (int64_t c = 0; c < each(); ++c) {
        int64_t channel = f / (filters / groups) * each() + c;
        const float *image = &x[channel * windows.inputs()];
        const float *filter = &weights[(f * each() + c) * taps];
        windows.forAll([&](int64_t out, int64_t in, int64_t tap) {
          add(f * windows.outputs() + out, image[in], filter[tap]);
        });
      }
  }

  std::vector<Exact> exact(const Floats &x, const Floats &weights) const {
    std::vector<Exact> result(filters * windows.outputs());
    forAll(x, weights, [&](int64_t i, double element, double weight) {
      result[i].add(element * weight);
    });
    return result;
  }

  /// Plain sums of f32.
  Floats plain(const Floats &x, const Floats &weights) const {
    Floats result(filters * windows.outputs());
    forAll(x, weights, [&](int64_t i, float element, float weight) {
      result[i] = std::fma(element, weight, result[i]);
    });
    return result;
  }
};

} // namespace tenon::test

#endif // TENON_TEST_UNIT_TESTCONVOLUTION_H
