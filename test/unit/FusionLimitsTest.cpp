//===- FusionLimitsTest.cpp - large problems in bounded work --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file counts questions and steps of problems whose groupings nobody
// could try.
//===----------------------------------------------------------------------===//
// LINK: TenonFusion MLIR LLVM
#include "lib/Fusion/Greedy.h"
#include "lib/Fusion/Solve.h"
#include "lib/Fusion/Validate.h"
#include "test/unit/FusionTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::fusion;

/// Solves a large problem: right, no worse than greedy merges, within its
/// limits, and the same again.
template <typename AnyOracle>
static Solution solveLarge(const Problem &problem, AnyOracle oracle,
                           const Options &options = {}) {
  AnyOracle again = oracle, counting = oracle;
  Solution solution = solve(problem, counting, options);
  EXPECT_EQ(llvm::toString(validate(problem, oracle, solution)), "");
  Solution greedy = solveGreedily(problem, oracle, options);
  EXPECT_EQ(llvm::toString(validate(problem, oracle, greedy)), "");
  EXPECT_LE(solution.cost, greedy.cost);
  const Solution::Statistics &work = solution.statistics;
  EXPECT_EQ(work.asked, counting.asked);
  EXPECT_LE(work.asked, options.mostAsked * (work.regions + work.cut));
  EXPECT_LE(work.asked, options.mostAskedInAll);
  // One region is begun before the limit is seen.
  EXPECT_LE(work.steps, options.mostSteps + 70 * options.mostTransitions);
  Solution second = solve(problem, again, options);
  EXPECT_EQ(second.groups, solution.groups);
  EXPECT_EQ(second.cost, solution.cost);
  return solution;
}

static RandomOracle anyOracle(bool hasBounds) {
  RandomOracle oracle(1, 10);
  oracle.hasBounds = hasBounds;
  return oracle;
}

/// Six atoms for each launch are best.
TEST(FusionLimitsTest, Chain) {
  Solution solution = solveLarge(chainOf(2000), LaunchOracle());
  EXPECT_EQ(solution.cost.time, 333 * 10 + 2000 + 2 * 3);
  EXPECT_LT(solution.statistics.asked, 25'000);
  EXPECT_LT(solution.statistics.steps, 1'000'000);
}

TEST(FusionLimitsTest, ChainOfAnyCosts) {
  Problem problem = chainOf(2000);
  Solution solution = solveLarge(problem, anyOracle(false));
  Solution bounded = solveLarge(problem, anyOracle(true));
  EXPECT_LT(bounded.statistics.asked * 3, solution.statistics.asked);
}

TEST(FusionLimitsTest, Diamonds) {
  Solution solution = solveLarge(diamondsOf(500), LaunchOracle());
  EXPECT_EQ(solution.cost.time, 250 * 10 + 1501 + 3);
  EXPECT_LT(solution.statistics.asked, 35'000);
  EXPECT_LT(solution.statistics.steps, 1'000'000);
}

TEST(FusionLimitsTest, DiamondsOfAnyCosts) {
  solveLarge(diamondsOf(500), anyOracle(false));
  solveLarge(diamondsOf(500), anyOracle(true));
}

TEST(FusionLimitsTest, CompleteFans) {
  for (bool areReaders : {false, true}) {
    solveLarge(fanOf(100, areReaders), LaunchOracle());
    solveLarge(fanOf(100, areReaders), anyOracle(true));
  }
}

/// A tensor that all atoms read: a million pairs touch.
TEST(FusionLimitsTest, ReadersOfOneTensor) {
  Problem problem;
  problem.atoms = 2000;
  problem.readers.emplace_back();
  for (unsigned atom = 0; atom < problem.atoms; ++atom)
    problem.readers.back().push_back(atom);
  solveLarge(problem, LaunchOracle());
}

TEST(FusionLimitsTest, RandomGraphs) {
  std::mt19937 random(5);
  for (unsigned atoms : {20, 40, 60, 100, 300}) {
    Problem problem = randomProblem(random, atoms);
    solveLarge(problem, anyOracle(false));
    solveLarge(problem, anyOracle(true));
  }
}

/// All at once finds what windows find: the best.
TEST(FusionLimitsTest, WindowsOfAChain) {
  Options options;
  options.mostInRegion = 16;
  Solution solution = solveLarge(chainOf(60), LaunchOracle(), options);
  EXPECT_GT(solution.statistics.cut, 0);
  EXPECT_EQ(solution.cost.time, 10 * 10 + 60);
}

/// Groups of eight cost less than of seven, but there are too many of them.
TEST(FusionLimitsTest, SmallerGroupsWhereThereAreTooMany) {
  Problem problem = chainOf(24);
  TableOracle oracle(
      {{{{0, 1, 2, 3}, {}}, 20}, {{{8, 9, 10, 11, 12}, {}}, 20}});
  EXPECT_EQ(solve(problem, oracle).cost.time, 240 - 20 - 30);
  Options options;
  options.mostAsked = 24 * 4;
  EXPECT_EQ(solve(problem, oracle, options).cost.time, 240 - 20);
  options.mostAtoms = 3;
  EXPECT_EQ(solve(problem, oracle, options).cost.time, 240);
}

/// With no questions left, what is known is as good as it gets.
TEST(FusionLimitsTest, StopsAsking) {
  Options options;
  options.mostAskedInAll = 100;
  LaunchOracle oracle;
  Solution solution = solve(chainOf(60), oracle, options);
  EXPECT_EQ(oracle.asked, 100);
  EXPECT_EQ(llvm::toString(validate(chainOf(60), oracle, solution)), "");
}

TEST(FusionLimitsTest, StopsCounting) {
  Options options;
  options.mostSteps = 1;
  LaunchOracle oracle;
  Solution solution = solve(diamondsOf(200), oracle, options);
  EXPECT_EQ(llvm::toString(validate(diamondsOf(200), oracle, solution)), "");
  EXPECT_LE(solution.statistics.regions, 1);
}

TEST(FusionLimitsTest, NothingToDo) {
  LaunchOracle oracle;
  EXPECT_TRUE(solve(Problem(), oracle).groups.empty());
  EXPECT_EQ(solve(chainOf(1), oracle).cost.time, 11);
}
