//===- MinCut.cpp - the cheapest way to split a network -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the maximum flow by phases of blocking flows, along
// shortest augmenting paths. All orders are those in which nodes and edges were
// added.
//===----------------------------------------------------------------------===//
#include "lib/Flow/MinCut.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <limits>

using namespace tenon::flow;

static constexpr unsigned unranked = std::numeric_limits<unsigned>::max();

//===-- The solver --------------------------------------------------------===//

namespace {
/// What is left of each edge's capacity. Edge `i` of the problem is edge `2 i`
/// here; its reverse, `2 i + 1`, can take back what flows along it.
class Residual {
public:
  explicit Residual(const MinCutProblem &problem);

  void saturate();
  MinCutSolution solution() const;

private:
  static constexpr unsigned source = MinCutProblem::source;
  static constexpr unsigned sink = MinCutProblem::sink;

  struct Edge {
    unsigned to;
    int64_t capacity; ///< what is left of it
  };

  bool rank();
  bool augment();
  void send(llvm::ArrayRef<unsigned> path);
  std::vector<bool> connected() const;
  std::vector<bool> reachesSink() const;

  std::vector<Edge> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> edgesOf;
  std::vector<unsigned> level, next;
};
} // namespace

Residual::Residual(const MinCutProblem &problem) : edgesOf(problem.nodes) {
  for (const MinCutProblem::Edge &edge : problem.edges) {
    edgesOf[edge.from].push_back(edges.size());
    edges.push_back({edge.to, edge.capacity});
    edgesOf[edge.to].push_back(edges.size());
    edges.push_back({edge.from, 0});
  }
}

/// Distances from the source over edges with capacity left.
bool Residual::rank() {
  level.assign(edgesOf.size(), unranked);
  level[source] = 0;
  std::vector<unsigned> queue = {source};
  for (size_t head = 0; head < queue.size(); ++head)
    for (unsigned index : edgesOf[queue[head]]) {
      const Edge &edge = edges[index];
      if (edge.capacity == 0 || level[edge.to] != unranked)
        continue;
      level[edge.to] = level[queue[head]] + 1;
      queue.push_back(edge.to);
    }
  return level[sink] != unranked;
}

/// Adds what fits to the flow along `path`.
void Residual::send(llvm::ArrayRef<unsigned> path) {
  int64_t sent = MinCutProblem::infinite;
  for (unsigned index : path)
    sent = std::min(sent, edges[index].capacity);
  for (unsigned index : path) {
    edges[index].capacity -= sent;
    edges[index ^ 1].capacity += sent;
  }
}

/// Walks to the sink along rising levels and sends flow there; false when no
/// path is left. `next` skips edges that are used up in this phase. A loop
/// instead of a recursion: paths are as long as the model is deep.
bool Residual::augment() {
  std::vector<unsigned> path;
  for (unsigned node = source; node != sink;) {
    auto &at = next[node];
    while (at < edgesOf[node].size()) {
      const Edge &edge = edges[edgesOf[node][at]];
      if (edge.capacity != 0 && level[edge.to] == level[node] + 1)
        break;
      ++at;
    }
    if (at < edgesOf[node].size()) {
      path.push_back(edgesOf[node][at]);
      node = edges[path.back()].to;
      continue;
    }
    if (path.empty())
      return false;
    node = edges[path.back() ^ 1].to;
    path.pop_back();
    ++next[node];
  }
  send(path);
  return true;
}

std::vector<bool> Residual::connected() const {
  std::vector<bool> seen(edgesOf.size(), false);
  std::vector<unsigned> queue = {source};
  seen[source] = seen[sink] = true;
  for (size_t head = 0; head < queue.size(); ++head)
    for (unsigned index : edgesOf[queue[head]])
      if (!seen[edges[index].to]) {
        seen[edges[index].to] = true;
        queue.push_back(edges[index].to);
      }
  return seen;
}

std::vector<bool> Residual::reachesSink() const {
  std::vector<bool> reaches(edgesOf.size(), false);
  std::vector<unsigned> queue = {sink};
  reaches[sink] = true;
  for (size_t head = 0; head < queue.size(); ++head)
    for (unsigned index : edgesOf[queue[head]]) {
      unsigned from = edges[index].to;
      if (edges[index ^ 1].capacity == 0 || reaches[from])
        continue;
      reaches[from] = true;
      queue.push_back(from);
    }
  return reaches;
}

void Residual::saturate() {
  while (rank()) {
    next.assign(edgesOf.size(), 0);
    while (augment()) {
    }
  }
}

MinCutSolution Residual::solution() const {
  MinCutSolution solution;
  solution.side = connected();
  std::vector<bool> reaches = reachesSink();
  for (size_t node = 0; node < reaches.size(); ++node)
    solution.side[node] = solution.side[node] && !reaches[node];
  for (size_t index = 1; index < edges.size(); index += 2)
    solution.flow.push_back(edges[index].capacity);
  return solution;
}

MinCutSolution tenon::flow::solve(const MinCutProblem &problem) {
  Residual residual(problem);
  residual.saturate();
  return residual.solution();
}

//===-- The proof ---------------------------------------------------------===//

int64_t tenon::flow::costOf(const MinCutProblem &problem,
                            const std::vector<bool> &side) {
  int64_t cost = 0;
  for (const MinCutProblem::Edge &edge : problem.edges)
    if (side[edge.from] && !side[edge.to])
      cost = std::min(MinCutProblem::infinite, cost + edge.capacity);
  return cost;
}

static llvm::Error invalid(const char *reason) {
  return llvm::createStringError("invalid minimum cut: %s", reason);
}

/// Whether what flows into each node but the two ends also flows out of it.
static bool conserves(const MinCutProblem &problem,
                      llvm::ArrayRef<int64_t> flow) {
  // Wraps round where many edges are infinite, and is zero all the same.
  std::vector<uint64_t> excess(problem.nodes, 0);
  for (auto [edge, amount] : llvm::zip(problem.edges, flow)) {
    excess[edge.from] -= uint64_t(amount);
    excess[edge.to] += uint64_t(amount);
  }
  return std::all_of(excess.begin() + 2, excess.end(),
                     [](uint64_t amount) { return amount == 0; });
}

llvm::Error tenon::flow::validate(const MinCutProblem &problem,
                                  const MinCutSolution &solution) {
  const std::vector<bool> &side = solution.side;
  if (side.size() != problem.nodes ||
      solution.flow.size() != problem.edges.size())
    return invalid("it is of another network");
  if (!side[MinCutProblem::source] || side[MinCutProblem::sink])
    return invalid("source and sink are not on their own sides");
  for (auto [edge, flow] : llvm::zip(problem.edges, solution.flow)) {
    if (flow < 0 || flow > edge.capacity)
      return invalid("an edge carries more than it can");
    bool leaves = side[edge.from] && !side[edge.to];
    bool returns = !side[edge.from] && side[edge.to];
    if (leaves && edge.capacity >= MinCutProblem::infinite)
      return invalid("it cuts an edge that must not be cut");
    if ((leaves && flow < edge.capacity) || (returns && flow > 0))
      return invalid("a cheaper cut may exist: the flow does not fill it");
  }
  if (!conserves(problem, solution.flow))
    return invalid("what flows into a node does not flow out of it");
  return llvm::Error::success();
}
