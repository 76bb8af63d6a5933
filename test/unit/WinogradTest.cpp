//===- WinogradTest.cpp - minimal filtering -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Winograd.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace tenon::tile;

namespace {

template <typename T>
std::vector<std::vector<T>> multiply(const std::vector<std::vector<T>> &x,
                                     const std::vector<std::vector<T>> &y) {
  std::vector<std::vector<T>> z(x.size(), std::vector<T>(y[0].size(), 0));
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t k = 0; k < y.size(); ++k)
      for (size_t j = 0; j < y[0].size(); ++j)
        z[i][j] += x[i][k] * y[k][j];
  return z;
}

template <typename T> std::vector<std::vector<T>> as(const Matrix &matrix) {
  std::vector<std::vector<T>> result;
  for (const auto &row : matrix)
    result.emplace_back(row.begin(), row.end());
  return result;
}

template <typename T>
std::vector<std::vector<T>> transposed(const std::vector<std::vector<T>> &x) {
  std::vector<std::vector<T>> y(x[0].size(), std::vector<T>(x.size()));
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t j = 0; j < x[0].size(); ++j)
      y[j][i] = x[i][j];
  return y;
}

/// matrix * square * transposed(matrix)
template <typename T>
std::vector<std::vector<T>> onBothSides(const Matrix &matrix,
                                        const std::vector<std::vector<T>> &x) {
  auto m = as<T>(matrix);
  return multiply(multiply(m, x), transposed(m));
}

/// One tile over `channels`: squared errors of minimal filtering and of direct
/// summation in f32, against f64.
struct Errors {
  double winograd = 0, direct = 0;
};

class Tile {
public:
  Tile(int64_t m, int seed) : matrices(winogradMatrices(m)), random(seed) {}

  Errors run(int channels) {
    size_t m = size_t(matrices.m), n = size_t(matrices.points);
    std::vector<std::vector<float>> sums(n, std::vector<float>(n, 0));
    std::vector<std::vector<float>> direct(m, std::vector<float>(m, 0));
    std::vector<std::vector<double>> exact(m, std::vector<double>(m, 0));
    for (int c = 0; c < channels; ++c) {
      auto d = square(n);
      auto g = square(3);
      auto v = onBothSides(matrices.inputs, d);
      auto u = points(g);
      for (size_t i = 0; i < n * n; ++i)
        sums[i / n][i % n] += v[i / n][i % n] * u[i];
      for (size_t i = 0; i < m * m * 9; ++i) {
        size_t y = i / 9 / m, x = i / 9 % m, ky = i % 9 / 3, kx = i % 3;
        direct[y][x] += d[y + ky][x + kx] * g[ky][kx];
        exact[y][x] += double(d[y + ky][x + kx]) * double(g[ky][kx]);
      }
    }
    auto result = onBothSides(matrices.outputs, sums);
    Errors errors;
    for (size_t i = 0; i < m * m; ++i) {
      errors.winograd +=
          std::pow(result[i / m][i % m] - exact[i / m][i % m], 2);
      errors.direct += std::pow(direct[i / m][i % m] - exact[i / m][i % m], 2);
    }
    return errors;
  }

private:
  std::vector<std::vector<float>> square(size_t n) {
    std::normal_distribution<float> normal;
    std::vector<std::vector<float>> x(n, std::vector<float>(n));
    for (auto &row : x)
      for (float &value : row)
        value = normal(random);
    return x;
  }

  std::vector<float> points(const std::vector<std::vector<float>> &g) {
    float window[9];
    for (size_t i = 0; i < 9; ++i)
      window[i] = g[i / 3][i % 3];
    std::vector<double> wide(size_t(matrices.points * matrices.points));
    transformFilter(matrices, window, wide.data());
    return {wide.begin(), wide.end()};
  }

  WinogradMatrices matrices;
  std::mt19937 random;
};

TEST(WinogradMatrices, FilterInOneDimension) {
  for (int64_t m : {2, 4, 6}) {
    WinogradMatrices w = winogradMatrices(m);
    for (size_t tap = 0; tap < 3; ++tap)
      for (size_t in = 0; in < size_t(w.points); ++in)
        for (size_t out = 0; out < size_t(m); ++out) {
          double sum = 0;
          for (size_t p = 0; p < size_t(w.points); ++p)
            sum += w.outputs[out][p] * w.filters[p][tap] * w.inputs[p][in];
          EXPECT_NEAR(sum, in == out + tap ? 1 : 0, 1e-12)
              << "F(" << m << "): output " << out << ", input " << in;
        }
  }
}

TEST(WinogradMatrices, ErrorsGrowAsPredicted) {
  for (int64_t m : {2, 4, 6}) {
    Errors total;
    for (int seed = 0; seed < 40; ++seed) {
      Errors one = Tile(m, seed).run(96);
      total.winograd += one.winograd;
      total.direct += one.direct;
    }
    double growth = std::sqrt(total.winograd / total.direct);
    EXPECT_LT(growth, 1.6 * winogradErrorGrowth(m)) << "F(" << m << ")";
    EXPECT_GT(growth, 0.6 * winogradErrorGrowth(m)) << "F(" << m << ")";
  }
}

WinogradProblem square(int64_t size, int64_t channels) {
  return {1, size, size, channels, channels};
}

/// Cycles of the plan without minimal filtering.
double direct(const WinogradProblem &problem, const Target &target) {
  ContractionProblem conv;
  conv.rows = {problem.height, problem.width};
  conv.columns = problem.filters;
  conv.k = {3, 3 * problem.channels};
  conv.rowBytes = problem.channels * 4;
  conv.constantB = true;
  return estimateCycles(conv, plan(conv, target), target);
}

int64_t chosen(const WinogradProblem &problem, const char *name,
               WinogradUse use) {
  const Target &target = *findTarget(name);
  auto plan = planWinograd(problem, target, use, direct(problem, target));
  if (!plan)
    return 0;
  EXPECT_EQ(llvm::toString(validate(problem, *plan, target)), "");
  return plan->m;
}

TEST(WinogradPlan, GainsOnLargeMaps) {
  for (const char *target : {"avx512", "avx2"}) {
    EXPECT_EQ(chosen(square(56, 64), target, WinogradUse::Safe), 4);
    EXPECT_EQ(chosen(square(28, 128), target, WinogradUse::Safe), 4);
    EXPECT_EQ(chosen(square(56, 64), target, WinogradUse::Exact), 2);
    EXPECT_EQ(chosen(square(1, 64), target, WinogradUse::Safe), 0);
    EXPECT_EQ(chosen(square(56, 64), target, WinogradUse::Off), 0);
  }
}

TEST(WinogradPlan, AllProblemsHaveValidPlans) {
  for (const Target &target : targets())
    for (int64_t size : {1, 2, 5, 13, 64})
      for (int64_t channels : {1, 3, 16, 100})
        for (WinogradUse use :
             {WinogradUse::Exact, WinogradUse::Safe, WinogradUse::Max}) {
          WinogradProblem problem = {2, size, size + 1, channels, channels + 7};
          auto plan = planWinograd(problem, target, use, INFINITY);
          ASSERT_TRUE(plan);
          EXPECT_EQ(llvm::toString(validate(problem, *plan, target)), "");
          WinogradScratch scratch = winogradScratch(problem, *plan);
          EXPECT_NE(scratch.inputPitch * 4 % 2048, 0);
          EXPECT_GE(scratch.inputPitch, problem.channels);
        }
}

TEST(WinogradPlan, ValidateNamesTheFault) {
  const Target &target = *findTarget("avx512");
  WinogradProblem problem = square(56, 64);
  WinogradPlan plan =
      *planWinograd(problem, target, WinogradUse::Safe, INFINITY);
  auto why = [&](auto damage) {
    WinogradPlan bad = plan;
    damage(bad);
    return llvm::toString(validate(problem, bad, target));
  };
  EXPECT_EQ(why([](WinogradPlan &bad) { bad.m = 3; }),
            "invalid winograd plan: m is not 2, 4 or 6");
  EXPECT_EQ(why([](WinogradPlan &bad) { bad.block = 0; }),
            "invalid winograd plan: a size is not positive");
  EXPECT_EQ(why([](WinogradPlan &bad) { bad.tile.panel += 1; }),
            "invalid winograd plan: the panel is not of whole vectors");
  EXPECT_EQ(why([](WinogradPlan &bad) { bad.tile.mr = 30; }),
            "invalid contraction plan: the register tile does not fit the "
            "registers");
}

TEST(WinogradUse, NamesAndBack) {
  for (const char *name : {"off", "exact", "safe", "max"})
    EXPECT_EQ(toText(*parseWinogradUse(name)), name);
  EXPECT_FALSE(parseWinogradUse("fast"));
}

} // namespace
