//===- MinCutTest.cpp - the cheapest way to split a network ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares the solver's cuts with the best of all cuts of small
// networks.
//===----------------------------------------------------------------------===//
// LINK: TenonSimplify MLIR LLVM
#include "passes/Simplify/MinCut.h"
#include <gtest/gtest.h>

#include <random>

using tenon::simplify::MinCut;

namespace {
struct Edge {
  unsigned from, to;
  int64_t capacity;
};
} // namespace

static int64_t costOf(const std::vector<Edge> &edges,
                      const std::vector<bool> &side) {
  int64_t cost = 0;
  for (const Edge &edge : edges)
    cost += side[edge.from] && !side[edge.to] ? edge.capacity : 0;
  return cost;
}

/// The least cost over all ways to place the inner nodes.
static int64_t bestCost(const std::vector<Edge> &edges, unsigned nodes) {
  int64_t best = MinCut::infinite;
  for (unsigned bits = 0; bits < 1u << (nodes - 2); ++bits) {
    std::vector<bool> side = {true, false};
    for (unsigned node = 2; node < nodes; ++node)
      side.push_back(bits >> (node - 2) & 1);
    best = std::min(best, costOf(edges, side));
  }
  return best;
}

TEST(MinCutTest, PrefersTheSourceWhereBothAreCheapest) {
  MinCut cut;
  unsigned node = cut.addNode(), alone = cut.addNode();
  cut.addEdge(MinCut::source, node, 3);
  cut.addEdge(node, MinCut::sink, 3);
  auto side = cut.solve();
  EXPECT_TRUE(side[node]);
  EXPECT_FALSE(side[alone]);
}

TEST(MinCutTest, EqualsTheBestOfAllCuts) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    unsigned nodes = 3 + random() % 7;
    MinCut cut;
    for (unsigned node = 2; node < nodes; ++node)
      cut.addNode();
    std::vector<Edge> edges;
    for (unsigned count = 0; count < nodes * 3; ++count) {
      Edge edge{unsigned(random() % nodes), unsigned(random() % nodes),
                int64_t(random() % 10)};
      if (edge.to == MinCut::source || edge.from == MinCut::sink)
        continue;
      edges.push_back(edge);
      cut.addEdge(edge.from, edge.to, edge.capacity);
    }
    auto side = cut.solve();
    EXPECT_TRUE(side[MinCut::source]);
    EXPECT_FALSE(side[MinCut::sink]);
    EXPECT_EQ(costOf(edges, side), bestCost(edges, nodes)) << round;
  }
}

TEST(MinCutTest, TakesLongPaths) {
  MinCut cut;
  unsigned last = MinCut::source;
  for (int count = 0; count < 300000; ++count) {
    unsigned node = cut.addNode();
    cut.addEdge(last, node, count == 1000 ? 1 : 2);
    last = node;
  }
  cut.addEdge(last, MinCut::sink, 2);
  auto side = cut.solve();
  EXPECT_TRUE(side[MinCut::sink + 1000]);
  EXPECT_FALSE(side[MinCut::sink + 1001]);
}
