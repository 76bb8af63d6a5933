//===- ScheduleSolveTest.cpp - the fastest stages below a cap -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares the searches with all stages of small problems, and with
// times that are known.
//===----------------------------------------------------------------------===//
// LINK: TenonScheduling MLIR LLVM
#include "lib/Schedule/Exhaustive.h"
#include "lib/Schedule/Solve.h"
#include "test/unit/ScheduleTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::sched;

static std::string complaint(const Problem &problem, const Solution &solution) {
  return llvm::toString(validate(problem, solution));
}

static Options optionsOf(SearchOptions::Kind kind) {
  Options options;
  options.search.kind = kind;
  options.search.limits = {64, 64, 64};
  return options;
}

/// The time below a cap, proven; none if nothing fits.
static std::optional<int64_t>
timeBelow(Problem problem, std::optional<int64_t> cap, const Options &options) {
  problem.cap = cap;
  llvm::Expected<Solution> solution = solve(problem, options);
  if (!solution) {
    llvm::consumeError(solution.takeError());
    return std::nullopt;
  }
  EXPECT_EQ(complaint(problem, *solution), "");
  return solution->time;
}

static void expectSame(const std::vector<Solution> &found,
                       const std::vector<Solution> &best) {
  ASSERT_EQ(found.size(), best.size());
  for (auto [one, other] : llvm::zip_equal(found, best)) {
    EXPECT_EQ(one.time, other.time);
    EXPECT_EQ(one.peak, other.peak);
  }
}

/// Solves a problem in all ways, for each cap that matters and beside it.
static unsigned compare(const Problem &problem) {
  EXPECT_EQ(llvm::toString(problem.check()), "");
  std::vector<Solution> best = solveExhaustively(problem);
  unsigned searches = 0;
  for (SearchOptions::Kind kind : {SearchOptions::Layers, SearchOptions::Best})
    expectSame(llvm::cantFail(front(problem, optionsOf(kind))), best);
  std::optional<int64_t> last;
  for (const Solution &point : best) {
    EXPECT_EQ(complaint(problem, point), "");
    for (int64_t cap : {point.peak + 1, point.peak}) {
      std::optional<int64_t> layers =
          timeBelow(problem, cap, optionsOf(SearchOptions::Layers));
      EXPECT_EQ(layers,
                timeBelow(problem, cap, optionsOf(SearchOptions::Best)));
      searches += 2;
      EXPECT_LE(layers, point.time);
      EXPECT_LE(last, layers);
      last = layers;
    }
  }
  EXPECT_FALSE(timeBelow(problem, best.back().peak - 1, {}));
  if (problem.units.empty())
    EXPECT_EQ(leastPeak(problem).peak, best.back().peak);
  else
    EXPECT_GE(leastPeak(problem).peak, best.back().peak);
  return searches;
}

TEST(ScheduleSolveTest, IsOptimalOnRandomGraphs) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 240; ++round) {
    SCOPED_TRACE(round);
    unsigned threads = round % 3 == 2 ? 3 : 2;
    compare(randomProblem(random, 2 + random() % 5, threads));
    if (testing::Test::HasFailure())
      return;
  }
}

/// Fused and merged launches are choices of the same search, and some pay.
TEST(ScheduleSolveTest, IsOptimalWithUnits) {
  std::mt19937 random(11);
  unsigned searches = 0, taken = 0;
  for (unsigned round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    Problem problem = randomProblem(random, 3 + random() % 3, 2 + round % 2);
    addUnits(random, problem, 1 + random() % 3);
    searches += compare(problem);
    for (const Stage &stage : llvm::cantFail(solve(problem)).stages)
      for (const Track &track : stage.tracks)
        taken += track.units.size();
    if (testing::Test::HasFailure())
      return;
  }
  EXPECT_GE(searches, 1000u);
  EXPECT_GE(taken, 100u);
}

/// Waves of a GPU's launches, and units.
TEST(ScheduleSolveTest, IsOptimalOnGpus) {
  std::mt19937 random(13);
  unsigned waves = 0;
  for (unsigned round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    Problem problem = randomProblem(random, 3 + random() % 4, 2);
    if (round % 2)
      addUnits(random, problem, 2);
    problem = onGpu(random, problem);
    compare(problem);
    for (const Stage &stage : llvm::cantFail(solve(problem)).stages)
      waves += stage.wave;
    if (testing::Test::HasFailure())
      return;
  }
  EXPECT_GE(waves, 30u);
}

/// Work by all threads, or the longest tile, and what shares are not equal by.
TEST(ScheduleSolveTest, HasWavesThatAreNotEven) {
  Problem problem = problemOf("threads 1 4\ndevice 4 join 0.5 imbalance 0.03\n"
                              "node a k 10 9 tiles 20\nnode b k 30 20 tiles 10"
                              "\ntensor 4 a : out\ntensor 4 b : out\n");
  EXPECT_EQ(timeBelow(problem, {}, {}), 10'800);
  problem.launches[1].tiles = 2;
  EXPECT_EQ(timeBelow(problem, {}, {}), 15'950);
}

/// A source that frees bytes of its own had better run early.
TEST(ScheduleSolveTest, DoesNotDelayWhatNeedsScratch) {
  Problem problem = problemOf("node source k 1\nnode a k 1\nnode user k 1\n"
                              "tensor 100 source :\ntensor 50 a : user\n"
                              "tensor 1 user : out\norder source user");
  EXPECT_EQ(leastPeak(problem).peak, 100);
}

TEST(ScheduleSolveTest, HasKnownTimes) {
  auto expect = [](const char *text, std::optional<int64_t> cap, int64_t time) {
    EXPECT_EQ(timeBelow(problemOf(text), cap, {}), time);
  };
  expect(diamond, {}, 32'200);
  EXPECT_EQ(programOrder(problemOf(diamond)).time, 34'000);
  EXPECT_EQ(llvm::cantFail(solve(problemOf(diamond))).peak, 20);
  for (int64_t cap : {1000, 96})
    expect(branches, cap, 36'200);
  for (int64_t cap : {95, 88})
    expect(branches, cap, 36'400);
  for (int64_t cap : {87, 52})
    expect(branches, cap, 42'000);
  EXPECT_FALSE(timeBelow(problemOf(branches), 51, {}));
  EXPECT_EQ(programOrder(problemOf(branches)).peak, 88);
  EXPECT_EQ(leastPeak(problemOf(branches)).peak, 52);
  expect(join, {}, 28'200);
  expect(concatenation, {}, 26'200);
  EXPECT_EQ(llvm::cantFail(solve(problemOf(concatenation))).peak, 20);
}

/// Components of one launch cannot have what joins two beside a third.
TEST(ScheduleSolveTest, KeepsToItsLimits) {
  Options options;
  options.search.limits.inComponent = 1;
  EXPECT_EQ(timeBelow(problemOf(join), {}, options), 29'700);
  EXPECT_EQ(timeBelow(problemOf(branches), {}, options), 36'400);
}

TEST(ScheduleSolveTest, SaysWhatFits) {
  Problem problem = problemOf(branches);
  problem.cap = 51;
  EXPECT_EQ(llvm::toString(solve(problem).takeError()),
            "nothing fits into 51 bytes: the least peak is 52, at node 'p2'");
}

static Problem largeProblem(unsigned launches) {
  std::mt19937 random(7);
  return randomProblem(random, launches, 4);
}

/// Whatever the budget leaves, the result is proven, and no slower than the
/// order of the program.
TEST(ScheduleSolveTest, IsNeverSlowerThanTheProgram) {
  for (unsigned launches : {12, 40, 150}) {
    Problem problem = largeProblem(launches);
    Solution program = programOrder(problem);
    EXPECT_EQ(complaint(problem, program), "");
    for (int64_t states : {0, 10, 300}) {
      Options options;
      options.search.states = states;
      options.search.transitions = states * 20;
      for (int64_t cap : {program.peak * 2, program.peak}) {
        std::optional<int64_t> time = timeBelow(problem, cap, options);
        ASSERT_TRUE(time);
        EXPECT_LE(*time, program.time);
      }
    }
  }
}

TEST(ScheduleSolveTest, IsDeterministic) {
  Problem problem = largeProblem(30);
  EXPECT_EQ(llvm::cantFail(solve(problem)), llvm::cantFail(solve(problem)));
}

TEST(ScheduleSolveTest, HasAFrontThatFalls) {
  Problem problem = largeProblem(16);
  std::vector<Solution> points = llvm::cantFail(front(problem));
  ASSERT_GT(points.size(), 1u);
  for (size_t i = 1; i < points.size(); ++i) {
    EXPECT_GT(points[i].time, points[i - 1].time);
    EXPECT_LT(points[i].peak, points[i - 1].peak);
  }
}

/// A border that is cleared goes directly before the writer behind it; a chain
/// is one item.
TEST(ScheduleSolveTest, TakesChainsAsOne) {
  Problem problem = problemOf("node source k 1\nnode border k 1\n"
                              "node writer k 1\nnode one k 1\n"
                              "node other k 1\nnode next k 1\n"
                              "tensor 4 source : writer\n"
                              "tensor 8 border writer : one other\n"
                              "order border writer\norder source one\n"
                              "order source other\ntensor 4 one : out\n"
                              "tensor 4 other : next\ntensor 4 next : out");
  Items items = joinedItems(problem, predecessorsOf(problem), /*chains=*/true);
  using List = llvm::SmallVector<unsigned, 4>;
  EXPECT_EQ(items.launches, (std::vector<List>{{0, 1, 2}, {3}, {4, 5}}));
  EXPECT_EQ(items.before, (std::vector<List>{{}, {0}, {0}}));
}

TEST(ScheduleSolveTest, SolvesNothing) {
  Solution solution = llvm::cantFail(solve({}));
  EXPECT_TRUE(solution.stages.empty());
  EXPECT_EQ(complaint({}, solution), "");
}
