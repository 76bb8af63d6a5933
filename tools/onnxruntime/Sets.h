//===- Sets.h - which nodes are compiled together -----------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_ONNXRUNTIME_SETS_H
#define TENON_TOOLS_ONNXRUNTIME_SETS_H

#include "tools/onnxruntime/Graph.h"

namespace tenon::ort {

/// Nodes in the order of the graph.
using NodeSet = std::vector<int>;

/// Connected sets of nodes with `isSupported`, each of which can be one node:
/// no path leads out of it and back. All of the graph is one.
std::vector<NodeSet> convexSets(const Graph &graph,
                                const std::vector<bool> &isSupported);

/// Whether a set is worth its borders: it is the whole graph, or has something
/// other than element-wise operators and changes of shape.
bool isWorthwhile(const Graph &graph, const NodeSet &set);

/// What a set takes and makes, as values: no constants; what nodes outside, or
/// the graph's outputs, need.
struct Border {
  std::vector<int> inputs, outputs;
};
Border borderOf(const Graph &graph, const NodeSet &set);

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_SETS_H
