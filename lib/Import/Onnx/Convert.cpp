//===- Convert.cpp - one opset, no functions, all shapes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file brings a checked model into the form that is built from: node by
// node, each from the opset that it was written in, with the types that its
// operands have by then.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Session.h"
#include "lib/Import/Onnx/Upgrade.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::GraphProto;
using proto::NodeProto;
using proto::OpSchema;

namespace {
/// Appends nodes in the newest opset to a graph.
class Converter : public NodeReceiver {
public:
  explicit Converter(Session &session)
      : session(session), values(session.model.graph()) {}
  LogicalResult run();

  LogicalResult add(NodeProto node, int64_t opset, GraphProto &target) override;
  void enter(const NodeProto &node, GraphProto &graph) override {
    values.enterSubgraph(node, graph);
  }
  const proto::TypeProto *typeOf(const std::string &value) const override {
    return values.typeOf(value);
  }

private:
  LogicalResult upgrade(NodeProto node, int64_t opset, GraphProto &target);
  void append(NodeProto node, const OpSchema &schema, GraphProto &target);
  void addInputs();
  LogicalResult setOutputTypes(GraphProto &graph);
  void setType(proto::ValueInfoProto &output);
  void setValueType(GraphProto &graph, const std::string &value);
  void setValueTypes(GraphProto &graph, const NodeList &nodes);

  Session &session;
  NameSource names;
  Inference values;
};
} // namespace

/// Makes `tensor` from one of Constant's scalar and list forms; false if
/// `attribute` is none.
static bool constantValue(const proto::AttributeProto &attribute,
                          proto::TensorProto &tensor) {
  using proto::TensorProto;
  StringRef name = attribute.name();
  if (name == "value_int" || name == "value_ints") {
    tensor.set_data_type(TensorProto::INT64);
    *tensor.mutable_int64_data() = attribute.ints();
    if (name == "value_int")
      tensor.add_int64_data(attribute.i());
  } else if (name == "value_float" || name == "value_floats") {
    tensor.set_data_type(TensorProto::FLOAT);
    *tensor.mutable_float_data() = attribute.floats();
    if (name == "value_float")
      tensor.add_float_data(attribute.f());
  } else if (name == "value_string" || name == "value_strings") {
    tensor.set_data_type(TensorProto::STRING);
    *tensor.mutable_string_data() = attribute.strings();
    if (name == "value_string")
      tensor.add_string_data(attribute.s());
  } else {
    return false;
  }
  if (name.ends_with("s"))
    tensor.add_dims(tensor.int64_data_size() + tensor.float_data_size() +
                    tensor.string_data_size());
  return true;
}

/// Gives a Constant its tensor in attribute `value`, whatever form it has.
static LogicalResult unifyConstant(Session &session, NodeProto &node) {
  if (node.attribute_size() != 1 || node.output(0).empty())
    return session.error(node) << "must have one attribute and one output";
  proto::AttributeProto &attribute = *node.mutable_attribute(0);
  if (attribute.name() == "value")
    return success();
  proto::TensorProto tensor;
  if (!constantValue(attribute, tensor))
    return session.error(node)
           << "attribute '" << attribute.name() << "' is not supported";
  attribute.Clear();
  attribute.set_name("value");
  attribute.set_type(proto::AttributeProto::TENSOR);
  *attribute.mutable_t() = std::move(tensor);
  return success();
}

/// The node's address, and with it those of its attributes, stays the same.
void Converter::append(NodeProto node, const OpSchema &schema,
                       GraphProto &target) {
  NodeProto &added = *target.add_node();
  added.Swap(&node);
  values.addNode(added, schema);
}

LogicalResult Converter::upgrade(NodeProto node, int64_t opset,
                                 GraphProto &target) {
  int64_t newest = tenon::onnx::newestOpset();
  std::string what = describe(node);
  Upgrade result(std::move(node), values, names);
  if (!result.run(opset))
    return session.error() << what << ": cannot be brought from opset " << opset
                           << " to " << newest << ": " << result.problem;
  result.before.push_back(std::move(result.node));
  llvm::move(result.after, std::back_inserter(result.before));
  for (NodeProto &part : result.before) {
    const OpSchema *schema = schemaOf(part, newest);
    if (!schema || schema->Deprecated())
      return session.error() << what << ": opset " << newest
                             << " has no such operator any more";
    append(std::move(part), *schema, target);
  }
  return success();
}

LogicalResult Converter::add(NodeProto node, int64_t opset,
                             GraphProto &target) {
  const OpSchema *schema = schemaOf(node, opset);
  if (!schema)
    return session.error(node)
           << "ONNX has no such operator in opset " << opset;
  if (failed(checkNode(session, node, *schema, opset)))
    return failure();
  if (node.domain().empty() && node.op_type() == "Constant" &&
      failed(unifyConstant(session, node)))
    return failure();
  if (node.domain().empty())
    return upgrade(std::move(node), opset, target);
  append(std::move(node), *schema, target);
  return success();
}

void Converter::addInputs() {
  GraphProto &graph = *session.model.mutable_graph();
  for (proto::ValueInfoProto &input : *graph.mutable_input())
    values.addInput(input);
  for (const proto::TensorProto &tensor : graph.initializer())
    values.addConstant(tensor.name(), tensor);
  for (const auto *list : {&graph.value_info(), &graph.output()})
    for (const proto::ValueInfoProto &info : *list)
      values.declare(info);
}

static std::string makerOf(const GraphProto &graph, const std::string &value) {
  for (const NodeProto &node : graph.node())
    if (llvm::is_contained(node.output(), value))
      return describe(node) + " makes ";
  return "it is ";
}

/// Sizes that nothing implies are not believed; lowerings may ask for the rank.
void Converter::setType(proto::ValueInfoProto &output) {
  const proto::TypeProto *known = values.typeOf(output.name());
  const auto &stated = output.type().tensor_type();
  if (stated.has_shape() && !(known && known->tensor_type().has_shape()))
    session.statedRanks[output.name()] = stated.shape().dim_size();
  if (known)
    *output.mutable_type() = proto::TypeProto(*known);
  else if (output.type().has_tensor_type())
    output.mutable_type()->mutable_tensor_type()->clear_shape();
}

/// What the model declares is an error only where it contradicts what is
/// certain.
LogicalResult Converter::setOutputTypes(GraphProto &graph) {
  for (proto::ValueInfoProto &output : *graph.mutable_output()) {
    int32_t said = output.type().tensor_type().elem_type();
    int32_t known = values.elementType(output.name());
    if (said != 0 && known != 0 && said != known &&
        !values.isGuess(output.name()))
      return session.error()
             << "output '" << output.name() << "' is declared as "
             << tenon::onnx::dataTypeName(said) << ", but "
             << makerOf(graph, output.name())
             << tenon::onnx::dataTypeName(known);
    setType(output);
  }
  return success();
}

void Converter::setValueType(GraphProto &graph, const std::string &value) {
  const proto::TypeProto *type = values.typeOf(value);
  if (!type)
    session.inferenceErrors[value] = values.reason(value);
  if (!type || value.empty())
    return;
  proto::ValueInfoProto &info = *graph.add_value_info();
  info.set_name(value);
  *info.mutable_type() = *type;
}

/// Leaves extents open that nothing can have. In a subgraph they are no error
/// yet: it may never run.
static void openNegative(proto::TypeProto &type) {
  if (!type.tensor_type().has_shape())
    return;
  for (auto &dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim())
    if (dim.dim_value() < 0)
      dim.clear_dim_value();
}

void Converter::setValueTypes(GraphProto &graph, const NodeList &nodes) {
  for (const NodeProto &node : nodes) {
    for (const std::string &value : node.output())
      setValueType(graph, value);
    forEachSubgraph(node, [&](const GraphProto &inner) {
      int outside = graph.value_info_size();
      for (const proto::ValueInfoProto &input : inner.input())
        setValueType(graph, input.name());
      setValueTypes(graph, inner.node());
      for (int i = outside; i < graph.value_info_size(); ++i)
        openNegative(*graph.mutable_value_info(i)->mutable_type());
    });
  }
}

LogicalResult Converter::run() {
  addInputs();
  GraphProto converted;
  if (failed(inlineFunctions(session, names, converted, *this)))
    return failure();
  GraphProto &graph = *session.model.mutable_graph();
  graph.mutable_node()->Swap(converted.mutable_node());
  graph.clear_value_info();
  setValueTypes(graph, graph.node());
  return setOutputTypes(graph);
}

LogicalResult tenon::onnximport::convertModel(Session &session) {
  return Converter(session).run();
}
