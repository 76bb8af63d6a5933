//===- WinogradErrorTest.cpp - rounding errors of Winograd ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles Winograd convolutions and compares them with
// f64 in two ways. For values of one magnitude errors are as many times those
// of plain sums as the compiler's report states (docs: decision 0007). For all
// values they are within a bound of their own: y = A ((G g) (B d)) sums
// products whose magnitudes are |A| ((|G| |g|) (|B| |d|)), and the terms of
// each transform pass as many roundings as there are points.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/TestConvolution.h"

using namespace tenon;
using namespace tenon::test;
using tile::Matrix;
using tile::WinogradUse;

namespace {
/// A convolution for which the compiler takes F(m, r).
struct Filtered {
  Convolution convolution;
  WinogradUse use;
  int64_t m;

  int64_t taps() const { return convolution.windows.taps.back(); }
  int64_t points() const { return m + taps() - 1; }
  int64_t rank() const { return int64_t(convolution.windows.map.size()); }
  double growth() const {
    return tile::winogradErrorGrowth(m, taps(), rank(), convolution.channels);
  }
};
} // namespace

static Convolution square(int64_t channels, int64_t filters,
                          std::vector<int64_t> map) {
  return {channels, filters, 1, {std::move(map), {3, 3}}};
}

static Convolution line(int64_t channels, int64_t taps) {
  return {channels, 64, 1, {{500}, {taps}}};
}

static std::vector<Filtered> cases() {
  std::vector<Filtered> result = {
      {square(16, 24, {50, 53}), WinogradUse::Max, 6},
      {square(4, 24, {50, 53}), WinogradUse::Max, 6},
      {square(7, 24, {50, 53}), WinogradUse::Safe, 4},
      {line(64, 5), WinogradUse::Safe, 4},
      {line(64, 7), WinogradUse::Safe, 2}};
  for (int64_t channels : {16, 40, 96}) {
    Convolution small = square(channels, 40, {12, 12});
    result.push_back({small, WinogradUse::Exact, 2});
    result.push_back({small, WinogradUse::Safe, 4});
  }
  return result;
}

static std::string nameOf(const Filtered &one) {
  return "F(" + std::to_string(one.m) + ", " + std::to_string(one.taps()) +
         ") of " + std::to_string(one.convolution.channels) + " channels";
}

//===-- Growth ------------------------------------------------------------===//

static double rootMeanSquare(llvm::ArrayRef<Exact> exact, const Floats &got) {
  double sum = 0;
  for (size_t i = 0; i < got.size(); ++i)
    sum += (got[i] - exact[i].value) * (got[i] - exact[i].value);
  return std::sqrt(sum / double(got.size()));
}

/// The slack is for borders, where plain sums are shorter, and for the model.
static void checkGrowth(const Filtered &one) {
  constexpr double slack = 1.25;
  const Convolution &convolution = one.convolution;
  Floats x = convolution.drawInput(Values::Normal);
  Floats w = convolution.drawWeights(Values::Normal);
  std::vector<Exact> exact = convolution.exact(x, w);
  double plain = rootMeanSquare(exact, convolution.plain(x, w));
  double n = sumRoundings(convolution.terms(), 1);
  std::string text = convolution.text(w);
  onAllProcessors([&](CompileOptions options) {
    options.winograd = one.use;
    CompiledProgram compiled(text, options);
    Floats got = compiled.run<float>(x);
    EXPECT_TRUE(compiled.hasGrowth(one.growth()));
    EXPECT_LE(rootMeanSquare(exact, got), slack * one.growth() * plain);
    expectWithin(exact, got, slack * one.growth() * roundings(n));
  });
}

TEST(WinogradError, IsWhatTheReportStates) {
  for (const Filtered &one : cases()) {
    SCOPED_TRACE(nameOf(one));
    checkGrowth(one);
  }
}

//===-- Magnitudes --------------------------------------------------------===//

static Matrix absolute(Matrix matrix) {
  for (std::vector<double> &row : matrix)
    for (double &x : row)
      x = std::fabs(x);
  return matrix;
}

/// rows * x * transposed(columns), each row by row.
static Doubles transform(const Matrix &rows, const Matrix &columns,
                         const Doubles &x) {
  size_t width = columns.front().size();
  Doubles result;
  for (const std::vector<double> &row : rows)
    for (const std::vector<double> &column : columns) {
      double sum = 0;
      for (size_t k = 0; k < row.size(); ++k)
        for (size_t l = 0; l < width; ++l)
          sum += row[k] * x[k * width + l] * column[l];
      result.push_back(sum);
    }
  return result;
}

namespace {
/// The sums of magnitudes of one convolution, tile by tile.
class Magnitudes {
public:
  Magnitudes(const Filtered &one, const Floats &x, const Floats &w)
      : one(one), windows(one.convolution.windows), map(windows.map), x(x) {
    tile::WinogradMatrices matrices = tile::winogradMatrices(one.m, one.taps());
    inputs = absolute(matrices.inputs);
    outputs = absolute(matrices.outputs);
    transformFilters(absolute(matrices.filters), w);
  }

  void addTo(std::vector<Exact> &exact) const {
    for (int64_t row = 0; row < map.rows; row += one.rank() == 1 ? 1 : one.m)
      for (int64_t column = 0; column < map.columns; column += one.m)
        addTile(row, column, exact);
  }

private:
  static const Matrix &none() {
    static const Matrix identity = {{1}};
    return identity;
  }
  const Matrix &alongRows(const Matrix &matrix) const {
    return one.rank() == 1 ? none() : matrix;
  }

  void transformFilters(const Matrix &matrix, const Floats &w) {
    int64_t taps = product(windows.taps);
    for (size_t i = 0; i < w.size(); i += size_t(taps)) {
      Doubles filter;
      for (int64_t tap = 0; tap < taps; ++tap)
        filter.push_back(std::fabs(w[i + size_t(tap)]));
      filters.push_back(transform(alongRows(matrix), matrix, filter));
    }
  }

  /// What a tile reads of a channel.
  Doubles patch(int64_t channel, int64_t row, int64_t column) const {
    int64_t side = one.points(), height = one.rank() == 1 ? 1 : side;
    Doubles result;
    for (int64_t i = 0; i < height * side; ++i) {
      int64_t y = row + i / side - (one.rank() == 1 ? 0 : one.taps() / 2);
      int64_t x = column + i % side - one.taps() / 2;
      bool exists = y >= 0 && y < map.rows && x >= 0 && x < map.columns;
      int64_t at = (channel * map.rows + y) * map.columns + x;
      result.push_back(exists ? std::fabs(this->x[size_t(at)]) : 0);
    }
    return result;
  }

  void addTile(int64_t row, int64_t column, std::vector<Exact> &exact) const {
    const Convolution &all = one.convolution;
    std::vector<Doubles> points;
    for (int64_t c = 0; c < all.channels; ++c)
      points.push_back(
          transform(alongRows(inputs), inputs, patch(c, row, column)));
    for (int64_t f = 0; f < all.filters; ++f) {
      Doubles sums(points.front().size(), 0);
      for (int64_t c = 0; c < all.channels; ++c)
        for (size_t p = 0; p < sums.size(); ++p)
          sums[p] += points[c][p] * filters[f * all.channels + c][p];
      store(f, row, column, transform(alongRows(outputs), outputs, sums),
            exact);
    }
  }

  void store(int64_t filter, int64_t row, int64_t column, const Doubles &tile,
             std::vector<Exact> &exact) const {
    for (int64_t i = 0; i < int64_t(tile.size()); ++i) {
      int64_t y = row + i / one.m, x = column + i % one.m;
      if (y < map.rows && x < map.columns)
        exact[(filter * map.rows + y) * map.columns + x].magnitude = tile[i];
    }
  }

  const Filtered &one;
  const Windows &windows;
  Plane map;
  const Floats &x;
  Matrix inputs, outputs;
  std::vector<Doubles> filters; ///< [filter][channel]
};
} // namespace

/// Weights are rounded once; inputs and outputs are transformed along each
/// dimension.
static void checkMagnitudes(const Filtered &one) {
  const Convolution &convolution = one.convolution;
  for (Values kind : allValues) {
    Floats x = convolution.drawInput(kind), w = convolution.drawWeights(kind);
    std::vector<Exact> exact = convolution.exact(x, w);
    Magnitudes(one, x, w).addTo(exact);
    std::string text = convolution.text(w);
    auto n = double(1 + 2 * one.rank() * one.points() + convolution.channels);
    onAllProcessors([&](CompileOptions options) {
      options.winograd = one.use;
      CompiledProgram compiled(text, options);
      EXPECT_TRUE(compiled.hasGrowth(one.growth()));
      expectWithin(exact, compiled.run<float>(x), roundings(n));
    });
  }
}

TEST(WinogradError, IsBoundedByMagnitudes) {
  for (const Filtered &one : cases()) {
    SCOPED_TRACE(nameOf(one));
    checkMagnitudes(one);
  }
}
