//===- Nodes.h - walking over nodes and their subgraphs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_NODES_H
#define TENON_LIB_IMPORT_ONNX_NODES_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <string>
#include <tuple>

namespace tenon::onnximport {

using NodeList = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

/// Domain -> version, with "" for the default domain.
using OpsetMap = std::map<std::string, int64_t>;

template <typename Imports> OpsetMap opsetsOf(const Imports &imports) {
  OpsetMap opsets;
  for (const ::onnx::OperatorSetIdProto &import : imports)
    opsets[import.domain()] = import.version();
  return opsets;
}

/// The version of `domain`, or -1.
inline int64_t opsetOf(const OpsetMap &opsets, const std::string &domain) {
  auto found = opsets.find(domain);
  return found == opsets.end() ? -1 : found->second;
}

/// What tells functions from each other: domain, name, overload.
using FunctionId = std::tuple<std::string, std::string, std::string>;

inline FunctionId idOf(const ::onnx::FunctionProto &function) {
  return {function.domain(), function.name(), function.overload()};
}
/// Of the function that `node` calls, if there is one.
inline FunctionId idOf(const ::onnx::NodeProto &node) {
  return {node.domain(), node.op_type(), node.overload()};
}

/// The functions of a model.
using FunctionMap = std::map<FunctionId, const ::onnx::FunctionProto *>;

inline FunctionMap functionsOf(const ::onnx::ModelProto &model) {
  FunctionMap functions;
  for (const ::onnx::FunctionProto &function : model.functions())
    functions[idOf(function)] = &function;
  return functions;
}

/// Calls `visit` on each subgraph of `node`, which may be const.
template <typename Node, typename Visit>
void forEachSubgraph(Node &node, Visit visit) {
  if constexpr (std::is_const_v<Node>) {
    for (const auto &attribute : node.attribute()) {
      if (attribute.has_g())
        visit(attribute.g());
      for (const auto &graph : attribute.graphs())
        visit(graph);
    }
  } else {
    for (auto &attribute : *node.mutable_attribute()) {
      if (attribute.has_g())
        visit(*attribute.mutable_g());
      for (auto &graph : *attribute.mutable_graphs())
        visit(graph);
    }
  }
}

/// Calls `visit` with each name that a node and its subgraphs read; an absent
/// operand has none ("").
template <typename Visit>
void forEachRead(const ::onnx::NodeProto &node, Visit &visit) {
  for (const std::string &input : node.input())
    visit(input);
  forEachSubgraph(node, [&](const ::onnx::GraphProto &graph) {
    for (const ::onnx::NodeProto &inner : graph.node())
      forEachRead(inner, visit);
    for (const ::onnx::ValueInfoProto &output : graph.output())
      visit(output.name());
  });
}

/// Calls `visit` on each list of nodes in the model: of the graph, of the
/// functions, of subgraphs of both.
void forEachNodeList(::onnx::ModelProto &model,
                     llvm::function_ref<void(NodeList &)> visit);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_NODES_H
