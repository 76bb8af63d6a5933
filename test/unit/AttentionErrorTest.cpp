//===- AttentionErrorTest.cpp - rounding errors of attention --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles softmax(scale Q K) V and holds each element against f64.
//
// A score s is a sum over `depth` and its scaling, d s off; the largest, M, is
// the same for all, so that only the rounding of s - M adds to it. An
// exponential is off by e = |d s| + u |s - M| + 1.05 ULP, and the result
// y = sum(p v), where p are the normalised exponentials, changes by
// sum(p (v - y) e): what all have in common cancels. The keys' e are
// independent, so that their sum is hardly ever above three times the root of
// the sum of squares (Hoeffding). Each of the two sums over keys adds a
// product's and its additions' roundings.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/ErrorBounds.h"

using namespace tenon;
using namespace tenon::test;

namespace {
struct Attention {
  int64_t heads, queries, keys, depth, values;

  float scale() const { return float(1 / std::sqrt(double(depth))); }
  std::string text() const;
};

/// [head][query][depth], [head][depth][key], [head][key][value].
struct Inputs {
  Floats q, k, v;
};
} // namespace

std::string Attention::text() const {
  NamedTensor q = {"q", {heads, queries, depth}};
  NamedTensor k = {"k", {heads, depth, keys}};
  NamedTensor v = {"v", {heads, keys, values}};
  NamedTensor y = {"y", {heads, queries, values}};
  NamedTensor factor = {"f", {1}};
  auto scores = [&](const char *name) {
    return NamedTensor{name, {heads, queries, keys}};
  };
  NamedTensor sums = scores("s"), scaled = scores("t"), shares = scores("p");
  return program(
      {q, k, v}, y,
      constant(factor, {scale()}) + operation(sums, "onnx.MatMul", {q, k}) +
          operation(scaled, "onnx.Mul", {sums, factor}) +
          operation(shares, "onnx.Softmax", {scaled}, "axis = -1 : i64") +
          operation(y, "onnx.MatMul", {shares, v}));
}

//===-- Reference ---------------------------------------------------------===//

/// The weights of a query's values, not normalised, and their relative errors.
static std::vector<Bounded> weightsOf(const Attention &all, const float *q,
                                      const float *k) {
  constexpr double exponential = 2 * 1.05 * unit;
  std::vector<Exact> scores(all.keys);
  for (int64_t d = 0; d < all.depth; ++d)
    for (int64_t j = 0; j < all.keys; ++j)
      scores[j].add(double(q[d]) * k[d * all.keys + j] * all.scale());
  double largest = -INFINITY;
  for (const Exact &score : scores)
    largest = std::max(largest, score.value);
  std::vector<Bounded> result;
  for (const Exact &score : scores) {
    double below = largest - score.value;
    double error = roundings(double(all.depth + 1)) * score.magnitude;
    result.push_back({std::exp(-below), error + unit * below + exponential});
  }
  return result;
}

/// One element: the exponentials' errors, the sums', and those of a division,
/// or an inverse and a product.
static Bounded meanOf(const Attention &all, llvm::ArrayRef<Bounded> weights,
                      const float *v) {
  double sum = 0;
  Exact mean;
  for (const Bounded &weight : weights)
    sum += weight.value;
  for (int64_t j = 0; j < all.keys; ++j)
    mean.add(weights[j].value / sum * v[j * all.values]);
  double linear = 0, squares = 0;
  for (int64_t j = 0; j < all.keys; ++j) {
    double share = weights[j].value / sum;
    double own =
        share * std::fabs(v[j * all.values] - mean.value) * weights[j].error;
    linear += own;
    squares += own * own;
  }
  double sums =
      roundings(double(all.keys)) * (mean.magnitude + std::fabs(mean.value));
  return {mean.value, std::min(linear, 3 * std::sqrt(squares)) + sums +
                          2 * unit * mean.magnitude};
}

static std::vector<Bounded> attend(const Attention &all, const Inputs &in) {
  std::vector<Bounded> result;
  for (int64_t i = 0; i < all.heads * all.queries; ++i) {
    int64_t head = i / all.queries;
    auto weights = weightsOf(all, &in.q[i * all.depth],
                             &in.k[head * all.depth * all.keys]);
    const float *v = &in.v[head * all.keys * all.values];
    for (int64_t column = 0; column < all.values; ++column)
      result.push_back(meanOf(all, weights, v + column));
  }
  return result;
}

//===-- Tests -------------------------------------------------------------===//

/// Scores are of one magnitude: of others, the largest is all that counts.
static Inputs drawInputs(const Attention &all, Values kind) {
  Values ofScores = kind == Values::Varied ? Values::Normal : kind;
  int64_t rows = all.heads * all.queries, columns = all.heads * all.keys;
  return {scaled(draw(rows * all.depth, ofScores, 1), 2),
          draw(columns * all.depth, ofScores, 2),
          draw(columns * all.values, kind, 3)};
}

template <typename Check>
static void checkAttention(const Attention &all, Check check) {
  std::string text = all.text();
  for (Values kind : allValues) {
    Inputs in = drawInputs(all, kind);
    std::vector<Bounded> exact = attend(all, in);
    onAllProcessors([&](const CompileOptions &options) {
      CompiledProgram compiled(text, options);
      check(compiled);
      expectWithin(exact, compiled.run<float>(in.q, in.k, in.v));
    });
  }
}

TEST(AttentionError, ManyQueries) {
  checkAttention({3, 37, 50, 24, 20}, [](const CompiledProgram &) {});
}

TEST(AttentionError, OneQuery) {
  checkAttention({2, 1, 300, 40, 40}, [](const CompiledProgram &) {});
}

/// Its scores never exist as a whole.
TEST(AttentionError, InSlices) {
  Attention all = {1, 2150, 2000, 16, 8};
  checkAttention(all, [&](const CompiledProgram &compiled) {
    EXPECT_LT(compiled.arenaBytes(), all.queries * all.keys);
  });
}
