//===- SumErrorTest.cpp - rounding errors of compiled sums ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles contractions, reductions, softmax and layer normalisation
// of many lengths, and holds each element against f64.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/ErrorBounds.h"

using namespace tenon;
using namespace tenon::test;

static constexpr int64_t lengths[] = {1, 3, 16, 33, 257, 1000, 5000};

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

static std::string productText(const Floats &w, int64_t rows, int64_t k,
                               int64_t columns) {
  NamedTensor x = {"x", {rows, k}}, y = {"y", {rows, columns}};
  NamedTensor weights = {"w", {k, columns}};
  return program(
      {x}, y, constant(weights, w) + operation(y, "onnx.MatMul", {x, weights}));
}

/// One column is computed with lanes along k, several with few sums each.
static void checkProduct(const CompileOptions &options, Values kind, int64_t k,
                         int64_t columns) {
  SCOPED_TRACE("k = " + std::to_string(k));
  constexpr int64_t rows = 5;
  Floats x = draw(rows * k, kind, 1), w = draw(k * columns, kind, 2);
  CompiledProgram compiled(productText(w, rows, k, columns), options);
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

/// Docs: decision 0011. What three pieces of bf16 leave out of a product is
/// below 2 u of it. A term passes the 17 roundings of a tile of 32 steps, and
/// one for each tile and each of six products of pieces; the pieces of a term
/// are, together, no more than 1.02 times as large.
static void checkBf16x6(Values kind, int64_t k) {
  SCOPED_TRACE("k = " + std::to_string(k));
  constexpr int64_t rows = 130, columns = 160;
  Floats x = draw(rows * k, kind, 1), w = draw(k * columns, kind, 2);
  CompiledProgram compiled(productText(w, rows, k, columns),
                           optionsFor("sapphirerapids"));
  EXPECT_TRUE(compiled.hasKernel("bf16x6_"));
  double n = 6 * std::ceil(double(k) / 32) + 17;
  expectWithin(product(x, w, rows, k, columns), compiled.run<float>(x),
               2 * unit + 1.02 * roundings(n));
}

TEST(SumError, Bf16x6) {
  if (!hasMatrixUnit())
    GTEST_SKIP() << "no matrix unit for bf16";
  for (Values kind : allValues)
    for (int64_t k : {350, 1000, 5000})
      checkBf16x6(kind, k);
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
      program({{"x", in}}, {"y", out},
              operation({"y", out},
                        isMean ? "graph.reduce_mean" : "graph.reduce_sum",
                        {{"x", in}},
                        std::string("axes = array<i64: ") +
                            (isLast ? "1" : "0") + ">, keep_dims = true")),
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
      Floats x = scaled(draw(rows * k, Values::Normal, 8), 6);
      NamedTensor in = {"x", {rows, k}}, out = {"y", {rows, k}};
      CompiledProgram compiled(
          program({in}, out,
                  operation(out, "graph.softmax", {in}, "axis = 1 : i64")),
          options);
      std::vector<Exact> exact;
      for (int64_t row = 0; row < rows; ++row)
        softmaxRow(&x[row * k], k, compiled.lanes(), exact);
      expectWithin(exact, compiled.run<float>(x), 1);
    }
  });
}

static double average(const float *x, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i)
    sum += x[i];
  return sum / double(k);
}

/// The mean's error moves all deviations; the variance has the deviations'
/// errors twice (in first order they cancel, but for the mean's) and a sum's.
/// Sums in one pass are of what differs from a centre, the mean of the first
/// lanes: squares are larger by the centre's own square.
static void normalRow(const float *x, int64_t k, int64_t parts, double epsilon,
                      std::vector<Exact> &result) {
  double mean = average(x, k), center = average(x, std::min(k, parts));
  double variance = 0, magnitude = 0, apart = 0;
  for (int64_t i = 0; i < k; ++i) {
    variance += (x[i] - mean) * (x[i] - mean) / double(k);
    magnitude += std::fabs(x[i]) / double(k);
    apart += std::fabs(x[i] - center) / double(k);
  }
  double deviation = std::sqrt(variance + epsilon);
  double each = roundings(sumRoundings(k, parts) + 1);
  double shift = each * std::max(magnitude, apart) / deviation;
  double drift = (center - mean) / deviation;
  for (int64_t i = 0; i < k; ++i) {
    double value = (x[i] - mean) / deviation;
    double relative = each / 2 * (1 + drift * drift) + shift * shift + 8 * unit;
    result.push_back({value, shift + std::fabs(value) * relative});
  }
}

static void checkLayerNorm(const CompileOptions &options, int64_t k,
                           float offset, float first) {
  SCOPED_TRACE("k = " + std::to_string(k));
  constexpr int64_t rows = 6;
  Floats x = draw(rows * k, Values::Normal, 9);
  for (float &value : x)
    value += offset;
  for (int64_t r = 0; r < rows; ++r)
    x[r * k] += first;
  NamedTensor in = {"x", {rows, k}}, out = {"y", {rows, k}};
  NamedTensor scale = {"s", {k}};
  CompiledProgram compiled(
      program({in}, out,
              constant(scale, Floats(k, 1)) +
                  operation(out, "graph.layer_norm", {in, scale},
                            "axis = 1 : i64, epsilon = 1.0e-5 : f32")),
      options);
  std::vector<Exact> exact;
  for (int64_t r = 0; r < rows; ++r)
    normalRow(&x[r * k], k, compiled.lanes(), 1e-5f, exact);
  expectWithin(exact, compiled.run<float>(x), 1);
}

TEST(SumError, LayerNorm) {
  onAllProcessors([](const CompileOptions &options) {
    for (int64_t k : lengths)
      for (float offset : {0.0f, 3.0f, 100.0f})
        checkLayerNorm(options, k, offset, 0);
  });
}

/// The worst centre of one pass: an element far from all others.
TEST(SumError, LayerNormFarFirst) {
  onAllProcessors([](const CompileOptions &options) {
    for (int64_t k : {16, 100, 768, 1000, 2048, 4096})
      for (float first : {-10.0f, 1.0e3f, 1.0e6f})
        checkLayerNorm(options, k, 1, first);
  });
}
