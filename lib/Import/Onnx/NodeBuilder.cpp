//===- NodeBuilder.cpp - onnx operations from nodes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file imports types, attributes, constants and nodes.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/NodeBuilder.h"
#include "dialects/Control/Control.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Onnx/Onnx.h"

using namespace mlir;
using namespace tenon::onnximport;
using llvm::createStringError;
using proto::AttributeProto;
using proto::NodeProto;
using proto::TypeProto;

NodeBuilder::NodeBuilder(Session &session, OpBuilder builder,
                         std::optional<Location> fixedLocation)
    : builder(builder), session(session), graph(session.model.graph()),
      fixedLocation(fixedLocation) {}

/// The dimensions of the shape of value `value`; names of symbolic ones go to
/// `names`. Two dimensions with one name are equal, so one without gets one.
static SmallVector<int64_t> importDims(const proto::TensorShapeProto &shape,
                                       StringRef value, OpBuilder &builder,
                                       SmallVectorImpl<Attribute> &names) {
  SmallVector<int64_t> dims;
  for (auto [index, dim] : llvm::enumerate(shape.dim())) {
    if (dim.has_dim_value()) {
      dims.push_back(staticDim(dim.dim_value()));
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

llvm::Expected<Type> NodeBuilder::importType(const TypeProto &type,
                                             StringRef name) {
  bool isSequence = type.has_sequence_type();
  if (isSequence || type.has_optional_type()) {
    auto element = importType(isSequence ? type.sequence_type().elem_type()
                                         : type.optional_type().elem_type(),
                              name);
    if (!element)
      return element.takeError();
    // A name would say that all elements agree.
    if (auto tensor = dyn_cast<RankedTensorType>(*element))
      *element =
          RankedTensorType::get(tensor.getShape(), tensor.getElementType());
    if (isSequence)
      return Type(control::SequenceType::get(builder.getContext(), *element));
    return Type(control::OptionalType::get(builder.getContext(), *element));
  }
  if (type.has_tensor_type())
    return importTensorType(type.tensor_type(), name);
  return createStringError("maps and sparse tensors are not supported");
}

llvm::Expected<Type>
NodeBuilder::importTensorType(const TypeProto::Tensor &tensor, StringRef name) {
  if (!tensor.has_shape()) {
    Type element =
        tenon::onnx::elementType(tensor.elem_type(), builder.getContext());
    if (!element)
      return createStringError("data type " + llvm::Twine(tensor.elem_type()) +
                               " is unknown");
    return Type(UnrankedTensorType::get(element));
  }
  SmallVector<Attribute> names;
  SmallVector<int64_t> dims = importDims(tensor.shape(), name, builder, names);
  auto ranked = tensorType(session, dims, tensor.elem_type());
  if (!ranked)
    return ranked.takeError();
  if (ranked->hasStaticShape())
    return Type(*ranked);
  auto symbols = tenon::graph::DimsAttr::get(builder.getContext(),
                                             builder.getArrayAttr(names));
  return Type(RankedTensorType::get(dims, ranked->getElementType(), symbols));
}

void NodeBuilder::collectType(const proto::ValueInfoProto &info) {
  const TypeProto &type = info.type();
  // A value without element type is left to the node that makes it: it can say
  // more.
  if (!info.has_type() ||
      (type.has_tensor_type() && type.tensor_type().elem_type() == 0))
    return;
  if (auto imported = importType(type, info.name()))
    types[info.name()] = *imported;
  else
    problems[info.name()] = llvm::toString(imported.takeError());
}

void NodeBuilder::collectTypes() {
  for (const auto *list :
       {&graph.input(), &graph.value_info(), &graph.output()})
    for (const proto::ValueInfoProto &info : *list)
      collectType(info);
}

std::string NodeBuilder::whyNoType(StringRef value) const {
  auto problem = problems.find(value);
  if (problem != problems.end())
    return problem->second;
  auto reason = session.inferenceErrors.find(value.str());
  return reason == session.inferenceErrors.end()
             ? "it has no type"
             : "its type cannot be inferred: " +
                   StringRef(reason->second).rtrim().str();
}

Location NodeBuilder::uniqueLocation(std::string name) {
  if (fixedLocation)
    return *fixedLocation;
  std::string unique = name;
  for (unsigned i = 1; !locations.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return NameLoc::get(builder.getStringAttr(unique));
}

/// The `none` that stands for absent operands; one serves all.
Value NodeBuilder::absent() {
  if (noValue)
    return noValue;
  OperationState state(uniqueLocation("NoValue"), "onnx.NoValue");
  state.addTypes(builder.getNoneType());
  return noValue = builder.create(state)->getResult(0);
}

LogicalResult NodeBuilder::makeInitializer(const proto::TensorProto &tensor,
                                           Location location) {
  return makeConstant(tensor, tensor.name(), location,
                      "tensor '" + tensor.name() + "'");
}

LogicalResult NodeBuilder::makeConstant(const proto::TensorProto &tensor,
                                        StringRef name, Location location,
                                        const std::string &what) {
  auto value = importTensor(session, tensor, name);
  if (!value)
    return session.error() << what << ": " << llvm::toString(value.takeError());
  OperationState state(location, "onnx.Constant");
  state.addAttribute("value", *value);
  state.addTypes(value->getType());
  values[name] = builder.create(state)->getResult(0);
  return success();
}

FailureOr<Attribute>
NodeBuilder::importAttribute(const NodeProto &node,
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
    auto type = importType(attribute.tp(), attribute.name());
    if (!type)
      return fail() << llvm::toString(type.takeError());
    return Attribute(TypeAttr::get(*type));
  }
  default:
    return fail() << "its kind is not supported";
  }
}

/// Absent operands at the end are left out.
LogicalResult NodeBuilder::addOperands(const NodeProto &node,
                                       OperationState &state) {
  int count = node.input_size();
  while (count > 0 && node.input(count - 1).empty())
    --count;
  for (int i = 0; i < count; ++i) {
    const std::string &input = node.input(i);
    Value value = input.empty() ? absent() : values.lookup(input);
    if (!value)
      return session.error(node)
             << "input '" << input << "' is not defined before";
    state.operands.push_back(value);
  }
  return success();
}

/// How many inputs and outputs a subgraph of `node` has.
static std::pair<int, int> subgraphSizes(const NodeProto &node) {
  if (node.op_type() == "If")
    return {0, node.output_size()};
  bool isLoop = node.op_type() == "Loop";
  return {isLoop ? std::max(node.input_size(), 2) : node.input_size(),
          isLoop ? node.output_size() + 1 : node.output_size()};
}

/// The inputs of a subgraph, as arguments.
LogicalResult NodeBuilder::addArguments(const NodeProto &node,
                                        const proto::GraphProto &graph,
                                        Block &block) {
  for (const proto::ValueInfoProto &input : graph.input()) {
    Type type = types.lookup(input.name());
    if (!type)
      return session.error(node)
             << "input '" << input.name()
             << "' of its body: " << whyNoType(input.name());
    values[input.name()] = block.addArgument(type, builder.getUnknownLoc());
  }
  return success();
}

LogicalResult NodeBuilder::addRegion(const NodeProto &node,
                                     const proto::GraphProto &graph,
                                     OperationState &state) {
  auto [inputs, outputs] = subgraphSizes(node);
  if (graph.input_size() != inputs || graph.output_size() != outputs)
    return session.error(node)
           << "its subgraph has " << graph.input_size() << " inputs and "
           << graph.output_size() << " outputs, but needs " << inputs << " and "
           << outputs;
  absent(); // in front of the node, where all of its subgraphs see it
  OpBuilder::InsertionGuard guard(builder);
  Block &block = state.addRegion()->emplaceBlock();
  builder.setInsertionPointToEnd(&block);
  if (failed(addArguments(node, graph, block)))
    return failure();
  for (auto [index, inner] : llvm::enumerate(graph.node()))
    if (failed(makeNode(inner, index)))
      return failure();
  SmallVector<Value> results;
  for (const proto::ValueInfoProto &output : graph.output())
    results.push_back(values.lookup(output.name()));
  if (llvm::is_contained(results, Value()))
    return session.error(node) << "nothing makes an output of its subgraphs";
  OperationState yield(state.location, onnx::YieldOp::getOperationName());
  yield.addOperands(results);
  builder.create(yield);
  return success();
}

LogicalResult NodeBuilder::addRegions(const NodeProto &node,
                                      OperationState &state) {
  for (StringRef name : {"then_branch", "else_branch", "body"})
    for (const AttributeProto &attribute : node.attribute())
      if (attribute.name() == name && attribute.has_g() &&
          failed(addRegion(node, attribute.g(), state)))
        return failure();
  return success();
}

/// What a node is called. Exporters that merge equal initialisers leave the
/// names of the others to copies.
static std::string nodeName(const NodeProto &node, size_t index,
                            bool marksInitializers) {
  if (marksInitializers && node.op_type() == "Identity")
    return node.output(0);
  return node.name().empty() ? node.op_type() + "_" + std::to_string(index)
                             : node.name();
}

LogicalResult NodeBuilder::makeNode(const NodeProto &node, size_t index) {
  Location location =
      uniqueLocation(nodeName(node, index, session.options.markInitializers));
  if (node.op_type() == "Constant" && node.domain().empty())
    return makeConstant(node.attribute(0).t(), node.output(0), location,
                        describe(node));
  std::string name = tenon::onnx::operationName(node.domain(), node.op_type());
  if (!RegisteredOperationName::lookup(name, builder.getContext()))
    return session.error(node) << "the operator is not part of opset "
                               << tenon::onnx::newestOpset();
  OperationState state(location, name);
  if (failed(addOperands(node, state)))
    return failure();
  for (const std::string &output : node.output()) {
    Type type = output.empty() ? builder.getNoneType() : types.lookup(output);
    if (!type)
      return session.error(node)
             << "output '" << output << "': " << whyNoType(output);
    state.types.push_back(type);
  }
  for (const AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      continue;
    FailureOr<Attribute> value = importAttribute(node, attribute);
    if (failed(value))
      return failure();
    state.addAttribute(attribute.name(), *value);
  }
  if (failed(addRegions(node, state)))
    return failure();
  Operation *op = builder.create(state);
  for (auto [output, result] : llvm::zip(node.output(), op->getResults()))
    if (!output.empty())
      values[output] = result;
  return success();
}
