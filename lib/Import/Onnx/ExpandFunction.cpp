//===- ExpandFunction.cpp - operators that ONNX defines by others ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states an operation as a model of one node that calls its function
// body, and imports that in place.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Errata.h"
#include "lib/Import/Onnx/NodeBuilder.h"
#include "onnx/defs/function.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::AttributeProto;
using proto::FunctionProto;
using proto::NodeProto;
using proto::OpSchema;
using proto::OpSchemaRegistry;
using proto::TypeProto;

/// The schema that `op` was materialised from.
static const OpSchema *operatorOf(Operation *op) {
  StringRef name = op->getName().getStringRef();
  StringRef opType = name.rsplit('.').second;
  for (const auto &[domain, versions] :
       OpSchemaRegistry::DomainToVersionRange::Instance().Map())
    if (tenon::onnx::operationName(domain, opType) == name)
      return OpSchemaRegistry::Schema(opType.str(), versions.second, domain);
  return nullptr;
}

static TypeProto exportType(Type type) {
  TypeProto result;
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return result;
  auto &out = *result.mutable_tensor_type();
  out.set_elem_type(int32_t(tenon::onnx::dataTypeOf(tensor.getElementType())));
  if (!tensor.hasRank())
    return result;
  out.mutable_shape();
  for (int64_t dim : tensor.getShape()) {
    auto *added = out.mutable_shape()->add_dim();
    if (!ShapedType::isDynamic(dim))
      added->set_dim_value(dim);
  }
  return result;
}

/// Sets the value of `out` from `value`; false for tensors, types and lists of
/// strings, which no operator with a function body has.
static bool exportAttribute(Attribute value, AttributeProto &out) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    out.set_type(AttributeProto::INT);
    out.set_i(integer.getInt());
  } else if (auto real = dyn_cast<FloatAttr>(value)) {
    out.set_type(AttributeProto::FLOAT);
    out.set_f(float(real.getValueAsDouble()));
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    out.set_type(AttributeProto::STRING);
    out.set_s(text.str());
  } else if (auto integers = dyn_cast<DenseI64ArrayAttr>(value)) {
    out.set_type(AttributeProto::INTS);
    out.mutable_ints()->Add(integers.asArrayRef().begin(),
                            integers.asArrayRef().end());
  } else if (auto reals = dyn_cast<DenseF32ArrayAttr>(value)) {
    out.set_type(AttributeProto::FLOATS);
    out.mutable_floats()->Add(reals.asArrayRef().begin(),
                              reals.asArrayRef().end());
  } else {
    return false;
  }
  return true;
}

/// States `op` as the only node of `model`: inputs in0.., outputs out0..
static LogicalResult exportModel(Operation *op, const OpSchema &schema,
                                 proto::ModelProto &model) {
  model.set_ir_version(proto::Version::IR_VERSION);
  auto &graph = *model.mutable_graph();
  graph.set_name("function");
  NodeProto &node = *graph.add_node();
  node.set_op_type(schema.Name());
  node.set_domain(schema.domain());
  auto add = [&](Type type, std::string name, auto &list) {
    if (isa<NoneType>(type))
      return std::string();
    auto *info = list.Add();
    info->set_name(name);
    *info->mutable_type() = exportType(type);
    return name;
  };
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    node.add_input(
        add(type, "in" + std::to_string(index), *graph.mutable_input()));
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    node.add_output(
        add(type, "out" + std::to_string(index), *graph.mutable_output()));
  for (NamedAttribute named : op->getAttrs()) {
    if (!schema.attributes().count(named.getName().str()))
      continue;
    AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(named.getName().str());
    if (!exportAttribute(named.getValue(), attribute))
      return failure();
  }
  return success();
}

/// The function body of the only node of `model`. It may depend on the types of
/// the operands, where absent ones have none.
static std::optional<FunctionProto> bodyOf(const OpSchema &schema,
                                           const proto::ModelProto &model) {
  FunctionProto body;
  int newest = int(tenon::onnx::newestOpset());
  if (const FunctionProto *fixed = schema.GetFunction(newest, false))
    return *fixed;
  if (!schema.HasContextDependentFunction())
    return std::nullopt;
  std::vector<TypeProto> types;
  size_t next = 0;
  for (const std::string &input : model.graph().node(0).input())
    types.push_back(input.empty() ? TypeProto()
                                  : model.graph().input(next++).type());
  proto::FunctionBodyBuildContextImpl context(model.graph().node(0), types);
  if (!schema.BuildContextDependentFunction(context, body, newest))
    return std::nullopt;
  return body;
}

/// Makes `body` the function that the node of `model` calls, with the defaults
/// that the schema gives the attributes.
static void addFunction(const OpSchema &schema, FunctionProto body,
                        proto::ModelProto &model) {
  // The body may hold the operator itself, which then is no call.
  constexpr const char *overload = "tenon.body";
  model.mutable_graph()->mutable_node(0)->set_overload(overload);
  body.set_overload(overload);
  body.set_domain(schema.domain());
  body.set_name(schema.Name());
  body.clear_attribute();
  body.clear_attribute_proto();
  for (const auto &[name, attribute] : schema.attributes()) {
    if (attribute.default_value.type() == AttributeProto::UNDEFINED) {
      body.add_attribute(name);
      continue;
    }
    AttributeProto &added = *body.add_attribute_proto();
    added = attribute.default_value;
    added.set_name(name);
  }
  auto *newest = model.add_opset_import();
  newest->set_version(tenon::onnx::newestOpset());
  // Some bodies import no domain, or only their own.
  for (const proto::OperatorSetIdProto &import : model.opset_import())
    if (llvm::none_of(body.opset_import(), [&](const auto &known) {
          return known.domain() == import.domain();
        }))
      *body.add_opset_import() = import;
  *model.add_functions() = std::move(body);
}

/// Imports the nodes of session.model between the operands of `op` and the
/// values that are returned.
static FailureOr<SmallVector<Value>>
importBody(Session &session, OpBuilder &builder, Operation *op) {
  NodeBuilder nodes(session, builder, op->getLoc());
  nodes.collectTypes();
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    nodes.values["in" + std::to_string(index)] = operand;
  for (auto [index, node] : llvm::enumerate(session.model.graph().node()))
    if (failed(nodes.makeNode(node, index)))
      return failure();
  SmallVector<Value> results;
  for (size_t i = 0; i < op->getNumResults(); ++i)
    results.push_back(nodes.values.lookup("out" + std::to_string(i)));
  return results;
}

FailureOr<SmallVector<Value>>
tenon::onnximport::expandFunction(OpBuilder &builder, Operation *op) {
  ImportOptions options;
  Session session{
      *op->getContext(), options, "", ExternalData(nullptr, false), {}, {}, {},
      op->getLoc()};
  FailureOr<SmallVector<Value>> results = failure();
  LogicalResult done = guarded(session, "cannot expand the function", [&] {
    const OpSchema *schema = operatorOf(op);
    if (!schema || failed(exportModel(op, *schema, session.model)))
      return failure();
    std::optional<FunctionProto> body = bodyOf(*schema, session.model);
    if (!body)
      return failure();
    correctBody(session.model.graph().node(0), *body);
    addFunction(*schema, std::move(*body), session.model);
    if (failed(convertModel(session)))
      return failure();
    results = importBody(session, builder, op);
    return success(succeeded(results));
  });
  if (failed(done))
    return failure();
  return results;
}
