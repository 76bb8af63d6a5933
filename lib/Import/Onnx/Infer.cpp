//===- Infer.cpp - types and shapes of all values -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file drives onnx's inference functions over a graph without subgraphs.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Infer.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/shape_inference/implementation.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

namespace proto = ::onnx;
using proto::NodeProto;
using proto::OpSchema;
using proto::TypeProto;
using namespace tenon::onnximport;

/// Vectors with more elements are not followed.
static constexpr int64_t maxFollowed = 1024;

namespace {
class Inference {
public:
  explicit Inference(proto::ModelProto &model);
  void run();
  InferenceErrors errors;

private:
  void addConstant(const std::string &name, const proto::TensorProto &tensor);
  const OpSchema *schemaOf(const NodeProto &node) const;
  void inferNode(NodeProto &node);
  void inferWith(const OpSchema &schema, NodeProto &node);
  void follow(const OpSchema &schema, NodeProto &node);
  bool isShort(const std::string &value) const;
  void setType(const std::string &value, TypeProto type);
  void setElementType(const OpSchema &schema, const NodeProto &node,
                      int output);
  int32_t elementType(const std::string &value) const;
  void write();

  proto::GraphProto &graph;
  std::unordered_map<std::string, int> opsets;
  std::deque<TypeProto> storage;
  // These have the forms that onnx's contexts take.
  std::unordered_map<std::string, TypeProto *> types;
  std::unordered_map<std::string, const proto::TensorProto *> constants;
  std::unordered_map<std::string, const proto::SparseTensorProto *> noSparse;
  proto::shape_inference::DataValueMap followed;
  proto::shape_inference::SymbolTableImpl symbols;
};
} // namespace

Inference::Inference(proto::ModelProto &model) : graph(*model.mutable_graph()) {
  for (const auto &import : model.opset_import())
    opsets[import.domain()] = int(import.version());
  for (proto::ValueInfoProto &input : *graph.mutable_input())
    types[input.name()] = input.mutable_type();
  for (const proto::TensorProto &tensor : graph.initializer())
    addConstant(tensor.name(), tensor);
  graph.clear_value_info();
  symbols.addFromGraph(graph);
}

void Inference::addConstant(const std::string &name,
                            const proto::TensorProto &tensor) {
  constants[name] = &tensor;
  TypeProto &type = storage.emplace_back();
  type.mutable_tensor_type()->set_elem_type(tensor.data_type());
  auto &shape = *type.mutable_tensor_type()->mutable_shape();
  for (int64_t dim : tensor.dims())
    shape.add_dim()->set_dim_value(dim);
  types[name] = &type;
}

const OpSchema *Inference::schemaOf(const NodeProto &node) const {
  auto opset = opsets.find(node.domain());
  if (opset == opsets.end())
    return nullptr;
  return proto::OpSchemaRegistry::Schema(node.op_type(), opset->second,
                                         node.domain());
}

void Inference::setType(const std::string &value, TypeProto type) {
  if (value.empty() || type.value_case() == TypeProto::VALUE_NOT_SET)
    return;
  proto::shape_inference::MaterializeSymbolicShape(&type, symbols);
  types[value] = &storage.emplace_back(std::move(type));
}

int32_t Inference::elementType(const std::string &value) const {
  auto found = types.find(value);
  return found == types.end() ? 0 : found->second->tensor_type().elem_type();
}

/// Gives an output without type the element type that the schema implies: of an
/// operand that must have the same, or the only one that is allowed.
void Inference::setElementType(const OpSchema &schema, const NodeProto &node,
                               int output) {
  const std::string &value = node.output(output);
  if (value.empty() || elementType(value) != 0 || schema.outputs().empty())
    return;
  const auto &formal =
      schema.outputs()[std::min<size_t>(output, schema.outputs().size() - 1)];
  TypeProto type;
  auto &element = *type.mutable_tensor_type();
  for (auto [input, operand] : llvm::zip(schema.inputs(), node.input()))
    if (input.GetTypeStr() == formal.GetTypeStr() && elementType(operand) != 0)
      element.set_elem_type(elementType(operand));
  if (element.elem_type() == 0 && formal.GetTypes().size() == 1)
    type = proto::Utils::DataTypeUtils::ToTypeProto(*formal.GetTypes().begin());
  if (type.tensor_type().elem_type() != 0)
    setType(value, type);
}

/// Whether data propagation may look into `value`: onnx makes a message for
/// each element of every vector it meets.
bool Inference::isShort(const std::string &value) const {
  auto found = types.find(value);
  if (found == types.end())
    return true;
  const auto &shape = found->second->tensor_type().shape();
  return shape.dim_size() != 1 || shape.dim(0).dim_value() <= maxFollowed;
}

void Inference::follow(const OpSchema &schema, NodeProto &node) {
  auto isShortValue = [&](const std::string &value) { return isShort(value); };
  if (!schema.has_data_propagation_function() ||
      !llvm::all_of(node.input(), isShortValue) ||
      !llvm::all_of(node.output(), isShortValue))
    return;
  proto::shape_inference::DataPropagationContextImpl context(
      node, types, constants, followed);
  schema.GetDataPropagationFunction()(context);
}

void Inference::inferWith(const OpSchema &schema, NodeProto &node) {
  proto::ShapeInferenceOptions options(false, 0, true);
  proto::shape_inference::InferenceContextImpl context(
      node, types, constants, noSparse, options, &followed);
  // onnx's inference of Einsum reads beyond the operands of some equations.
  bool isSafe = node.op_type() != "Einsum" || !node.domain().empty();
  if (isSafe && schema.has_type_and_shape_inference_function()) {
    schema.GetTypeAndShapeInferenceFunction()(context);
    for (int i = 0; i < node.output_size(); ++i)
      setType(node.output(i), *context.getOutputType(i));
  } else if (node.input_size() != 0 && node.output_size() != 0 &&
             (node.op_type() == "GroupNormalization" ||
              node.op_type() == "MeanVarianceNormalization")) {
    // The two operators of the default domain without inference.
    setType(node.output(0), *types.at(node.input(0)));
  }
  if (node.op_type() == "Constant" && node.domain().empty() &&
      node.output_size() == 1 && node.attribute_size() == 1 &&
      node.attribute(0).has_t())
    constants[node.output(0)] = &node.attribute(0).t();
  follow(schema, node);
}

void Inference::inferNode(NodeProto &node) {
  const OpSchema *schema = schemaOf(node);
  if (!schema)
    return;
  std::string reason = "its operator does not say";
  try {
    inferWith(*schema, node);
  } catch (const std::exception &exception) {
    reason = exception.what();
  }
  for (int i = 0; i < node.output_size(); ++i) {
    setElementType(*schema, node, i);
    if (elementType(node.output(i)) == 0)
      errors[node.output(i)] = reason;
  }
}

/// Stores the types where the rest of the importer and onnx's converter look.
void Inference::write() {
  std::map<std::string, proto::ValueInfoProto *> outputs;
  for (proto::ValueInfoProto &output : *graph.mutable_output()) {
    outputs[output.name()] = &output;
    int32_t declared = output.type().tensor_type().elem_type();
    int32_t inferred = elementType(output.name());
    if (declared != 0 && inferred != 0 && declared != inferred)
      throw std::runtime_error(
          "output '" + output.name() + "' is declared as " +
          proto::Utils::DataTypeUtils::ToDataTypeString(declared) + " but is " +
          proto::Utils::DataTypeUtils::ToDataTypeString(inferred));
    auto known = types.find(output.name());
    if (known != types.end())
      *output.mutable_type() = *known->second;
    else if (output.type().has_tensor_type())
      output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
  for (const NodeProto &node : graph.node())
    for (const std::string &value : node.output()) {
      auto known = types.find(value);
      if (known == types.end() || outputs.count(value))
        continue;
      proto::ValueInfoProto &info = *graph.add_value_info();
      info.set_name(value);
      *info.mutable_type() = *known->second;
    }
}

void Inference::run() {
  for (NodeProto &node : *graph.mutable_node())
    inferNode(node);
  write();
}

InferenceErrors tenon::onnximport::inferTypes(proto::ModelProto &model) {
  Inference inference(model);
  inference.run();
  return std::move(inference.errors);
}
