//===- ExpandFunction.cpp - operators that ONNX defines by others ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states an operation as a model of one node, lets onnx inline its
// function body, and imports the result in place.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Adapters.h"
#include "lib/Import/Onnx/NodeBuilder.h"
#include "onnx/defs/function.h"
#include "onnx/defs/schema.h"
#include "onnx/inliner/inliner.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::AttributeProto;
using proto::FunctionProto;
using proto::NodeProto;
using proto::OpSchema;
using proto::OpSchemaRegistry;
using proto::TypeProto;

/// The schema that `op` was materialised from.
static const OpSchema *schemaOf(Operation *op) {
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

/// The opset of the default domain that the body is written in.
static int64_t opsetOf(const FunctionProto &body) {
  for (const auto &import : body.opset_import())
    if (import.domain().empty())
      return import.version();
  return tenon::onnx::newestOpset();
}

/// Replaces the node of `model` by `body`. As a function of the model, and with
/// its opsets, it is inlined as it stands: by the schema, onnx would ask for
/// the types of absent operands.
static void inlineBody(const OpSchema &schema, FunctionProto body,
                       proto::ModelProto &model) {
  int64_t opset = opsetOf(body);
  model.add_opset_import()->set_version(tenon::onnx::newestOpset());
  if (!schema.domain().empty()) {
    auto *other = model.add_opset_import();
    other->set_domain(schema.domain());
    other->set_version(schema.SinceVersion());
  }
  body.set_domain(schema.domain());
  body.set_name(schema.Name());
  *body.mutable_opset_import() = model.opset_import();
  *model.add_functions() = std::move(body);
  auto callee =
      proto::inliner::FunctionIdSet::Create({{schema.domain(), schema.Name()}});
  proto::inliner::InlineSelectedLocalFunctions(model, *callee);
  model.mutable_opset_import(0)->set_version(opset);
}

/// Imports the nodes of session.model between the operands of `op` and the
/// values that are returned.
static FailureOr<SmallVector<Value>>
importBody(Session &session, OpBuilder &builder, Operation *op) {
  NodeBuilder nodes(session, builder, op->getLoc());
  if (failed(nodes.collectTypes()))
    return failure();
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    nodes.values["in" + std::to_string(index)] = operand;
  for (const proto::TensorProto &tensor : session.model.graph().initializer())
    if (failed(nodes.makeConstant(tensor, tensor.name(), op->getLoc())))
      return failure();
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
      *op->getContext(), options, "", ExternalData(std::nullopt), {}, {}, {},
      op->getLoc()};
  FailureOr<SmallVector<Value>> results = failure();
  LogicalResult done = guarded(session, "cannot expand the function", [&] {
    const OpSchema *schema = schemaOf(op);
    if (!schema || failed(exportModel(op, *schema, session.model)))
      return failure();
    std::optional<FunctionProto> body = bodyOf(*schema, session.model);
    if (!body)
      return failure();
    int64_t opset = opsetOf(*body);
    inlineBody(*schema, std::move(*body), session.model);
    if (failed(unifyConstants(session)))
      return failure();
    if (opset != tenon::onnx::newestOpset()) {
      inferTypes(session.model);
      session.model =
          convertToOpset(session.model, int(tenon::onnx::newestOpset()));
    }
    session.inferenceErrors = inferTypes(session.model);
    results = importBody(session, builder, op);
    return success(succeeded(results));
  });
  if (failed(done))
    return failure();
  return results;
}
