//===- LongRowErrorTest.cpp - rounding errors of rows out of cache --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles softmax and normalisations of rows that no private cache
// holds, whose statistics take one pass (Loops/Online.h, Loops/Moments.h in
// passes/CodegenCpu), and holds each element against f64: numbers that rise, so
// that each block has a new maximum; masks, infinities and NaN; samples that
// are far from all others.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/ErrorBounds.h"

#include <functional>
#include <limits>

using namespace tenon;
using namespace tenon::test;

/// More than half of any second-level cache, and no whole number of blocks or
/// vectors.
static constexpr int64_t rowLength = (1 << 19) + 4096 + 37;
/// Of a term of a long sum: in a block of 4,096 elements of at least 16 sums,
/// of blocks (what is lost there is kept), and of lanes.
static constexpr double rowRoundings = 256 + 16 + 16;

//===-- Softmax -----------------------------------------------------------===//

static std::string softmaxText(int64_t rows) {
  NamedTensor in = {"x", {rows, rowLength}}, out = {"y", {rows, rowLength}};
  return program({in}, out,
                 operation(out, "graph.softmax", {in}, "axis = 1 : i64"));
}

/// As SumErrorTest has it: an exponential is off by its own units and by the
/// rounding of its argument. Sums of earlier blocks are scaled by one for each
/// later maximum; only those of the last few count.
static std::vector<Bounded> softmaxOf(const Floats &x) {
  constexpr double exponential = 4, scalings = 16;
  double largest = *std::max_element(x.begin(), x.end()), sum = 0, weighted = 0;
  for (float number : x) {
    double power = std::exp(number - largest);
    sum += power;
    weighted += power > 0 ? power * (largest - number) : 0;
  }
  double shared = unit * (weighted / sum + (2 + scalings) * exponential + 2) +
                  roundings(rowRoundings);
  std::vector<Bounded> result;
  for (float number : x) {
    double value = std::exp(number - largest) / sum;
    double relative =
        value > 0 ? shared + unit * (largest - number) : 0; // of -inf: 0
    // What would be subnormal may be 0.
    result.push_back(
        {value, value * relative + std::numeric_limits<float>::min()});
  }
  return result;
}

static void checkSoftmax(const std::function<float(int64_t)> &number) {
  Floats x(rowLength);
  for (int64_t i = 0; i < rowLength; ++i)
    x[i] = number(i);
  std::vector<Bounded> exact = softmaxOf(x);
  onAllProcessors([&](const CompileOptions &options) {
    expectWithin(exact, CompiledProgram(softmaxText(1), options).run<float>(x));
  });
}

TEST(LongRowError, Softmax) {
  Floats normal = draw(rowLength, Values::Normal, 5);
  checkSoftmax([&](int64_t i) { return 6 * normal[i]; });
}

TEST(LongRowError, SoftmaxRises) {
  checkSoftmax([](int64_t i) { return float(20.0 * i / rowLength - 300); });
}

TEST(LongRowError, SoftmaxFalls) {
  checkSoftmax([](int64_t i) { return float(200 - 20.0 * i / rowLength); });
}

/// Whole blocks are masked before the first number comes.
TEST(LongRowError, SoftmaxMasked) {
  checkSoftmax([](int64_t i) {
    bool isMasked = i < 20000 || i % 3 == 0;
    return isMasked ? -INFINITY : float(i % 7);
  });
}

/// A row that is masked, has a NaN or an infinity is NaN, and no other.
TEST(LongRowError, SoftmaxSpoiled) {
  constexpr int64_t rows = 4;
  Floats x(rows * rowLength, 1);
  std::fill_n(x.begin(), rowLength, -INFINITY);
  x[rowLength + 5000] = NAN;
  x[2 * rowLength + rowLength - 1] = INFINITY;
  onAllProcessors([&](const CompileOptions &options) {
    Floats got = CompiledProgram(softmaxText(rows), options).run<float>(x);
    ASSERT_EQ(got.size(), x.size());
    for (int64_t row = 0; row < rows; ++row) {
      auto begin = got.begin() + row * rowLength;
      int64_t spoiled = std::count_if(begin, begin + rowLength,
                                      [](float y) { return std::isnan(y); });
      EXPECT_EQ(spoiled, row < 3 ? rowLength : 0) << "row " << row;
    }
  });
}

//===-- Normalisations ----------------------------------------------------===//

/// A row's results. The sums are of what differs from the mean of samples,
/// which is at most 16 deviations away (Moments.h): so much larger are squares.
static void addNormal(const float *x, int64_t k, double drift,
                      std::vector<Bounded> &result) {
  double mean = 0, variance = 0;
  for (int64_t i = 0; i < k; ++i)
    mean += x[i] / double(k);
  for (int64_t i = 0; i < k; ++i)
    variance += (x[i] - mean) * (x[i] - mean) / double(k);
  double deviation = std::sqrt(variance + 1e-5);
  double each = roundings(rowRoundings);
  // The mean itself is rounded; sums are of differences.
  double shift = each * (1 + drift) + 4 * unit * std::fabs(mean) / deviation;
  for (int64_t i = 0; i < k; ++i) {
    double value = (x[i] - mean) / deviation;
    double relative = each * (1 + drift * drift) + 8 * unit;
    result.push_back({value, shift + std::fabs(value) * relative});
  }
}

static void checkNorm(const std::vector<int64_t> &shape, int64_t axis,
                      const Floats &x, double drift) {
  NamedTensor in = {"x", shape}, out = {"y", shape}, scale = {"s", {}};
  int64_t k = 1;
  for (size_t i = axis; i < shape.size(); ++i) {
    scale.shape.push_back(shape[i]);
    k *= shape[i];
  }
  std::string ones =
      "%s = \"onnx.Constant\"() {value = dense<1.0> : " + scale.type() +
      "} : () -> " + scale.type() + "\n";
  std::string text =
      program({in}, out,
              ones + operation(out, "graph.layer_norm", {in, scale},
                               "axis = " + std::to_string(axis) +
                                   " : i64, epsilon = 1.0e-5 : f32"));
  std::vector<Bounded> exact;
  for (size_t row = 0; row < x.size(); row += k)
    addNormal(&x[row], k, drift, exact);
  onAllProcessors([&](const CompileOptions &options) {
    expectWithin(exact, CompiledProgram(text, options).run<float>(x));
  });
}

TEST(LongRowError, LayerNorm) {
  Floats x = draw(2 * rowLength, Values::Normal, 9);
  for (float &number : x)
    number += 100;
  checkNorm({2, rowLength}, 1, x, 0.1);
}

/// Maps, of which each row is sampled.
TEST(LongRowError, MapNorm) {
  Floats x = draw(2 * 731 * 733, Values::Normal, 4);
  for (float &number : x)
    number = 3 * number - 7;
  checkNorm({2, 731, 733}, 1, x, 0.1);
}

/// The samples are all that is far away.
TEST(LongRowError, LayerNormFarSamples) {
  for (float far : {-10.0f, 1.0e3f, 1.0e6f}) {
    SCOPED_TRACE(far);
    Floats x = draw(rowLength, Values::Normal, 8);
    for (int64_t i = 0; i < rowLength / 256; ++i)
      x[i] += far;
    checkNorm({1, rowLength}, 1, x, 16);
  }
}
