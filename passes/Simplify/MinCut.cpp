//===- MinCut.cpp - the cheapest way to split a network -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the maximum flow by phases of blocking flows. All orders
// are those in which nodes and edges were added.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/MinCut.h"

#include <algorithm>
#include <limits>

using namespace tenon::simplify;

static constexpr unsigned unranked = std::numeric_limits<unsigned>::max();

unsigned MinCut::addNode() {
  edgesOf.emplace_back();
  return edgesOf.size() - 1;
}

void MinCut::addEdge(unsigned from, unsigned to, int64_t capacity) {
  if (from == to)
    return;
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, capacity});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

/// Distances from the source over edges with capacity left.
bool MinCut::rank() {
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
void MinCut::send(llvm::ArrayRef<unsigned> path) {
  int64_t sent = infinite;
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
bool MinCut::augment() {
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

std::vector<bool> MinCut::connected() const {
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

std::vector<bool> MinCut::reachesSink() const {
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

std::vector<bool> MinCut::solve() {
  while (rank()) {
    next.assign(edgesOf.size(), 0);
    while (augment()) {
    }
  }
  std::vector<bool> side = connected();
  std::vector<bool> reaches = reachesSink();
  for (size_t node = 0; node < side.size(); ++node)
    side[node] = side[node] && !reaches[node];
  return side;
}
