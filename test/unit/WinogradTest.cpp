//===- WinogradTest.cpp - plans of Winograd convolutions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Winograd.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <set>

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

/// F(m, r) in one or two dimensions.
struct Filter {
  int64_t m, taps, rank;

  std::string text() const {
    return "F(" + std::to_string(m) + ", " + std::to_string(taps) + ") in " +
           std::to_string(rank);
  }
};

constexpr int64_t known[][2] = {{2, 3}, {4, 3}, {6, 3}, {2, 5}, {4, 5}, {2, 7}};

std::vector<Filter> filters() {
  std::vector<Filter> result;
  for (int64_t rank : {1, 2})
    for (auto [m, taps] : known)
      result.push_back({m, taps, rank});
  return result;
}

/// One tile over `channels`: squared errors of Winograd and of direct
/// summation in f32, against f64. In one dimension it has one column.
struct Errors {
  double winograd = 0, direct = 0;
};

class Tile {
public:
  Tile(const Filter &filter, int seed)
      : matrices(winogradMatrices(filter.m, filter.taps)), filter(filter),
        random(seed) {}

  Errors run(int channels) {
    Grid<float> sums = grid<float>(matrices.points);
    auto direct = grid<float>(filter.m);
    auto exact = grid<double>(filter.m);
    for (int c = 0; c < channels; ++c) {
      Grid<float> d = draw(matrices.points), g = draw(filter.taps);
      Grid<float> v = transform(matrices.inputs, d), u = points(g);
      forAll(sums,
             [&](size_t y, size_t x) { sums[y][x] += v[y][x] * u[y][x]; });
      forAll(direct, [&](size_t y, size_t x) {
        forAll(g, [&](size_t ky, size_t kx) {
          direct[y][x] += d[y + ky][x + kx] * g[ky][kx];
          exact[y][x] += double(d[y + ky][x + kx]) * double(g[ky][kx]);
        });
      });
    }
    Grid<float> result = transform(matrices.outputs, sums);
    Errors errors;
    forAll(result, [&](size_t y, size_t x) {
      errors.winograd += std::pow(result[y][x] - exact[y][x], 2);
      errors.direct += std::pow(direct[y][x] - exact[y][x], 2);
    });
    return errors;
  }

private:
  template <typename T> using Grid = std::vector<std::vector<T>>;

  template <typename T> Grid<T> grid(int64_t side) const {
    size_t columns = filter.rank == 1 ? 1 : size_t(side);
    return Grid<T>(size_t(side), std::vector<T>(columns, 0));
  }

  template <typename T, typename Visit>
  static void forAll(const Grid<T> &grid, Visit visit) {
    for (size_t y = 0; y < grid.size(); ++y)
      for (size_t x = 0; x < grid[y].size(); ++x)
        visit(y, x);
  }

  /// matrix * x, and in two dimensions * transposed(matrix).
  Grid<float> transform(const Matrix &matrix, const Grid<float> &x) const {
    auto m = as<float>(matrix);
    auto half = multiply(m, x);
    return filter.rank == 1 ? half : multiply(half, transposed(m));
  }

  Grid<float> draw(int64_t side) {
    std::normal_distribution<float> normal;
    auto x = grid<float>(side);
    for (auto &row : x)
      for (float &value : row)
        value = normal(random);
    return x;
  }

  Grid<float> points(const Grid<float> &g) const {
    std::vector<float> window;
    for (const auto &row : g)
      window.insert(window.end(), row.begin(), row.end());
    std::vector<double> wide(size_t(windowSize(matrices.points, filter.rank)));
    transformFilter(matrices, filter.rank, filter.taps, window.data(),
                    wide.data());
    auto result = grid<float>(matrices.points);
    size_t columns = result[0].size();
    forAll(result, [&](size_t y, size_t x) {
      result[y][x] = float(wide[y * columns + x]);
    });
    return result;
  }

  WinogradMatrices matrices;
  Filter filter;
  std::mt19937 random;
};

TEST(WinogradMatrices, FilterInOneDimension) {
  for (auto [m, taps] : known) {
    WinogradMatrices w = winogradMatrices(m, taps);
    for (size_t tap = 0; tap < size_t(taps); ++tap)
      for (size_t in = 0; in < size_t(w.points); ++in)
        for (size_t out = 0; out < size_t(m); ++out) {
          double sum = 0;
          for (size_t p = 0; p < size_t(w.points); ++p)
            sum += w.outputs[out][p] * w.filters[p][tap] * w.inputs[p][in];
          EXPECT_NEAR(sum, in == out + tap ? 1 : 0, 1e-12)
              << Filter{m, taps, 1}.text() << ": output " << out << ", input "
              << in;
        }
  }
}

/// The taps come back, in f32 as good as filters are, and zeros as zeros.
TEST(WinogradMatrices, RecoverFilters) {
  for (auto [m, taps] : known) {
    WinogradMatrices w = winogradMatrices(m, taps);
    auto identity = multiply(w.recovery, w.filters);
    for (size_t i = 0; i < identity.size(); ++i)
      for (size_t j = 0; j < identity.size(); ++j)
        EXPECT_NEAR(identity[i][j], i == j ? 1 : 0, 1e-12)
            << Filter{m, taps, 1}.text();
    for (size_t odd : {0, 1}) {
      Matrix filter(size_t(taps), {0});
      for (size_t i = odd; i < filter.size(); i += 2)
        filter[i] = {0.125 * double(i + 3)};
      auto points = as<float>(multiply(w.filters, filter));
      auto again = multiply(as<float>(w.recovery), points);
      for (size_t i = 0; i < filter.size(); ++i)
        if (filter[i][0] == 0)
          EXPECT_EQ(again[i][0], 0) << Filter{m, taps, 1}.text();
        else
          EXPECT_NEAR(again[i][0], filter[i][0], 2e-6);
    }
  }
}

TEST(WinogradMatrices, AreKnownOrNot) {
  for (int64_t m = -1; m < 12; ++m)
    for (int64_t taps = -1; taps < 12; ++taps)
      EXPECT_EQ(hasWinograd(m, taps),
                llvm::any_of(known, [&](const int64_t (&pair)[2]) {
                  return pair[0] == m && pair[1] == taps;
                }));
}

/// Over the expected ones, for sums of so many products.
double errorRatio(const Filter &filter, int64_t depth) {
  Errors total;
  for (int seed = 0; seed < 60; ++seed) {
    Errors one = Tile(filter, seed).run(depth);
    total.winograd += one.winograd;
    total.direct += one.direct;
  }
  return std::sqrt(total.winograd / total.direct) /
         winogradErrorGrowth(filter.m, filter.taps, filter.rank, depth);
}

TEST(WinogradMatrices, ErrorsGrowAsPredicted) {
  for (const Filter &filter : filters())
    for (int64_t depth : {3, 12, 96}) {
      double ratio = errorRatio(filter, depth);
      EXPECT_LT(ratio, 1.35) << filter.text() << ", depth " << depth;
      EXPECT_GT(ratio, 0.7) << filter.text() << ", depth " << depth;
    }
}

WinogradProblem square(int64_t size, int64_t channels) {
  WinogradProblem problem;
  problem.dims = {{size}, {size}};
  problem.channels = problem.filters = channels;
  return problem;
}

WinogradProblem line(int64_t size, int64_t channels, int64_t taps) {
  WinogradProblem problem = square(size, channels);
  problem.dims.pop_back();
  problem.taps = taps;
  return problem;
}

/// Which outputs of a dimension tiles have, one by one.
TEST(WinogradDim, TilesCoverAllOutputsOnce) {
  for (int64_t extent = 1; extent < 30; ++extent)
    for (int64_t dilation : {1, 2, 3, 7, 18})
      for (int64_t m : {2, 4, 6}) {
        WinogradDim dim = {extent, dilation};
        std::vector<int64_t> hits(size_t(extent), 0);
        std::set<int64_t, std::greater<>> counts;
        for (int64_t tile = 0; tile < dim.tiles(m); ++tile)
          for (int64_t phase = 0; phase < dilation; ++phase) {
            int64_t count = 0;
            for (int64_t i = 0; i < m; ++i) {
              int64_t at = (tile * m + i) * dilation + phase;
              if (at < extent && ++hits[size_t(at)])
                ++count;
            }
            counts.insert(count);
          }
        EXPECT_TRUE(llvm::all_of(hits, [](int64_t n) { return n == 1; }));
        auto outputs = dim.outputs(m);
        EXPECT_EQ(std::vector<int64_t>(counts.begin(), counts.end()),
                  std::vector<int64_t>(outputs.begin(), outputs.end()))
            << extent << " by " << dilation << ", m = " << m;
      }
}

/// Cycles of the plan without Winograd.
double direct(const WinogradProblem &problem, const Target &target) {
  ContractionProblem conv;
  conv.batches = problem.groups;
  for (const WinogradDim &dim : problem.dims)
    conv.rows.push_back(dim.extent);
  conv.columns = problem.filters;
  conv.k = {windowSize(problem.taps, problem.rank()) / problem.taps,
            problem.taps * problem.channels};
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

/// Writing the map takes as long as the few products save.
TEST(WinogradPlan, FewChannelsToAMapInMemoryStayDirect) {
  for (const char *target : {"avx512", "avx2"}) {
    WinogradProblem first = square(224, 64);
    EXPECT_EQ(chosen(first, target, WinogradUse::Safe), 4);
    first.channels = 3;
    EXPECT_EQ(chosen(first, target, WinogradUse::Max), 0);
  }
}

/// The products of a block stay in the second-level cache, however large the
/// map: no wider register tile than the multiply-adds ask for.
TEST(WinogradPlan, ProductsDoNotWaitForResults) {
  const Target &target = *findTarget("avx512");
  for (int64_t size : {28, 224}) {
    WinogradProblem problem = square(size, 96);
    auto plan = planWinograd(problem, target, WinogradUse::Safe, INFINITY);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->tile.nv, 3);
    EXPECT_FALSE(plan->tile.fetchResults);
  }
}

TEST(WinogradPlan, AllowsWhatErrorsAllow) {
  // 1.0 in one dimension; 3.5 in two, more than `safe` allows.
  EXPECT_EQ(chosen(line(1000, 256, 5), "avx512", WinogradUse::Exact), 0);
  EXPECT_GT(chosen(line(1000, 256, 5), "avx512", WinogradUse::Safe), 0);
  WinogradProblem seven = square(56, 64);
  seven.taps = 7;
  EXPECT_EQ(chosen(seven, "avx512", WinogradUse::Safe), 0);
  EXPECT_EQ(chosen(seven, "avx512", WinogradUse::Max), 2);
}

TEST(WinogradPlan, ManyThreadsHaveTiles) {
  const Target &target = *findTarget("avx512");
  for (int64_t size : {14, 28, 56})
    for (int64_t channels : {64, 256, 512}) {
      WinogradProblem problem = square(size, channels);
      auto plan = planWinograd(problem, target, WinogradUse::Safe, INFINITY);
      ASSERT_TRUE(plan);
      int64_t items = winogradItems(problem, *plan);
      EXPECT_GE(plan->tiles, std::min<int64_t>(items, 16)) << size;
      // One thread's scratch does for any number of launch tiles.
      int64_t scratch = winogradScratch(problem, *plan).elements();
      plan->tiles = 1;
      EXPECT_EQ(winogradScratch(problem, *plan).elements(), scratch);
    }
}

/// What rounds transformed numbers counts for more where sums are short.
TEST(WinogradPlan, FewChannelsAllowLess) {
  const Target &target = *findTarget("avx512");
  auto largest = [&](int64_t channels, WinogradUse use) {
    auto plan = planWinograd(square(56, channels), target, use, INFINITY);
    return plan ? plan->m : 0;
  };
  EXPECT_EQ(largest(3, WinogradUse::Exact), 0);
  EXPECT_EQ(largest(16, WinogradUse::Exact), 2);
  EXPECT_EQ(largest(3, WinogradUse::Safe), 2);
  EXPECT_EQ(largest(16, WinogradUse::Safe), 4);
}

void expectValid(const WinogradProblem &problem, const Target &target,
                 WinogradUse use) {
  auto plan = planWinograd(problem, target, use, INFINITY);
  bool isAllowed = use != WinogradUse::Exact || problem.errorGrowth(2) <= 1;
  ASSERT_EQ(plan.has_value(), isAllowed);
  if (!plan)
    return;
  EXPECT_EQ(llvm::toString(validate(problem, *plan, target)), "");
  WinogradScratch scratch = winogradScratch(problem, *plan);
  EXPECT_NE(scratch.inputPitch * 4 % 2048, 0);
  int64_t window = problem.groups * problem.channels, lanes = plan->tile.lanes;
  EXPECT_GE(scratch.inputPitch,
            (problem.windows - 1) * window + ceilDiv(window, lanes) * lanes);
}

TEST(WinogradPlan, AllProblemsHaveValidPlans) {
  for (const Target &target : targets())
    for (int64_t size : {1, 2, 5, 13, 64})
      for (int64_t channels : {1, 3, 16, 100})
        for (WinogradUse use :
             {WinogradUse::Exact, WinogradUse::Safe, WinogradUse::Max}) {
          WinogradProblem problem = square(size, channels);
          problem.dims.back() = {size + 1, channels % 3 + 1};
          problem.images = 2;
          problem.groups = size % 3 + 1;
          problem.windows = size == 5 ? 3 : 1;
          problem.filters += 7;
          expectValid(problem, target, use);
        }
}

/// Small maps do not make up for reading all filters twice.
TEST(WinogradPlan, SharesOutFiltersOfSmallMaps) {
  const Target &target = *findTarget("avx512");
  auto made = [&](int64_t side, int64_t channels) {
    return *planWinograd(square(side, channels), target, WinogradUse::Safe,
                         INFINITY);
  };
  EXPECT_TRUE(made(7, 512).byFilters);
  EXPECT_FALSE(made(28, 512).byFilters);
  EXPECT_FALSE(made(56, 64).byFilters);
}

/// Where maps leave the caches, the results of later tiles are asked for.
TEST(WinogradPlan, AsksForResultsOfLargeMaps) {
  auto ahead = [](int64_t side, int64_t channels, llvm::StringRef target) {
    return planWinograd(square(side, channels), *findTarget(target),
                        WinogradUse::Safe, INFINITY)
        ->ahead;
  };
  EXPECT_EQ(ahead(112, 64, "zen4"), 2);
  EXPECT_EQ(ahead(112, 64, "avx2"), 2);
  EXPECT_EQ(ahead(112, 64, "zen5"), 0);
  EXPECT_EQ(ahead(224, 64, "zen5"), 2);
  EXPECT_EQ(ahead(56, 64, "zen4"), 2);
  EXPECT_EQ(ahead(28, 64, "zen4"), 0);
  EXPECT_EQ(ahead(224, 64, "sapphirerapids"), 0);
}

TEST(WinogradPlan, OneFilterIsNone) {
  WinogradProblem problem = square(56, 64);
  for (const char *name : {"baseline", "neon", "avx2", "avx512"}) {
    problem.filters = 2;
    auto plan =
        planWinograd(problem, *findTarget(name), WinogradUse::Safe, INFINITY);
    EXPECT_EQ(llvm::toString(validate(problem, *plan, *findTarget(name))), "");
    problem.filters = 1;
    EXPECT_FALSE(
        planWinograd(problem, *findTarget(name), WinogradUse::Safe, INFINITY));
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
            "invalid winograd plan: there is no F(m, r) for this m");
  EXPECT_EQ(why([](WinogradPlan &bad) { bad.block = 0; }),
            "invalid winograd plan: a size is not positive");
  EXPECT_EQ(why([](WinogradPlan &bad) { bad.tiles = 100000; }),
            "invalid winograd plan: a launch tile has nothing to do");
  EXPECT_EQ(why([](WinogradPlan &bad) { bad.ahead = -1; }),
            "invalid winograd plan: prefetches results of earlier tiles");
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
