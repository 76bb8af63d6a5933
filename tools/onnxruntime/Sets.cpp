//===- Sets.cpp - which nodes are compiled together -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/Sets.h"

#include <algorithm>
#include <numeric>

using namespace tenon::ort;

/// Calls `visit` with each node that makes something for `node`.
template <typename Visit>
static void forProducers(const Graph &graph, const Node &node, Visit visit) {
  for (const std::vector<int> *values : {&node.inputs, &node.implicit})
    for (int value : *values)
      if (value >= 0 && graph.values[value].producer >= 0)
        visit(graph.values[value].producer);
}

/// How often a path to a node leaves what is supported and comes back: what is
/// equally deep has no path through others between it.
static std::vector<int> depths(const Graph &graph,
                               const std::vector<bool> &isSupported) {
  std::vector<int> depth(graph.nodes.size(), 0);
  for (size_t node = 0; node < depth.size(); ++node)
    forProducers(graph, graph.nodes[node], [&](int producer) {
      bool comesBack = isSupported[node] && !isSupported[producer];
      depth[node] = std::max(depth[node], depth[producer] + comesBack);
    });
  return depth;
}

static int rootOf(std::vector<int> &parents, int node) {
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}

std::vector<NodeSet>
tenon::ort::convexSets(const Graph &graph,
                       const std::vector<bool> &isSupported) {
  if (std::all_of(isSupported.begin(), isSupported.end(),
                  [](bool is) { return is; })) {
    NodeSet all(graph.nodes.size());
    std::iota(all.begin(), all.end(), 0);
    return {all};
  }
  std::vector<int> depth = depths(graph, isSupported);
  std::vector<int> parents(depth.size());
  std::iota(parents.begin(), parents.end(), 0);
  for (size_t node = 0; node < depth.size(); ++node)
    forProducers(graph, graph.nodes[node], [&](int producer) {
      if (isSupported[node] && isSupported[producer] &&
          depth[node] == depth[producer])
        parents[rootOf(parents, int(node))] = rootOf(parents, producer);
    });
  std::vector<NodeSet> byRoot(depth.size()), sets;
  for (size_t node = 0; node < depth.size(); ++node)
    if (isSupported[node])
      byRoot[rootOf(parents, int(node))].push_back(int(node));
  for (NodeSet &set : byRoot)
    if (!set.empty())
      sets.push_back(std::move(set));
  return sets;
}

/// Whether an operator does more than walk once over its elements.
static bool hasWork(const std::string &op) {
  for (const char *part :
       {"Conv", "MatMul", "Gemm", "Einsum", "LSTM", "GRU", "RNN", "Attention",
        "Normalization", "Softmax", "Pool", "Resize", "DFT"})
    if (op.find(part) != std::string::npos)
      return true;
  return false;
}

bool tenon::ort::isWorthwhile(const Graph &graph, const NodeSet &set) {
  return set.size() == graph.nodes.size() ||
         std::any_of(set.begin(), set.end(),
                     [&](int node) { return hasWork(graph.nodes[node].op); });
}

/// What nodes outside of the set, or nobody but the graph, take.
static std::vector<bool> takenOutside(const Graph &graph,
                                      const std::vector<bool> &isInside) {
  std::vector<bool> isTaken(graph.values.size());
  for (size_t value = 0; value < isTaken.size(); ++value)
    isTaken[value] = graph.values[value].isOutput;
  for (size_t node = 0; node < isInside.size(); ++node)
    for (auto *values :
         {&graph.nodes[node].inputs, &graph.nodes[node].implicit})
      for (int value : *values)
        if (value >= 0 && !isInside[node])
          isTaken[value] = true;
  return isTaken;
}

Border tenon::ort::borderOf(const Graph &graph, const NodeSet &set) {
  std::vector<bool> isInside(graph.nodes.size());
  for (int node : set)
    isInside[node] = true;
  std::vector<bool> isTaken = takenOutside(graph, isInside);
  std::vector<bool> isKnown(graph.values.size());
  Border border;
  for (int node : set)
    for (int value : graph.nodes[node].inputs) {
      if (value < 0 || isKnown[value] || graph.values[value].isConstant)
        continue;
      isKnown[value] = true;
      int producer = graph.values[value].producer;
      if (producer < 0 || !isInside[producer])
        border.inputs.push_back(value);
    }
  for (int node : set)
    for (int value : graph.nodes[node].outputs)
      if (value >= 0 && isTaken[value])
        border.outputs.push_back(value);
  return border;
}
