//===- Infer.cpp - types and shapes of all values -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file calls onnx's inference functions where that is safe.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Infer.h"
#include "onnx/defs/data_type_utils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace proto = ::onnx;
using proto::NodeProto;
using proto::OpSchema;
using proto::TypeProto;
using namespace tenon::onnximport;

/// Vectors with more elements are not followed.
static constexpr int64_t maxFollowed = 1024;

Inference::Inference(const proto::GraphProto &graph) {
  symbols.addFromGraph(graph);
}

void Inference::addInput(proto::ValueInfoProto &input) {
  types[input.name()] = input.mutable_type();
}

/// onnx's functions read the first element of operands that should have one.
static bool isEmpty(const proto::TensorProto &tensor) {
  return llvm::is_contained(tensor.dims(), 0);
}

void Inference::addConstant(const std::string &name,
                            const proto::TensorProto &tensor) {
  if (!isEmpty(tensor))
    constants[name] = &tensor;
  TypeProto &type = storage.emplace_back();
  type.mutable_tensor_type()->set_elem_type(tensor.data_type());
  auto &shape = *type.mutable_tensor_type()->mutable_shape();
  for (int64_t dim : tensor.dims())
    shape.add_dim()->set_dim_value(dim);
  types[name] = &type;
}

void Inference::declare(const proto::ValueInfoProto &info) {
  if (int32_t type = info.type().tensor_type().elem_type())
    declared[info.name()] = type;
}

void Inference::setType(const std::string &value, TypeProto type) {
  if (value.empty() || type.value_case() == TypeProto::VALUE_NOT_SET)
    return;
  proto::shape_inference::MaterializeSymbolicShape(&type, symbols);
  types[value] = &storage.emplace_back(std::move(type));
}

const TypeProto *Inference::typeOf(const std::string &value) const {
  auto found = types.find(value);
  return found == types.end() ? nullptr : found->second;
}

const proto::TensorProto *
Inference::constantOf(const std::string &value) const {
  auto found = constants.find(value);
  return found == constants.end() ? nullptr : found->second;
}

int32_t Inference::elementType(const std::string &value) const {
  const TypeProto *type = typeOf(value);
  return type ? type->tensor_type().elem_type() : 0;
}

int64_t Inference::rank(const std::string &value) const {
  const TypeProto *type = typeOf(value);
  bool isKnown = type && type->tensor_type().has_shape();
  return isKnown ? type->tensor_type().shape().dim_size() : -1;
}

std::string Inference::reason(const std::string &value) const {
  auto found = errors.find(value);
  return found == errors.end() ? "its operator does not say" : found->second;
}

/// The element type that the schema gives an output: that of an operand that
/// must have the same, or the only one that is allowed; otherwise 0.
int32_t Inference::impliedType(const OpSchema &schema, const NodeProto &node,
                               int output) const {
  if (schema.outputs().empty())
    return 0;
  const auto &formal =
      schema.outputs()[std::min<size_t>(output, schema.outputs().size() - 1)];
  if (!formal.GetIsHomogeneous())
    return 0;
  for (auto [input, operand] : llvm::zip(schema.inputs(), node.input()))
    if (input.GetTypeStr() == formal.GetTypeStr() && input.GetIsHomogeneous() &&
        elementType(operand) != 0)
      return elementType(operand);
  if (formal.GetTypes().size() != 1)
    return 0;
  return proto::Utils::DataTypeUtils::ToTypeProto(*formal.GetTypes().begin())
      .tensor_type()
      .elem_type();
}

/// Gives an output without a type one of unknown rank.
void Inference::guess(const OpSchema &schema, const NodeProto &node,
                      int output) {
  const std::string &value = node.output(output);
  const TypeProto *known = typeOf(value);
  bool isOther = known && known->value_case() != TypeProto::kTensorType &&
                 known->value_case() != TypeProto::VALUE_NOT_SET;
  if (value.empty() || isOther || elementType(value) != 0)
    return;
  auto said = declared.find(value);
  int32_t element =
      said != declared.end() ? said->second : impliedType(schema, node, output);
  if (element == 0)
    return;
  TypeProto type;
  type.mutable_tensor_type()->set_elem_type(element);
  setType(value, type);
  guesses.insert(value);
}

void Inference::guessNode(const NodeProto &node, const OpSchema &schema) {
  for (int i = 0; i < node.output_size(); ++i)
    guess(schema, node, i);
}

/// Whether data propagation may look into `value`: onnx makes a message for
/// each element of every vector it meets.
bool Inference::isShort(const std::string &value) const {
  const TypeProto *type = typeOf(value);
  if (!type)
    return true;
  const auto &shape = type->tensor_type().shape();
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

static int64_t integer(const NodeProto &node, llvm::StringRef name,
                       int64_t otherwise) {
  for (const proto::AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      return attribute.i();
  return otherwise;
}

/// onnx's functions take axes and counts as 32-bit numbers, whatever is left of
/// them.
static bool fitsInt(const NodeProto &node) {
  auto fits = [](int64_t value) { return value == int32_t(value); };
  return llvm::all_of(node.attribute(), [&](const auto &attribute) {
    return fits(attribute.i()) && llvm::all_of(attribute.ints(), fits);
  });
}

/// onnx's function for GatherND adds the length of the tuples and an attribute,
/// and counts dimensions from there, or from what an overflow leaves.
bool Inference::tuplesFit(const NodeProto &node) const {
  int64_t data = rank(node.input(0)), indices = rank(node.input(1));
  auto fits = [&](int64_t count) { return count >= 0 && count <= data; };
  if (data < 0 || indices < 1)
    return true;
  const auto &tuple =
      typeOf(node.input(1))->tensor_type().shape().dim(int(indices - 1));
  return fits(integer(node, "batch_dims", 0)) && fits(tuple.dim_value());
}

/// Whether onnx's function does no harm.
bool Inference::isSafe(const OpSchema &schema, const NodeProto &node) const {
  llvm::StringRef name = schema.Name();
  // These dereference null on some equations, and divide by constants that may
  // be zero.
  if (!schema.has_type_and_shape_inference_function() || name == "Einsum" ||
      name == "SplitToSequence" || !fitsInt(node))
    return false;
  // Makes a list of as many sizes as the attribute says, and reads one for each
  // output.
  if (name == "Split")
    return integer(node, "num_outputs", node.output_size()) ==
           node.output_size();
  // Divides by it.
  if (name == "Attention")
    return integer(node, "kv_num_heads", 1) > 0;
  return name != "GatherND" || tuplesFit(node);
}

void Inference::inferWith(const OpSchema &schema, NodeProto &node) {
  proto::ShapeInferenceOptions options(false, 0, true);
  if (inferControl(node)) {
    // Done.
  } else if (isSafe(schema, node)) {
    proto::shape_inference::InferenceContextImpl context(
        node, types, constants, noSparse, options, &followed);
    schema.GetTypeAndShapeInferenceFunction()(context);
    for (int i = 0; i < node.output_size(); ++i)
      setType(node.output(i), *context.getOutputType(i));
  } else if (node.op_type() == "GroupNormalization" ||
             node.op_type() == "MeanVarianceNormalization") {
    // The two operators of the default domain without inference.
    if (const TypeProto *type = typeOf(node.input(0)))
      setType(node.output(0), *type);
  } else if (node.op_type() == "SplitToSequence") {
    TypeProto type;
    type.mutable_sequence_type()
        ->mutable_elem_type()
        ->mutable_tensor_type()
        ->set_elem_type(elementType(node.input(0)));
    if (elementType(node.input(0)) != 0)
      setType(node.output(0), type);
  }
  if (node.op_type() == "Constant" && node.domain().empty() &&
      !isEmpty(node.attribute(0).t()))
    constants[node.output(0)] = &node.attribute(0).t();
  follow(schema, node);
}

void Inference::addNode(NodeProto &node, const OpSchema &schema) {
  std::string reason;
  try {
    inferWith(schema, node);
  } catch (const std::exception &exception) {
    reason = exception.what();
  }
  for (int i = 0; i < node.output_size(); ++i) {
    guess(schema, node, i);
    if (elementType(node.output(i)) == 0 && !reason.empty())
      errors[node.output(i)] = reason;
  }
}
