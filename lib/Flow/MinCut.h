//===- MinCut.h - the cheapest way to split a network -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the minimum cut of a network. Its nodes fall in two sides,
// the source's and the sink's; what an edge from the first to the second can
// carry is what it costs to cut it there:
//
//               5        3
//      source ----> a ----> sink       the cheapest cut is behind a: it costs 3
//
// A solution carries a flow beside its cut. No flow is larger than what any cut
// lets through, so a flow that is as large as its cut proves both optimal.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FLOW_MINCUT_H
#define TENON_LIB_FLOW_MINCUT_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace tenon::flow {

/// A network. Example:
///
///   MinCutProblem problem;
///   unsigned node = problem.addNode();
///   problem.addEdge(MinCutProblem::source, node, 5);
///   problem.addEdge(node, MinCutProblem::sink, 3);
///   MinCutSolution solution = solve(problem); // solution.side[node] is true
struct MinCutProblem {
  static constexpr unsigned source = 0;
  static constexpr unsigned sink = 1;
  /// The capacity of an edge that must not be cut, and the largest there is.
  static constexpr int64_t infinite = int64_t(1) << 60;

  struct Edge {
    unsigned from, to;
    int64_t capacity; ///< from 0 to `infinite`
  };

  unsigned nodes = 2;
  std::vector<Edge> edges;

  unsigned addNode() { return nodes++; }
  void addEdge(unsigned from, unsigned to, int64_t capacity) {
    edges.push_back({from, to, capacity});
  }
};

struct MinCutSolution {
  std::vector<bool> side;    ///< of each node: whether it is with the source
  std::vector<int64_t> flow; ///< along each edge
};

/// What the edges cost that go from the source's side to the sink's; `infinite`
/// at most.
int64_t costOf(const MinCutProblem &problem, const std::vector<bool> &side);

/// Among cheapest cuts the one with most nodes on the source's side, except
/// nodes with no connection to the source, which are on the sink's. The same
/// problem has the same solution. Takes O(V^2 E) steps at worst, few in
/// practice.
MinCutSolution solve(const MinCutProblem &problem);

/// Proves that a solution is a cheapest cut, whoever made it, and that it cuts
/// no edge that must not be cut.
llvm::Error validate(const MinCutProblem &problem,
                     const MinCutSolution &solution);

} // namespace tenon::flow

#endif // TENON_LIB_FLOW_MINCUT_H
