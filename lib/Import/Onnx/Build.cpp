//===- Build.cpp - the module of a converted model ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes one onnx operation per node.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Session.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "onnx/shape_inference/implementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::AttributeProto;
using proto::NodeProto;
using proto::TypeProto;

namespace {
/// Builds the body of @main, node by node.
class ModuleBuilder {
public:
  explicit ModuleBuilder(Session &session)
      : session(session), graph(session.model.graph()),
        builder(&session.context) {}
  FailureOr<OwningOpRef<ModuleOp>> build();

private:
  LogicalResult collectTypes();
  FailureOr<Type> importType(const TypeProto &type, StringRef name);
  LogicalResult makeFunction(ModuleOp module);
  LogicalResult makeConstants();
  LogicalResult makeConstant(const proto::TensorProto &tensor, StringRef name,
                             Location location);
  LogicalResult makeNode(const NodeProto &node, size_t index);
  LogicalResult makeConstantNode(const NodeProto &node, Location location);
  LogicalResult makeReturn();
  Value absent();
  Location locationOf(const NodeProto &node, size_t index);
  Location uniqueLocation(std::string name);
  FailureOr<Attribute> importAttribute(const NodeProto &node,
                                       const AttributeProto &attribute);
  LogicalResult missingType(const NodeProto &node, StringRef output);
  NamedAttribute nameAttribute(StringRef name);

  Session &session;
  const proto::GraphProto &graph;
  OpBuilder builder;
  func::FuncOp function;
  llvm::StringMap<Type> types;
  llvm::StringMap<Value> values;
  llvm::StringSet<> locations;
  Value noValue;
};
} // namespace

/// The dimensions of the shape of value `value`; names of symbolic ones go to
/// `names`. Two dimensions with one name are equal, so one without gets one.
static SmallVector<int64_t> importDims(const proto::TensorShapeProto &shape,
                                       StringRef value, OpBuilder &builder,
                                       SmallVectorImpl<Attribute> &names) {
  SmallVector<int64_t> dims;
  for (auto [index, dim] : llvm::enumerate(shape.dim())) {
    if (dim.has_dim_value()) {
      // A negative one must not look like the mark of a dynamic one.
      dims.push_back(std::max<int64_t>(dim.dim_value(), -1));
      names.push_back(builder.getI64IntegerAttr(dim.dim_value()));
      continue;
    }
    dims.push_back(ShapedType::kDynamic);
    std::string name = dim.dim_param();
    if (name.empty())
      name = (value + "_" + llvm::Twine(index)).str();
    names.push_back(builder.getStringAttr(name));
  }
  return dims;
}

FailureOr<Type> ModuleBuilder::importType(const TypeProto &type, StringRef name) {
  auto fail = [&]() { return session.error() << "value '" << name << "': "; };
  if (!type.has_tensor_type())
    return fail() << "only tensors are supported, not sequences, maps, "
                     "optionals or sparse tensors";
  const auto &tensor = type.tensor_type();
  if (!tensor.has_shape()) {
    Type element = tenon::onnx::elementType(tensor.elem_type(), builder.getContext());
    if (!element)
      return fail() << "data type " << tensor.elem_type() << " is unknown";
    return Type(UnrankedTensorType::get(element));
  }
  SmallVector<Attribute> names;
  SmallVector<int64_t> dims = importDims(tensor.shape(), name, builder, names);
  auto ranked = tensorType(session, dims, tensor.elem_type());
  if (!ranked)
    return fail() << llvm::toString(ranked.takeError());
  if (ranked->hasStaticShape())
    return Type(*ranked);
  auto symbols =
      tenon::graph::DimsAttr::get(builder.getContext(), builder.getArrayAttr(names));
  return Type(RankedTensorType::get(dims, ranked->getElementType(), symbols));
}

LogicalResult ModuleBuilder::collectTypes() {
  auto collect = [&](const proto::ValueInfoProto &info) -> LogicalResult {
    if (!info.has_type())
      return success();
    const TypeProto &type = info.type();
    // Left to the node that makes the value: it can say more.
    if (type.has_tensor_type() && type.tensor_type().elem_type() == 0)
      return success();
    FailureOr<Type> imported = importType(type, info.name());
    if (failed(imported))
      return failure();
    types[info.name()] = *imported;
    return success();
  };
  for (const auto *list : {&graph.input(), &graph.value_info(), &graph.output()})
    for (const proto::ValueInfoProto &info : *list)
      if (failed(collect(info)))
        return failure();
  return success();
}

NamedAttribute ModuleBuilder::nameAttribute(StringRef name) {
  return builder.getNamedAttr("onnx.name", builder.getStringAttr(name));
}

LogicalResult ModuleBuilder::makeFunction(ModuleOp module) {
  SmallVector<Type> inputs;
  for (const proto::ValueInfoProto &input : graph.input()) {
    if (!types.contains(input.name()))
      return session.error() << "input '" << input.name() << "' has no type";
    inputs.push_back(types[input.name()]);
  }
  builder.setInsertionPointToEnd(module.getBody());
  Location location = NameLoc::get(builder.getStringAttr(graph.name()));
  function = func::FuncOp::create(builder, location, "main",
                                  builder.getFunctionType(inputs, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  for (auto [argument, input] : llvm::zip(body->getArguments(), graph.input())) {
    function.setArgAttrs(argument.getArgNumber(), nameAttribute(input.name()));
    values[input.name()] = argument;
  }
  return success();
}

Location ModuleBuilder::uniqueLocation(std::string name) {
  std::string unique = name;
  for (unsigned i = 1; !locations.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return NameLoc::get(builder.getStringAttr(unique));
}

Location ModuleBuilder::locationOf(const NodeProto &node, size_t index) {
  if (!node.name().empty())
    return uniqueLocation(node.name());
  return uniqueLocation(node.op_type() + "_" + std::to_string(index));
}

/// The `none` that stands for absent operands; one serves all.
Value ModuleBuilder::absent() {
  if (noValue)
    return noValue;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  OperationState state(uniqueLocation("NoValue"), "onnx.NoValue");
  state.addTypes(builder.getNoneType());
  return noValue = builder.create(state)->getResult(0);
}

LogicalResult ModuleBuilder::makeConstant(const proto::TensorProto &tensor,
                                    StringRef name, Location location) {
  auto value = importTensor(session, tensor, name);
  if (!value)
    return session.error() << "tensor '" << name
                           << "': " << llvm::toString(value.takeError());
  OperationState state(location, "onnx.Constant");
  state.addAttribute("value", *value);
  state.addTypes(value->getType());
  values[name] = builder.create(state)->getResult(0);
  return success();
}

/// Initialisers that something reads, in file order.
LogicalResult ModuleBuilder::makeConstants() {
  llvm::StringSet<> used;
  for (const NodeProto &node : graph.node())
    for (const std::string &input : node.input())
      used.insert(input);
  for (const proto::ValueInfoProto &output : graph.output())
    used.insert(output.name());
  for (const proto::TensorProto &tensor : graph.initializer())
    if (used.contains(tensor.name()) &&
        failed(makeConstant(tensor, tensor.name(),
                            uniqueLocation(tensor.name()))))
      return failure();
  return success();
}

/// A tensor from the scalar and list forms that Constant may have.
static FailureOr<proto::TensorProto>
constantValue(const AttributeProto &attribute) {
  using proto::TensorProto;
  if (attribute.name() == "value" && attribute.has_t())
    return attribute.t();
  TensorProto tensor;
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
    return failure();
  }
  if (name.ends_with("s"))
    tensor.add_dims(tensor.int64_data_size() + tensor.float_data_size() +
                    tensor.string_data_size());
  return tensor;
}

LogicalResult ModuleBuilder::makeConstantNode(const NodeProto &node,
                                        Location location) {
  if (node.attribute_size() != 1 || node.output_size() != 1)
    return session.error(node) << "must have one attribute and one output";
  FailureOr<proto::TensorProto> tensor = constantValue(node.attribute(0));
  if (failed(tensor))
    return session.error(node) << "attribute '" << node.attribute(0).name()
                               << "' is not supported";
  return makeConstant(*tensor, node.output(0), location);
}

FailureOr<Attribute>
ModuleBuilder::importAttribute(const NodeProto &node,
                         const AttributeProto &attribute) {
  auto fail = [&]() {
    return session.error(node) << "attribute '" << attribute.name() << "': ";
  };
  switch (attribute.type()) {
  case AttributeProto::INT:
    return Attribute(builder.getI64IntegerAttr(attribute.i()));
  case AttributeProto::FLOAT:
    return Attribute(builder.getF32FloatAttr(attribute.f()));
  case AttributeProto::STRING:
    return Attribute(builder.getStringAttr(attribute.s()));
  case AttributeProto::INTS:
    return Attribute(builder.getDenseI64ArrayAttr(SmallVector<int64_t>(
        attribute.ints().begin(), attribute.ints().end())));
  case AttributeProto::FLOATS:
    return Attribute(builder.getDenseF32ArrayAttr(SmallVector<float>(
        attribute.floats().begin(), attribute.floats().end())));
  case AttributeProto::STRINGS: {
    SmallVector<StringRef> list(attribute.strings().begin(),
                                attribute.strings().end());
    return Attribute(builder.getStrArrayAttr(list));
  }
  case AttributeProto::TENSOR: {
    auto value = importTensor(session, attribute.t(), attribute.name());
    if (!value)
      return fail() << llvm::toString(value.takeError());
    return Attribute(*value);
  }
  case AttributeProto::TYPE_PROTO: {
    FailureOr<Type> type = importType(attribute.tp(), attribute.name());
    if (failed(type))
      return failure();
    return Attribute(TypeAttr::get(*type));
  }
  default:
    return fail() << "its kind is not supported";
  }
}

/// Inference is lenient and says nothing; asked strictly it gives the reason.
LogicalResult ModuleBuilder::missingType(const NodeProto &node, StringRef output) {
  std::string reason = "its operator does not say";
  proto::ModelProto copy = session.model;
  try {
    proto::shape_inference::InferShapes(
        copy, proto::OpSchemaRegistry::Instance(),
        proto::ShapeInferenceOptions(true, 1, true));
  } catch (const std::exception &exception) {
    reason = exception.what();
  }
  return session.error(node) << "the type of output '" << output
                             << "' cannot be inferred: "
                             << StringRef(reason).rtrim();
}

LogicalResult ModuleBuilder::makeNode(const NodeProto &node, size_t index) {
  Location location = locationOf(node, index);
  if (node.op_type() == "Constant" && node.domain().empty())
    return makeConstantNode(node, location);
  std::string name = tenon::onnx::operationName(node.domain(), node.op_type());
  if (!RegisteredOperationName::lookup(name, builder.getContext()))
    return session.error(node) << "the operator is not part of opset "
                               << tenon::onnx::newestOpset();
  OperationState state(location, name);
  int inputs = node.input_size();
  while (inputs > 0 && node.input(inputs - 1).empty())
    --inputs;
  for (int i = 0; i < inputs; ++i) {
    Value value = node.input(i).empty() ? absent()
                                        : values.lookup(node.input(i));
    if (!value)
      return session.error(node) << "input '" << node.input(i)
                                 << "' is not defined before";
    state.operands.push_back(value);
  }
  for (const std::string &output : node.output()) {
    Type type = output.empty() ? builder.getNoneType() : types.lookup(output);
    if (!type)
      return missingType(node, output);
    state.types.push_back(type);
  }
  for (const AttributeProto &attribute : node.attribute()) {
    FailureOr<Attribute> value = importAttribute(node, attribute);
    if (failed(value))
      return failure();
    state.addAttribute(attribute.name(), *value);
  }
  Operation *op = builder.create(state);
  for (auto [output, result] : llvm::zip(node.output(), op->getResults()))
    if (!output.empty())
      values[output] = result;
  return success();
}

LogicalResult ModuleBuilder::makeReturn() {
  SmallVector<Value> results;
  SmallVector<Type> resultTypes;
  for (const proto::ValueInfoProto &output : graph.output()) {
    Value value = values.lookup(output.name());
    if (!value)
      return session.error() << "output '" << output.name()
                             << "' is not made by any node";
    results.push_back(value);
    resultTypes.push_back(value.getType());
  }
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getFunctionType().getInputs(), resultTypes));
  for (auto [index, output] : llvm::enumerate(graph.output()))
    function.setResultAttrs(index, nameAttribute(output.name()));
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> ModuleBuilder::build() {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(builder, NameLoc::get(builder.getStringAttr(graph.name())));
  (*module)->setAttr("onnx.opset",
                     builder.getI64IntegerAttr(tenon::onnx::newestOpset()));
  if (failed(collectTypes()) || failed(makeFunction(*module)) ||
      failed(makeConstants()))
    return failure();
  for (auto [index, node] : llvm::enumerate(graph.node()))
    if (failed(makeNode(node, index)))
      return failure();
  if (failed(makeReturn()) || failed(verify(*module)))
    return failure();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>> tenon::onnximport::buildModule(Session &session) {
  return ModuleBuilder(session).build();
}
