//===- EpilogueErrorTest.cpp - rounding errors of fused functions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles f(x w + b) + r as one kernel and holds each element
// against f64. The sum's error passes through f's slope; f adds its own error
// (test/accuracy/README.md), and adding r is rounded.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/ErrorBounds.h"

#include <numbers>

using namespace tenon;
using namespace tenon::test;

namespace {
struct Activation {
  const char *name; ///< ONNX's
  Bounded (*apply)(const Bounded &x);
};

/// x w + b of a product, and the residual.
struct Inputs {
  Floats x, w, b, r;
};
} // namespace

static Bounded relu(const Bounded &x) {
  return applied(std::max(x.value, 0.0), x, 1, 0);
}

/// The slope is steepest at the square root of 2.
static Bounded gelu(const Bounded &x) {
  double value = x.value / 2 * (1 + std::erf(x.value / std::numbers::sqrt2));
  return applied(value, x, 1.129, 1.6, 1);
}

static constexpr int64_t rows = 9, columns = 40;

static std::string fused(const char *activation, const Inputs &in, int64_t k) {
  NamedTensor x = {"x", {rows, k}}, w = {"w", {k, columns}},
              b = {"b", {columns}};
  auto value = [](const char *name) {
    return NamedTensor{name, {rows, columns}};
  };
  NamedTensor product = value("p"), sum = value("s"), f = value("f");
  NamedTensor r = value("r"), y = value("y");
  return program({x, r}, y,
                 constant(w, in.w) + constant(b, in.b) +
                     operation(product, "onnx.MatMul", {x, w}) +
                     operation(sum, "onnx.Add", {product, b}) +
                     operation(f, std::string("onnx.") + activation, {sum}) +
                     operation(y, "onnx.Add", {f, r}));
}

static std::vector<Bounded> bounds(const Activation &activation,
                                   const Inputs &in, int64_t k) {
  std::vector<Bounded> result;
  for (int64_t i = 0; i < rows * columns; ++i) {
    Exact sum;
    sum.add(in.b[i % columns]);
    for (int64_t p = 0; p < k; ++p)
      sum.add(double(in.x[i / columns * k + p]) *
              in.w[p * columns + i % columns]);
    Bounded rounded = bounded(sum, double(k + 1));
    result.push_back(activation.apply(rounded) + Bounded{in.r[i]});
  }
  return result;
}

/// The weights' factor, a power of two, leaves sums where functions bend.
static Inputs drawInputs(Values kind, int64_t k) {
  Inputs in = {draw(rows * k, kind, 1), draw(k * columns, kind, 2),
               draw(columns, Values::Normal, 3),
               draw(rows * columns, Values::Normal, 4)};
  double sum = 0;
  for (int64_t i = 0; i < rows * columns; ++i) {
    double own = 0;
    for (int64_t p = 0; p < k; ++p)
      own +=
          double(in.x[i / columns * k + p]) * in.w[p * columns + i % columns];
    sum += std::fabs(own) / (rows * columns);
  }
  in.w = scaled(in.w, std::exp2(-std::round(std::log2(sum))));
  return in;
}

static void checkFused(const Activation &activation) {
  for (Values kind : allValues)
    for (int64_t k : {16, 257, 1000}) {
      SCOPED_TRACE("k = " + std::to_string(k));
      Inputs in = drawInputs(kind, k);
      std::vector<Bounded> exact = bounds(activation, in, k);
      std::string text = fused(activation.name, in, k);
      onAllProcessors([&](const CompileOptions &options) {
        CompiledProgram compiled(text, options);
        EXPECT_EQ(compiled.launches(), 1);
        expectWithin(exact, compiled.run<float>(in.x, in.r));
      });
    }
}

TEST(EpilogueError, Relu) { checkFused({"Relu", relu}); }

TEST(EpilogueError, Sigmoid) { checkFused({"Sigmoid", sigmoid}); }

TEST(EpilogueError, Gelu) { checkFused({"Gelu", gelu}); }
