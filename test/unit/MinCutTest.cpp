//===- MinCutTest.cpp - the cheapest way to split a network ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares the solver's cuts with the best of all cuts of small
// networks, and holds validate() against wrong solutions.
//===----------------------------------------------------------------------===//
// LINK: TenonFlow MLIR LLVM
#include "lib/Flow/MinCut.h"
#include <gtest/gtest.h>

#include <random>

using namespace tenon::flow;

static constexpr unsigned source = MinCutProblem::source;
static constexpr unsigned sink = MinCutProblem::sink;

static std::string complaint(const MinCutProblem &problem,
                             const MinCutSolution &solution) {
  return llvm::toString(validate(problem, solution));
}

/// The least cost over all ways to place the inner nodes.
static int64_t bestCost(const MinCutProblem &problem) {
  int64_t best = MinCutProblem::infinite;
  for (unsigned bits = 0; bits < 1u << (problem.nodes - 2); ++bits) {
    std::vector<bool> side = {true, false};
    for (unsigned node = 2; node < problem.nodes; ++node)
      side.push_back(bits >> (node - 2) & 1);
    best = std::min(best, costOf(problem, side));
  }
  return best;
}

/// Any edges, loops and those into the source included.
static MinCutProblem randomProblem(std::mt19937 &random) {
  MinCutProblem problem;
  problem.nodes = 2 + random() % 8;
  for (unsigned count = problem.nodes * 3; count > 0; --count) {
    unsigned from = random() % problem.nodes, to = random() % problem.nodes;
    problem.addEdge(from, to, int64_t(random() % 10));
  }
  return problem;
}

/// source -> node -> sink.
static MinCutProblem chain(int64_t first, int64_t second) {
  MinCutProblem problem;
  unsigned node = problem.addNode();
  problem.addEdge(source, node, first);
  problem.addEdge(node, sink, second);
  return problem;
}

TEST(MinCutTest, PrefersTheSourceWhereBothAreCheapest) {
  MinCutProblem problem = chain(3, 3);
  unsigned alone = problem.addNode();
  MinCutSolution solution = solve(problem);
  EXPECT_TRUE(solution.side[2]);
  EXPECT_FALSE(solution.side[alone]);
}

TEST(MinCutTest, EqualsTheBestOfAllCuts) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    MinCutProblem problem = randomProblem(random);
    MinCutSolution solution = solve(problem);
    EXPECT_EQ(complaint(problem, solution), "") << round;
    EXPECT_EQ(costOf(problem, solution.side), bestCost(problem)) << round;
  }
}

/// The proof accepts a cut exactly if it is one of the cheapest.
TEST(MinCutTest, RefusesDearerCuts) {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    MinCutProblem problem = randomProblem(random);
    MinCutSolution solution = solve(problem);
    int64_t best = bestCost(problem);
    for (unsigned bits = 0; bits < 1u << (problem.nodes - 2); ++bits) {
      for (unsigned node = 2; node < problem.nodes; ++node)
        solution.side[node] = bits >> (node - 2) & 1;
      bool isBest = costOf(problem, solution.side) == best;
      EXPECT_EQ(complaint(problem, solution).empty(), isBest) << round;
    }
  }
}

TEST(MinCutTest, RefusesWhatIsNoFlow) {
  MinCutProblem problem = chain(5, 3);
  MinCutSolution solution = solve(problem);
  EXPECT_EQ(solution.flow, (std::vector<int64_t>{3, 3}));
  solution.flow = {4, 3};
  EXPECT_EQ(complaint(problem, solution),
            "invalid minimum cut: what flows into a node does not flow out of "
            "it");
  solution.flow = {4, 4};
  EXPECT_EQ(complaint(problem, solution),
            "invalid minimum cut: an edge carries more than it can");
  solution.flow = {2, 2};
  EXPECT_EQ(complaint(problem, solution),
            "invalid minimum cut: a cheaper cut may exist: the flow does not "
            "fill it");
  solution.side = {true, true, false};
  EXPECT_EQ(complaint(problem, solution),
            "invalid minimum cut: source and sink are not on their own sides");
  solution.flow.clear();
  EXPECT_EQ(complaint(problem, solution),
            "invalid minimum cut: it is of another network");
}

TEST(MinCutTest, NeverCutsWhatMustNotBeCut) {
  int64_t infinite = MinCutProblem::infinite;
  MinCutProblem problem = chain(infinite, 7);
  EXPECT_EQ(complaint(problem, solve(problem)), "");
  problem = chain(infinite, infinite);
  for (int count = 0; count < 20; ++count) // their sum is no int64_t
    problem.addEdge(source, sink, infinite);
  EXPECT_EQ(complaint(problem, solve(problem)),
            "invalid minimum cut: it cuts an edge that must not be cut");
}

TEST(MinCutTest, TakesLongPaths) {
  MinCutProblem problem;
  unsigned last = source;
  for (int count = 0; count < 300000; ++count) {
    unsigned node = problem.addNode();
    problem.addEdge(last, node, count == 1000 ? 1 : 2);
    last = node;
  }
  problem.addEdge(last, sink, 2);
  MinCutSolution solution = solve(problem);
  EXPECT_EQ(complaint(problem, solution), "");
  EXPECT_TRUE(solution.side[sink + 1000]);
  EXPECT_FALSE(solution.side[sink + 1001]);
}
