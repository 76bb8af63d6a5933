//===- Order.cpp - nodes in the order of their values ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file sorts nodes that stand in any order, and finds values that are made
// twice, by nobody, or by themselves.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Nodes.h"
#include "lib/Import/Onnx/Session.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <queue>

using namespace mlir;
using namespace tenon::onnximport;
using proto::GraphProto;
using proto::NodeProto;

namespace {
/// The names that may be read in a graph: its own and those around it.
struct Scope {
  const Scope *outer = nullptr;
  llvm::StringSet<> names;

  bool has(StringRef name) const {
    return names.contains(name) || (outer && outer->has(name));
  }
};

/// The nodes of one graph, branch or function body.
class Ordering {
public:
  Ordering(Session &session, NodeList &nodes, Scope &scope)
      : session(session), nodes(nodes), scope(scope) {}
  /// Sorts the nodes, and those of their subgraphs. `scope` holds the inputs
  /// before and all values after it.
  LogicalResult run();

private:
  LogicalResult findMakers();
  LogicalResult findUses();
  LogicalResult sort();
  LogicalResult reportCycle(ArrayRef<unsigned> waitsFor) const;
  LogicalResult orderSubgraphs();

  Session &session;
  NodeList &nodes;
  Scope &scope;
  llvm::StringMap<int> makers;            ///< value -> node
  std::vector<SmallVector<int, 4>> reads; ///< node -> nodes that it waits for
};
} // namespace

static void addInputs(const GraphProto &graph, llvm::StringSet<> &names) {
  for (const proto::ValueInfoProto &input : graph.input())
    names.insert(input.name());
  for (const proto::TensorProto &tensor : graph.initializer())
    names.insert(tensor.name());
}

/// Adds the names that `node` reads, in its subgraphs too, where they are not
/// made.
static void addReads(const NodeProto &node, llvm::SetVector<StringRef> &reads) {
  for (const std::string &input : node.input())
    if (!input.empty())
      reads.insert(input);
  forEachSubgraph(node, [&](const GraphProto &graph) {
    llvm::SetVector<StringRef> inner;
    llvm::StringSet<> made;
    addInputs(graph, made);
    for (const NodeProto &other : graph.node()) {
      addReads(other, inner);
      made.insert_range(other.output());
    }
    for (const proto::ValueInfoProto &output : graph.output())
      inner.insert(output.name());
    for (StringRef name : inner)
      if (!made.contains(name))
        reads.insert(name);
  });
}

LogicalResult Ordering::findMakers() {
  for (auto [index, node] : llvm::enumerate(nodes))
    for (const std::string &output : node.output()) {
      if (output.empty())
        continue;
      if (scope.names.contains(output))
        return session.error(node) << "its output '" << output
                                   << "' is an input or an initialiser already";
      auto [known, isNew] = makers.try_emplace(output, int(index));
      if (!isNew)
        return session.error(node)
               << "its output '" << output << "' is made by "
               << describe(nodes.Get(known->second)) << " already";
    }
  return success();
}

LogicalResult Ordering::findUses() {
  for (const NodeProto &node : nodes) {
    for (const std::string &input : node.input())
      if (!input.empty() && !makers.contains(input) && !scope.has(input))
        return session.error(node)
               << "its input '" << input << "' is not made by any node";
    llvm::SetVector<StringRef> names;
    addReads(node, names);
    llvm::SmallSetVector<int, 4> from;
    for (StringRef name : names)
      if (auto maker = makers.find(name); maker != makers.end())
        from.insert(maker->second);
    reads.emplace_back(from.takeVector());
  }
  return success();
}

/// Of the nodes that could come next, the first in the model does, so that
/// sorted nodes stay where they are.
LogicalResult Ordering::sort() {
  SmallVector<unsigned> waitsFor;
  std::vector<SmallVector<int, 2>> users(nodes.size());
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (auto [index, from] : llvm::enumerate(reads)) {
    waitsFor.push_back(from.size());
    for (int maker : from)
      users[maker].push_back(int(index));
    if (from.empty())
      ready.push(int(index));
  }
  SmallVector<int> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (int user : users[order.back()])
      if (--waitsFor[user] == 0)
        ready.push(user);
  }
  if (int(order.size()) != nodes.size())
    return reportCycle(waitsFor);
  NodeList sorted;
  for (int index : order)
    sorted.Add()->Swap(nodes.Mutable(index));
  nodes.Swap(&sorted);
  return success();
}

/// Every node that waits for others waits for one that waits, too.
LogicalResult Ordering::reportCycle(ArrayRef<unsigned> waitsFor) const {
  auto waits = [&](int node) { return waitsFor[node] != 0; };
  llvm::SetVector<int> path;
  int node = int(llvm::find_if(waitsFor, [](unsigned n) { return n != 0; }) -
                 waitsFor.begin());
  while (path.insert(node))
    node = *llvm::find_if(reads[node], waits);
  constexpr size_t most = 10;
  InFlightDiagnostic diagnostic = session.error();
  diagnostic << "nodes wait for each other in a cycle:";
  auto cycle = llvm::make_range(llvm::find(path, node), path.end());
  for (auto [count, member] : llvm::enumerate(cycle)) {
    if (count == most) {
      diagnostic << " ...";
      break;
    }
    diagnostic << (count ? ", " : " ") << describe(nodes.Get(member));
  }
  return failure();
}

LogicalResult Ordering::orderSubgraphs() {
  LogicalResult result = success();
  auto order = [&](GraphProto &graph) {
    Scope inner{&scope, {}};
    addInputs(graph, inner.names);
    Ordering ordering(session, *graph.mutable_node(), inner);
    if (succeeded(result))
      result = ordering.run();
  };
  for (NodeProto &node : nodes)
    forEachSubgraph(node, order);
  return result;
}

LogicalResult Ordering::run() {
  if (failed(findMakers()) || failed(findUses()) || failed(sort()))
    return failure();
  for (const auto &maker : makers)
    scope.names.insert(maker.getKey());
  return orderSubgraphs();
}

LogicalResult tenon::onnximport::orderNodes(Session &session) {
  GraphProto &graph = *session.model.mutable_graph();
  Scope scope;
  addInputs(graph, scope.names);
  if (failed(Ordering(session, *graph.mutable_node(), scope).run()))
    return failure();
  for (proto::FunctionProto &function : *session.model.mutable_functions()) {
    Scope inner;
    inner.names.insert_range(function.input());
    if (failed(Ordering(session, *function.mutable_node(), inner).run()))
      return failure();
    for (const std::string &output : function.output())
      if (!inner.has(output))
        return session.error()
               << "output '" << output << "' of function '" << function.name()
               << "' is not made by any node";
  }
  return success();
}
