//===- CheckNode.cpp - one node beside its schema -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks what a node has: attributes, operands, results, by the
// opset that it was written in.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Session.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::AttributeProto;
using proto::NodeProto;
using proto::OpSchema;
using FormalParameter = OpSchema::FormalParameter;

/// Models of IR version 1 do not say what kind an attribute is.
static void completeKind(AttributeProto &attribute,
                         AttributeProto::AttributeType expected) {
  if (attribute.type() == AttributeProto::UNDEFINED)
    attribute.set_type(expected);
}

/// Whether there is a payload for each kind that needs one.
static bool hasPayload(const AttributeProto &attribute) {
  switch (attribute.type()) {
  case AttributeProto::TENSOR:
    return attribute.has_t();
  case AttributeProto::GRAPH:
    return attribute.has_g();
  case AttributeProto::TYPE_PROTO:
    return attribute.has_tp();
  default:
    return true;
  }
}

static std::string checkAttributes(NodeProto &node, const OpSchema &schema) {
  std::set<std::string> seen;
  for (AttributeProto &attribute : *node.mutable_attribute()) {
    std::string name = "attribute '" + attribute.name() + "' ";
    auto formal = schema.attributes().find(attribute.name());
    if (formal == schema.attributes().end())
      return name + "is unknown";
    if (!seen.insert(attribute.name()).second)
      return name + "is there twice";
    completeKind(attribute, formal->second.type);
    if (attribute.type() != formal->second.type || !hasPayload(attribute))
      return name + "is of the wrong kind";
  }
  // The schema's map is unordered: name the first missing one by the alphabet.
  std::set<std::string> missing;
  for (const auto &[name, formal] : schema.attributes())
    if (formal.required && !seen.count(name))
      missing.insert(name);
  return missing.empty() ? ""
                         : "attribute '" + *missing.begin() + "' is missing";
}

/// Checks the names of one side, its operands or results.
template <typename Names>
static std::string checkSide(const Names &names, const char *word,
                             const std::vector<FormalParameter> &formals,
                             int most) {
  if (names.size() > most)
    return "has " + std::to_string(names.size()) + " " + word +
           "s but its operator at most " + std::to_string(most);
  for (auto [index, formal] : llvm::enumerate(formals)) {
    if (formal.GetOption() != OpSchema::Single)
      continue;
    if (int(index) >= names.size() || names[index].empty())
      return std::string(word) + " " + std::to_string(index) + " (" +
             formal.GetName() + ") is missing";
  }
  return "";
}

LogicalResult tenon::onnximport::checkNode(Session &session, NodeProto &node,
                                           const OpSchema &schema,
                                           int64_t opset) {
  std::string problem = checkAttributes(node, schema);
  if (problem.empty())
    problem =
        checkSide(node.input(), "input", schema.inputs(), schema.max_input());
  if (problem.empty())
    problem = checkSide(node.output(), "output", schema.outputs(),
                        schema.max_output());
  if (problem.empty())
    return success();
  return session.error(node) << problem << " (opset " << opset << ")";
}
