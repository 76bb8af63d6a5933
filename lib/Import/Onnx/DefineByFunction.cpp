//===- DefineByFunction.cpp - operators that take a graph -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file asks ONNX for the nodes that an operator with a subgraph stands
// for: SequenceMap, and others whose graphs come into their own.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Inline.h"
#include "lib/Import/Onnx/Session.h"
#include "onnx/defs/function.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::FunctionProto;
using proto::GraphProto;
using proto::NodeProto;
using proto::OpSchema;
using proto::TypeProto;

/// Adds what the nodes of a graph read and do not make.
static void addCaptures(const GraphProto &graph, llvm::StringSet<> &captures) {
  llvm::StringSet<> made;
  for (const auto &input : graph.input())
    made.insert(input.name());
  for (const auto &tensor : graph.initializer())
    made.insert(tensor.name());
  llvm::StringSet<> read;
  for (const NodeProto &node : graph.node()) {
    read.insert_range(node.input());
    made.insert_range(node.output());
    forEachSubgraph(node,
                    [&](const GraphProto &inner) { addCaptures(inner, read); });
  }
  for (const auto &name : read.keys())
    if (!made.contains(name))
      captures.insert(name);
}

/// A name of the definition that the graphs of `node` read as something else;
/// empty where there is none.
static std::string findClash(const NodeProto &node,
                             const FunctionProto &function) {
  llvm::StringSet<> captures;
  forEachSubgraph(
      node, [&](const GraphProto &graph) { addCaptures(graph, captures); });
  auto clashes = [&](const std::string &name) {
    return !name.empty() && captures.contains(name);
  };
  for (const auto *names : {&function.input(), &function.output()})
    for (const std::string &name : *names)
      if (clashes(name))
        return name;
  for (const NodeProto &inner : function.node())
    for (const std::string &name : inner.output())
      if (clashes(name))
        return name;
  return "";
}

/// ONNX's function for SequenceMap takes these for granted.
static std::string objection(const NodeProto &node, ArrayRef<TypeProto> types) {
  if (node.op_type() != "SequenceMap")
    return "";
  for (auto [index, type] : llvm::enumerate(types))
    if (type.value_case() == TypeProto::VALUE_NOT_SET)
      return "the type of its input " + std::to_string(index) + " is not known";
  for (const proto::AttributeProto &attribute : node.attribute())
    for (const auto &output : attribute.g().output())
      if (output.type().tensor_type().elem_type() == 0)
        return "output '" + output.name() + "' of its body has no type";
  return "";
}

FailureOr<FunctionProto>
tenon::onnximport::defineByFunction(Session &session, const NodeProto &node,
                                    int64_t opset, const NodeReceiver &known) {
  std::vector<TypeProto> types;
  for (const std::string &input : node.input()) {
    const TypeProto *type = input.empty() ? nullptr : known.typeOf(input);
    types.push_back(type ? *type : TypeProto());
  }
  const OpSchema *schema = schemaOf(node, opset);
  NodeProto copy = node;
  if (schema && failed(checkNode(session, copy, *schema, opset)))
    return failure();
  if (std::string why = objection(copy, types); !why.empty())
    return session.error(node) << why;
  FunctionProto function;
  proto::FunctionBodyBuildContextImpl context(copy, types);
  bool isMade =
      schema && schema->HasContextDependentFunction() &&
      schema->BuildContextDependentFunction(context, function, int(opset));
  if (!isMade)
    return session.error(node) << "its subgraph is not supported";
  if (std::string name = findClash(node, function); !name.empty())
    return session.error(node) << "its subgraph reads '" << name
                               << "', a name that its definition uses";
  return function;
}
