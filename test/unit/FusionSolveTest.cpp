//===- FusionSolveTest.cpp - the cheapest kernels -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares the dynamic programme with all groupings of small
// problems, and greedy merges with both.
//===----------------------------------------------------------------------===//
// LINK: TenonFusion MLIR LLVM
#include "lib/Fusion/Exhaustive.h"
#include "lib/Fusion/Greedy.h"
#include "lib/Fusion/Solve.h"
#include "lib/Fusion/Validate.h"
#include "test/unit/FusionTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::fusion;

static std::string complaint(const Problem &problem, Oracle &oracle,
                             const Solution &solution) {
  return llvm::toString(validate(problem, oracle, solution));
}

static Solution withoutClones(const Problem &problem, Oracle &oracle) {
  Options options;
  options.clones = false;
  return solve(problem, oracle, options);
}

/// Solves a problem in all ways and compares them.
static void compare(const Problem &problem, RandomOracle &oracle) {
  ASSERT_EQ(llvm::toString(check(problem)), "");
  Solution best = solveExhaustively(problem, oracle);
  Solution found = withoutClones(problem, oracle);
  Solution greedy = solveGreedily(problem, oracle);
  EXPECT_EQ(complaint(problem, oracle, best), "");
  EXPECT_EQ(complaint(problem, oracle, found), "");
  EXPECT_EQ(complaint(problem, oracle, greedy), "");
  EXPECT_EQ(found.cost, best.cost);
  EXPECT_GE(greedy.cost, best.cost);
}

TEST(FusionSolveTest, IsOptimalOnAllSmallGraphs) {
  for (unsigned atoms = 1; atoms <= 5; ++atoms)
    for (unsigned bits = 0; bits < 1u << (atoms * (atoms - 1) / 2); ++bits) {
      Problem problem = problemOf(atoms, bits);
      if (!isConnected(problem))
        continue;
      for (unsigned kind = 0; kind < 4; ++kind) {
        RandomOracle oracle(bits * 4 + kind, kind * 10);
        oracle.hasBounds = kind % 2;
        oracle.hasWalls = kind >= 2;
        compare(problem, oracle);
      }
    }
}

TEST(FusionSolveTest, IsOptimalOnRandomGraphs) {
  std::mt19937 random(7);
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Problem problem = randomProblem(random, 6 + seed % 3);
    RandomOracle oracle(seed, random() % 40);
    oracle.hasBounds = random() % 2;
    oracle.hasWalls = random() % 2;
    compare(problem, oracle);
    if (HasFailure()) {
      ADD_FAILURE() << "problem " << seed;
      return;
    }
  }
}

TEST(FusionSolveTest, ClonesOnlyWhereTheyPay) {
  std::mt19937 random(8);
  unsigned clones = 0, best = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Problem problem = randomProblem(random, 6);
    RandomOracle oracle(seed, random() % 20);
    oracle.hasBounds = random() % 2;
    Solution plain = withoutClones(problem, oracle);
    Solution cloning = solve(problem, oracle);
    Solution optimum = solveExhaustively(problem, oracle, /*clones=*/true);
    EXPECT_EQ(complaint(problem, oracle, cloning), "");
    EXPECT_EQ(complaint(problem, oracle, optimum), "");
    EXPECT_LE(cloning.cost, plain.cost);
    EXPECT_LE(optimum.cost, cloning.cost);
    clones += cloning.statistics.cloned > 0;
    best += cloning.cost == optimum.cost;
  }
  EXPECT_GT(clones, 200u);
  EXPECT_GT(best, 300u);
}

/// Merges of {0, 1} and {2, 3} cost more; all four together cost less.
TEST(FusionSolveTest, FindsMergesThatPayTogether) {
  Problem problem = chainOf(4);
  TableOracle oracle({{{{0, 1}, {}}, 22},
                      {{{1, 2}, {}}, 21},
                      {{{2, 3}, {}}, 22},
                      {{{0, 1, 2, 3}, {}}, 15}});
  EXPECT_EQ(solveGreedily(problem, oracle).cost.time, 40);
  Solution solution = solve(problem, oracle);
  EXPECT_EQ(solution.cost.time, 15);
  EXPECT_EQ(solution.groups.size(), 1u);
}

/// The best first merge spoils two others.
TEST(FusionSolveTest, FindsWhatTheBestFirstMergeSpoils) {
  Problem problem = chainOf(4);
  TableOracle oracle(
      {{{{0, 1}, {}}, 12}, {{{1, 2}, {}}, 11}, {{{2, 3}, {}}, 12}});
  EXPECT_EQ(solveGreedily(problem, oracle).cost.time, 31);
  EXPECT_EQ(solve(problem, oracle).cost.time, 24);
}

/// Two users of one tensor and what both are needed for: neighbours only touch
/// by way of the last atom.
TEST(FusionSolveTest, FindsFansIn) {
  Problem problem;
  problem.atoms = 3;
  problem.edges = {{0, 2}, {1, 2}};
  TableOracle oracle({{{{0, 1, 2}, {}}, 12}});
  EXPECT_EQ(solve(problem, oracle).cost.time, 12);
}

TEST(FusionSolveTest, GroupsReadersOfOneTensor) {
  Problem problem;
  problem.atoms = 3;
  TableOracle oracle({{{{0, 1, 2}, {}}, 12}});
  EXPECT_EQ(solve(problem, oracle).cost.time, 30);
  problem.readers = {{0, 1, 2}};
  EXPECT_EQ(solve(problem, oracle).cost.time, 12);
}

/// Each of {0, 4} and {1, 3} has an order, by way of the atom alone: not both.
TEST(FusionSolveTest, KeepsAnOrderAcrossAtomsAlone) {
  Problem problem;
  problem.atoms = 6;
  problem.edges = {{0, 2}, {2, 3}, {1, 4}, {4, 5}};
  problem.readers = {{0, 5}, {1, 3}};
  problem.alone = {false, false, true, false, true, false};
  TableOracle oracle({{{{0, 5}, {}}, 11}, {{{1, 3}, {}}, 12}});
  Solution solution = solve(problem, oracle);
  EXPECT_EQ(complaint(problem, oracle, solution), "");
  EXPECT_EQ(solution.cost.time, 51);
}

/// Nobody asks about ways that cannot be the cheapest.
TEST(FusionSolveTest, BoundsSaveQuestions) {
  std::mt19937 random(9);
  int64_t with = 0, without = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Problem problem = randomProblem(random, 12);
    RandomOracle oracle(seed, 5), bounded(seed, 5);
    bounded.hasBounds = true;
    Solution one = withoutClones(problem, oracle);
    Solution other = withoutClones(problem, bounded);
    EXPECT_EQ(one.cost, other.cost);
    EXPECT_EQ(one.statistics.asked, oracle.asked);
    EXPECT_EQ(other.statistics.asked, bounded.asked);
    without += oracle.asked;
    with += bounded.asked;
  }
  EXPECT_LT(with * 4, without);
}

TEST(FusionSolveTest, ClonesPayOrNot) {
  Problem problem;
  problem.atoms = 3;
  problem.edges = {{0, 1}, {0, 2}};
  problem.cloneable = {true, false, false};
  TableOracle dear({{{{1}, {0}}, 14}, {{{2}, {0}}, 17}});
  Solution solution = solve(problem, dear);
  EXPECT_EQ(solution.cost.time, 30);
  EXPECT_EQ(solution.statistics.cloned, 0);
  TableOracle cheap({{{{1}, {0}}, 14}, {{{2}, {0}}, 15}});
  solution = solve(problem, cheap);
  EXPECT_EQ(solution.cost.time, 29);
  EXPECT_EQ(solution.statistics.cloned, 1);
  EXPECT_EQ(solution.groups, (std::vector<Group>{{{1}, {0}}, {{2}, {0}}}));
}

/// 0 is needed by 1 only, and 1 by 2 and 3: cloned one after the other.
TEST(FusionSolveTest, ClonesChains) {
  Problem problem;
  problem.atoms = 4;
  problem.edges = {{0, 1}, {1, 2}, {1, 3}};
  problem.cloneable = {true, true, false, false};
  TableOracle oracle({{{{2}, {1}}, 14},
                      {{{3}, {1}}, 14},
                      {{{2}, {0, 1}}, 15},
                      {{{3}, {0, 1}}, 15}});
  Solution solution = solve(problem, oracle);
  EXPECT_EQ(complaint(problem, oracle, solution), "");
  EXPECT_EQ(solution.groups,
            (std::vector<Group>{{{2}, {0, 1}}, {{3}, {0, 1}}}));
}

/// With the atom cloned, other groups are best than without.
TEST(FusionSolveTest, GroupsAnewAroundClones) {
  Problem problem;
  problem.atoms = 4;
  problem.edges = {{0, 1}, {0, 2}, {2, 3}};
  problem.cloneable = {true, false, false, false};
  TableOracle oracle({{{{1}, {0}}, 12},
                      {{{2}, {0}}, 12},
                      {{{2, 3}, {}}, 19},
                      {{{2, 3}, {0}}, 13}});
  EXPECT_EQ(solve(problem, oracle).cost.time, 25);
}

TEST(FusionSolveTest, IsNoWorseThanTheStart) {
  Problem problem = chainOf(20);
  Options options;
  options.mostAtoms = 4;
  Group all;
  for (unsigned atom = 0; atom < 20; ++atom)
    all.atoms.push_back(atom);
  TableOracle oracle({{all, 50}, {{{4, 5}, {}}, 11}});
  EXPECT_EQ(solve(problem, oracle, options).cost.time, 191);
  options.start = {all};
  Solution solution = solve(problem, oracle, options);
  EXPECT_EQ(solution.cost.time, 50);
  EXPECT_EQ(complaint(problem, oracle, solution), "");
}

/// A start that costs more in all may have a part worth keeping.
TEST(FusionSolveTest, TakesPartsOfTheStart) {
  Problem problem = chainOf(16);
  Options options;
  options.mostAtoms = 4;
  Group low, high;
  for (unsigned atom = 0; atom < 16; ++atom)
    (atom < 8 ? low : high).atoms.push_back(atom);
  TableOracle oracle({{low, 40}, {high, 150}});
  options.start = {low, high};
  EXPECT_EQ(solve(problem, oracle, options).cost.time, 120);
}

TEST(FusionSolveTest, HoldsProblemsAgainstTheirForm) {
  Problem problem = chainOf(3);
  problem.edges.push_back({2, 2});
  EXPECT_EQ(llvm::toString(check(problem)), "atom 2 cannot need atom 2");
  problem = chainOf(3);
  problem.edges.push_back({1, 3});
  EXPECT_EQ(llvm::toString(check(problem)), "atom 3 cannot need atom 1");
  problem = chainOf(3);
  problem.readers = {{0, 3}};
  EXPECT_EQ(llvm::toString(check(problem)), "reader 3 is no atom");
  problem = chainOf(3);
  problem.alone = {true};
  EXPECT_EQ(llvm::toString(check(problem)), "not one flag per atom");
}
