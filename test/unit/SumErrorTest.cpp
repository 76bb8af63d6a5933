//===- SumErrorTest.cpp - rounding errors of compiled sums ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles contractions, convolutions, reductions, softmax and layer
// normalisation of many lengths, and holds each element against f64.
//
// With u = 2^-24, a term of a sum of K that is formed in L interleaved parts
// passes at most n = ceil(K / L) + log2(8 L) + 2 roundings: its part, up to
// eight vectors of parts, lanes; its own product, where that is rounded; the
// remainder of the last vector. So the error is at
// most n u times the sum of the terms' magnitudes (Higham, "Accuracy and
// Stability of Numerical Algorithms", section 4.2), and hardly ever above
// 3 sqrt(n) u times it (Higham, Mary, "A New Approach to Probabilistic Rounding
// Error Analysis", 2019). Both are asked for: inputs are fixed, so the second
// fails by chance never or always.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/CompiledTestProgram.h"
#include "test/unit/TestProcessors.h"

#include <cmath>
#include <random>

using namespace tenon;
using namespace tenon::test;

namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

constexpr double unit = 0x1p-24;
constexpr int64_t lengths[] = {1, 3, 16, 33, 257, 1000, 5000};

enum class Values {
  Normal,  ///< of both signs and one magnitude
  Varied,  ///< of both signs, over six orders of magnitude
  Positive ///< where partial sums grow the most
};
/// What hides least.
constexpr Values allValues[] = {Values::Varied, Values::Positive};

Floats draw(int64_t count, Values kind, unsigned seed) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-10, 10), positive(0.5, 1);
  Floats values(count);
  for (float &x : values) {
    double number = normal(rng), scale = std::exp2(exponent(rng));
    x = float(kind == Values::Positive ? positive(rng)
              : kind == Values::Varied ? number * scale
                                       : number);
  }
  return values;
}

/// What an element should be, and the sum of its terms' magnitudes.
struct Exact {
  double value = 0, magnitude = 0;

  void add(double term) {
    value += term;
    magnitude += std::fabs(term);
  }
};

/// The error of n roundings, in relation to the sum of magnitudes.
double roundings(double n) { return unit * std::min(n, 3 * std::sqrt(n)); }

double sumRoundings(int64_t k, int64_t parts) {
  return std::ceil(double(k) / parts) + std::log2(8.0 * parts) + 2;
}

/// All elements are within `relative` of their magnitudes.
void expectWithin(const std::vector<Exact> &exact, const Floats &got,
                  double relative) {
  ASSERT_EQ(exact.size(), got.size());
  double worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    // What underflows may be lost.
    double allowed = exact[i].magnitude * relative + 0x1p-149;
    double ratio = std::fabs(got[i] - exact[i].value) / allowed;
    if (!(ratio <= worst)) {
      worst = std::isnan(ratio) ? INFINITY : ratio;
      at = i;
    }
  }
  EXPECT_LE(worst, 1) << "element " << at << ": " << got[at] << " for "
                      << exact[at].value;
}

/// One function of x; `body` ends in a value %y.
std::string program(llvm::ArrayRef<int64_t> in, llvm::ArrayRef<int64_t> out,
                    const std::string &body) {
  return "func.func @main(%x: " + tensorType(in) +
         " {onnx.name = \"x\"}) -> (" + tensorType(out) +
         " {onnx.name = \"y\"}) {\n" + body + "return %y : " + tensorType(out) +
         "\n}\n";
}

std::string constant(const std::string &name, const Floats &values,
                     llvm::ArrayRef<int64_t> shape) {
  return "%" + name +
         " = \"onnx.Constant\"() {value = " + denseText(values, shape) +
         "} : () -> " + tensorType(shape) + "\n";
}

CompileOptions optionsFor(const std::string &cpu) {
  CompileOptions options;
  options.cpu = cpu;
  options.jobs = 1;
  options.winograd = tile::WinogradUse::Off;
  return options;
}

template <typename Case> void onAllProcessors(Case &&one) {
  for (const std::string &cpu : processors()) {
    SCOPED_TRACE(cpu);
    one(optionsFor(cpu));
  }
}

} // namespace

//===-- Contractions ------------------------------------------------------===//

/// [rows, k] times [k, columns].
static std::vector<Exact> product(const Floats &x, const Floats &w,
                                  int64_t rows, int64_t k, int64_t columns) {
  std::vector<Exact> result(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < columns; ++j)
        result[i * columns + j].add(double(x[i * k + p]) * w[p * columns + j]);
  return result;
}

/// One column is computed with lanes along k, several with few sums each.
static void checkProduct(const CompileOptions &options, Values kind, int64_t k,
                         int64_t columns) {
  SCOPED_TRACE("k = " + std::to_string(k));
  constexpr int64_t rows = 5;
  Floats x = draw(rows * k, kind, 1), w = draw(k * columns, kind, 2);
  CompiledProgram compiled(program({rows, k}, {rows, columns},
                                   constant("w", w, {k, columns}) +
                                       "%y = \"onnx.MatMul\"(%x, %w) : (" +
                                       tensorType({rows, k}) + ", " +
                                       tensorType({k, columns}) + ") -> " +
                                       tensorType({rows, columns}) + "\n"),
                           options);
  int64_t parts = columns == 1 ? compiled.lanes() : 1;
  expectWithin(product(x, w, rows, k, columns), compiled.run<float>(x),
               roundings(sumRoundings(k, parts)));
}

TEST(SumError, Products) {
  onAllProcessors([](const CompileOptions &options) {
    for (Values kind : allValues)
      for (int64_t k : lengths)
        checkProduct(options, kind, k, 19);
  });
}

TEST(SumError, Dots) {
  onAllProcessors([](const CompileOptions &options) {
    for (Values kind : allValues)
      for (int64_t k : lengths)
        checkProduct(options, kind, k, 1);
  });
}

//===-- Convolutions ------------------------------------------------------===//

static constexpr int64_t size = 12, filters = 40;

static std::string convolution(int64_t channels, const Floats &w) {
  std::vector<int64_t> in = {1, channels, size, size};
  std::vector<int64_t> out = {1, filters, size, size};
  std::vector<int64_t> taps = {filters, channels, 3, 3};
  return program(
      in, out,
      constant("w", w, taps) +
          "%y = \"onnx.Conv\"(%x, %w) {kernel_shape = array<i64: 3, 3>, pads = "
          "array<i64: 1, 1, 1, 1>} : (" +
          tensorType(in) + ", " + tensorType(taps) + ") -> " + tensorType(out) +
          "\n");
}

/// The products of one filter and one channel.
static void addWindow(const float *image, const float *taps, Exact *result) {
  for (int64_t i = 0; i < size * size; ++i)
    for (int64_t t = 0; t < 9; ++t) {
      int64_t row = i / size + t / 3 - 1, column = i % size + t % 3 - 1;
      if (row >= 0 && row < size && column >= 0 && column < size)
        result[i].add(double(image[row * size + column]) * taps[t]);
    }
}

static std::vector<Exact> convolved(const Floats &x, const Floats &w,
                                    int64_t channels) {
  std::vector<Exact> result(filters * size * size);
  for (int64_t f = 0; f < filters; ++f)
    for (int64_t c = 0; c < channels; ++c)
      addWindow(&x[c * size * size], &w[(f * channels + c) * 9],
                &result[f * size * size]);
  return result;
}

TEST(SumError, Convolutions) {
  onAllProcessors([](const CompileOptions &options) {
    for (Values kind : allValues)
      for (int64_t channels : {1, 3, 20, 96}) {
        SCOPED_TRACE(channels);
        Floats x = draw(channels * size * size, kind, 3);
        Floats w = draw(filters * channels * 9, kind, 4);
        CompiledProgram compiled(convolution(channels, w), options);
        expectWithin(convolved(x, w, channels), compiled.run<float>(x),
                     roundings(sumRoundings(9 * channels, 1)));
      }
  });
}

static double rootMeanSquare(const std::vector<Exact> &exact,
                             const Floats &got) {
  double sum = 0;
  for (size_t i = 0; i < got.size(); ++i)
    sum += (got[i] - exact[i].value) * (got[i] - exact[i].value);
  return std::sqrt(sum / double(got.size()));
}

/// The model of the growth is for independent values of one magnitude; the
/// bound on single elements holds with it as well. The slack is for borders,
/// where direct sums are shorter.
static void checkWinograd(CompileOptions options, int64_t channels) {
  constexpr double slack = 2;
  Floats x = draw(channels * size * size, Values::Normal, 5);
  Floats w = draw(filters * channels * 9, Values::Normal, 6);
  std::string text = convolution(channels, w);
  std::vector<Exact> exact = convolved(x, w, channels);
  Floats direct = CompiledProgram(text, options).run<float>(x);
  for (auto use : {tile::WinogradUse::Exact, tile::WinogradUse::Safe}) {
    SCOPED_TRACE(tile::toText(use).str());
    options.winograd = use;
    CompiledProgram compiled(text, options);
    Floats got = compiled.run<float>(x);
    EXPECT_NE(got, direct);
    int64_t m = use == tile::WinogradUse::Exact ? 2 : 4;
    double growth = tile::winogradErrorGrowth(m, 3, 2);
    EXPECT_TRUE(compiled.hasGrowth(growth));
    EXPECT_LE(rootMeanSquare(exact, got),
              slack * growth * rootMeanSquare(exact, direct));
    expectWithin(exact, got,
                 slack * growth * roundings(sumRoundings(9 * channels, 1)));
  }
}

TEST(SumError, Winograd) {
  onAllProcessors([](const CompileOptions &options) {
    for (int64_t channels : {16, 40, 96})
      checkWinograd(options, channels);
  });
}

//===-- Reductions --------------------------------------------------------===//

/// Over the last axis lanes are parts, over the first each column is summed
/// in order.
static void checkReduction(const CompileOptions &options, Values kind,
                           int64_t k, bool isLast, bool isMean) {
  SCOPED_TRACE("k = " + std::to_string(k));
  constexpr int64_t rows = 21;
  std::vector<int64_t> in = {rows, k}, out = {rows, 1};
  if (!isLast) {
    std::swap(in[0], in[1]);
    std::swap(out[0], out[1]);
  }
  Floats x = draw(rows * k, kind, 7);
  CompiledProgram compiled(
      program(in, out,
              std::string("%y = graph.reduce_") + (isMean ? "mean" : "sum") +
                  " %x {axes = array<i64: " + (isLast ? "1" : "0") +
                  ">, keep_dims = true} : (" + tensorType(in) + ") -> " +
                  tensorType(out) + "\n"),
      options);
  std::vector<Exact> exact(rows);
  for (int64_t i = 0; i < rows * k; ++i)
    exact[isLast ? i / k : i % rows].add(x[i] / double(isMean ? k : 1));
  int64_t parts = isLast ? compiled.lanes() : 1;
  expectWithin(exact, compiled.run<float>(x),
               roundings(sumRoundings(k, parts) + 1));
}

TEST(SumError, Sums) {
  onAllProcessors([](const CompileOptions &options) {
    for (Values kind : allValues)
      for (int64_t k : lengths)
        for (bool isLast : {false, true})
          checkReduction(options, kind, k, isLast, false);
  });
}

TEST(SumError, Means) {
  onAllProcessors([](const CompileOptions &options) {
    for (int64_t k : lengths)
      for (bool isLast : {false, true})
        checkReduction(options, Values::Varied, k, isLast, true);
  });
}

//===-- Normalisations ----------------------------------------------------===//

/// An exponential is off by its own units and by the rounding of its argument,
/// which is relative to the distance from the maximum; a result has the errors
/// of its own and of the sum's exponentials.
static void softmaxRow(const float *x, int64_t k, int64_t parts,
                       std::vector<Exact> &result) {
  constexpr double exponential = 4; // units of 2^-24: twice 1.02 ULP, product
  double largest = *std::max_element(x, x + k), sum = 0, weighted = 0;
  for (int64_t i = 0; i < k; ++i) {
    double power = std::exp(x[i] - largest);
    sum += power;
    weighted += power * (largest - x[i]);
  }
  double shared = unit * (weighted / sum + 2 * exponential + 2) +
                  roundings(sumRoundings(k, parts));
  for (int64_t i = 0; i < k; ++i) {
    double value = std::exp(x[i] - largest) / sum;
    result.push_back({value, value * (shared + unit * (largest - x[i]))});
  }
}

TEST(SumError, Softmax) {
  constexpr int64_t rows = 6;
  onAllProcessors([](const CompileOptions &options) {
    for (int64_t k : lengths) {
      SCOPED_TRACE(k);
      Floats x = draw(rows * k, Values::Normal, 8);
      for (float &value : x)
        value *= 6;
      std::string type = tensorType({rows, k});
      CompiledProgram compiled(
          program({rows, k}, {rows, k},
                  "%y = graph.softmax %x {axis = 1 : i64} : (" + type +
                      ") -> " + type + "\n"),
          options);
      std::vector<Exact> exact;
      for (int64_t row = 0; row < rows; ++row)
        softmaxRow(&x[row * k], k, compiled.lanes(), exact);
      expectWithin(exact, compiled.run<float>(x), 1);
    }
  });
}

/// The mean's error moves all deviations; the variance has the deviations'
/// errors twice (in first order they cancel, but for the mean's) and a sum's.
static void normalRow(const float *x, int64_t k, int64_t parts, double epsilon,
                      std::vector<Exact> &result) {
  Exact sum;
  for (int64_t i = 0; i < k; ++i)
    sum.add(x[i] / double(k));
  double variance = 0;
  for (int64_t i = 0; i < k; ++i)
    variance += (x[i] - sum.value) * (x[i] - sum.value) / double(k);
  double deviation = std::sqrt(variance + epsilon);
  double each = roundings(sumRoundings(k, parts) + 1);
  double shift = each * sum.magnitude / deviation;
  for (int64_t i = 0; i < k; ++i) {
    double value = (x[i] - sum.value) / deviation;
    double relative = each / 2 + shift * shift + 8 * unit;
    result.push_back({value, shift + std::fabs(value) * relative});
  }
}

TEST(SumError, LayerNorm) {
  constexpr int64_t rows = 6;
  onAllProcessors([](const CompileOptions &options) {
    for (int64_t k : lengths)
      for (float offset : {0.0f, 3.0f, 100.0f}) {
        SCOPED_TRACE("k = " + std::to_string(k));
        Floats x = draw(rows * k, Values::Normal, 9);
        for (float &value : x)
          value += offset;
        std::string type = tensorType({rows, k}), row = tensorType({k});
        CompiledProgram compiled(
            program({rows, k}, {rows, k},
                    constant("s", Floats(k, 1), {k}) +
                        "%y = graph.layer_norm %x, %s {axis = 1 : i64, epsilon "
                        "= 1.0e-5 : f32} : (" +
                        type + ", " + row + ") -> " + type + "\n"),
            options);
        std::vector<Exact> exact;
        for (int64_t r = 0; r < rows; ++r)
          normalRow(&x[r * k], k, compiled.lanes(), 1e-5f, exact);
        expectWithin(exact, compiled.run<float>(x), 1);
      }
  });
}
