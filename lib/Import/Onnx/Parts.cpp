//===- Parts.cpp - models made of some nodes of another -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Onnx/PartsContents.h"

#include "lib/Import/Onnx/ExternalData.h"
#include "lib/Import/Onnx/Inline.h"
#include "lib/Import/Onnx/Nodes.h"
#include "lib/Import/Onnx/Parse.h"
#include "lib/Import/Onnx/Session.h"
#include "llvm/Support/Path.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;
using llvm::StringRef;

PartedModel::PartedModel(std::unique_ptr<Contents> contents)
    : contents(std::move(contents)) {}
PartedModel::PartedModel(PartedModel &&) = default;
PartedModel &PartedModel::operator=(PartedModel &&) = default;
PartedModel::~PartedModel() = default;

//===-- Reading -----------------------------------------------------------===//

/// The tensor of a Constant of numbers; false: it is of another kind.
static bool tensorOf(const proto::NodeProto &node, proto::TensorProto &tensor) {
  if (node.op_type() != "Constant" || !node.domain().empty() ||
      node.attribute_size() != 1 || node.output_size() != 1)
    return false;
  const proto::AttributeProto &value = node.attribute(0);
  if (value.name() == "value") {
    tensor = value.t();
  } else if (value.name() == "value_int" || value.name() == "value_ints") {
    tensor.set_data_type(proto::TensorProto::INT64);
    *tensor.mutable_int64_data() = value.ints();
    if (value.name() == "value_int")
      tensor.add_int64_data(value.i());
    else
      tensor.add_dims(value.ints_size());
  } else if (value.name() == "value_float" || value.name() == "value_floats") {
    tensor.set_data_type(proto::TensorProto::FLOAT);
    *tensor.mutable_float_data() = value.floats();
    if (value.name() == "value_float")
      tensor.add_float_data(value.f());
    else
      tensor.add_dims(value.floats_size());
  } else {
    return false;
  }
  tensor.set_name(node.output(0));
  return true;
}

/// Constants become initialisers, which are where they are read.
static void liftConstants(proto::ModelProto &model) {
  proto::GraphProto &graph = *model.mutable_graph();
  NodeList nodes;
  nodes.Swap(graph.mutable_node());
  for (proto::NodeProto &node : nodes) {
    proto::TensorProto tensor;
    if (tensorOf(node, tensor))
      graph.add_initializer()->Swap(&tensor);
    else
      graph.add_node()->Swap(&node);
  }
  // Before 4 an initialiser had to be an input.
  model.set_ir_version(std::max<int64_t>(model.ir_version(), 4));
}

static bool isWellFormed(const proto::NodeProto &node,
                         const proto::OpSchema *schema) {
  if (!schema)
    return false;
  try {
    schema->Verify(node);
  } catch (const std::exception &) {
    return false;
  }
  return true;
}

static llvm::StringMap<proto::TypeProto> inferTypes(proto::ModelProto &model) {
  proto::GraphProto &graph = *model.mutable_graph();
  OpsetMap opsets = opsetsOf(model.opset_import());
  Inference inference(graph);
  for (proto::ValueInfoProto &input : *graph.mutable_input())
    inference.addInput(input);
  for (const proto::TensorProto &tensor : graph.initializer())
    inference.addConstant(tensor.name(), tensor);
  llvm::StringMap<proto::TypeProto> types;
  for (const proto::ValueInfoProto &info : graph.value_info())
    types[info.name()] = info.type();
  for (proto::NodeProto &node : *graph.mutable_node()) {
    const auto *schema = schemaOf(node, opsetOf(opsets, node.domain()));
    if (node.op_type() != "Constant" && isWellFormed(node, schema))
      inference.addNode(node, *schema);
    for (const std::string &value : node.output())
      if (const proto::TypeProto *type = inference.typeOf(value))
        types.try_emplace(value, *type);
      else if (types.count(value))
        inference.setType(value, types[value]);
  }
  return types;
}

llvm::Expected<PartedModel> PartedModel::read(StringRef path) {
  auto contents = std::make_unique<Contents>();
  auto model = readWhole(path);
  if (!model)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(model.takeError()));
  StringRef folder = llvm::sys::path::parent_path(path);
  ExternalData external(folder.empty() ? "." : folder.str());
  for (auto &tensor : *model->mutable_graph()->mutable_initializer())
    if (llvm::Error error = takeInside(tensor, external))
      return std::move(error);
  if (model->ByteSizeLong() > size_t(INT32_MAX))
    return llvm::createStringError(
        "'" + path + "': a model of more than 2 GiB cannot be taken apart");
  contents->model = std::move(*model);
  liftConstants(contents->model);
  PartedModel result(std::move(contents));
  result.inspect();
  return result;
}

static Part partOf(const proto::NodeProto &node) {
  Part part{nameOf(node), qualifiedOp(node), {}, {}};
  auto read = [&](const std::string &name) { part.reads.push_back(name); };
  forEachRead(node, read);
  part.makes.assign(node.output().begin(), node.output().end());
  auto isAbsent = [](const std::string &name) { return name.empty(); };
  llvm::erase_if(part.reads, isAbsent);
  llvm::erase_if(part.makes, isAbsent);
  return part;
}

void PartedModel::inspect() {
  const proto::GraphProto &graph = contents->model.graph();
  contents->inputs.clear();
  contents->initializers.clear();
  nodes.clear();
  for (int i = 0; i < graph.input_size(); ++i)
    contents->inputs[graph.input(i).name()] = i;
  for (int i = 0; i < graph.initializer_size(); ++i)
    contents->initializers[graph.initializer(i).name()] = i;
  for (const proto::ValueInfoProto &output : graph.output())
    contents->outputs.insert(output.name());
  for (const proto::NodeProto &node : graph.node())
    nodes.push_back(partOf(node));
  contents->types = inferTypes(contents->model);
}

//===-- Small changes -----------------------------------------------------===//

void PartedModel::fixDim(StringRef name, int64_t size) {
  auto fix = [&](auto &dim) {
    if (dim.dim_param() == name)
      dim.set_dim_value(size);
  };
  proto::GraphProto &graph = *contents->model.mutable_graph();
  for (auto *values : {graph.mutable_input(), graph.mutable_value_info(),
                       graph.mutable_output()})
    for (proto::ValueInfoProto &value : *values)
      forEachDim(value, fix);
  contents->types = inferTypes(contents->model);
}

void PartedModel::nameNodes() {
  NameSource names;
  for (auto [node, part] :
       llvm::zip(*contents->model.mutable_graph()->mutable_node(), nodes)) {
    part.name = names.unique(part.name);
    node.set_name(part.name);
  }
}

std::string PartedModel::bytes() const {
  return contents->model.SerializeAsString();
}

std::string PartedModel::note(StringRef key) const {
  for (const auto &entry : contents->model.metadata_props())
    if (entry.key() == key)
      return entry.value();
  return "";
}

void PartedModel::setNote(StringRef key, StringRef text) {
  for (auto &entry : *contents->model.mutable_metadata_props())
    if (entry.key() == key)
      return entry.set_value(text.str());
  auto *entry = contents->model.add_metadata_props();
  entry->set_key(key.str());
  entry->set_value(text.str());
}

//===-- Taking nodes out --------------------------------------------------===//

static bool isKnownType(const proto::TypeProto &type) {
  return type.has_tensor_type() && type.tensor_type().elem_type() != 0 &&
         type.tensor_type().has_shape();
}

static void addValue(const std::string &name,
                     const llvm::StringMap<proto::TypeProto> &types,
                     proto::ValueInfoProto &info) {
  info.set_name(name);
  auto type = types.find(name);
  if (type != types.end())
    *info.mutable_type() = type->second;
}

/// Everything but the graph.
static proto::ModelProto withoutGraph(const proto::ModelProto &model) {
  proto::ModelProto result;
  result.set_ir_version(model.ir_version());
  result.set_producer_name(model.producer_name());
  *result.mutable_opset_import() = model.opset_import();
  *result.mutable_functions() = model.functions();
  *result.mutable_metadata_props() = model.metadata_props();
  result.mutable_graph()->set_name(model.graph().name());
  return result;
}

std::optional<std::string> PartedModel::take(const llvm::BitVector &kept,
                                             const Taking &taking) const {
  const proto::GraphProto &from = contents->model.graph();
  proto::ModelProto model = withoutGraph(contents->model);
  proto::GraphProto &graph = *model.mutable_graph();
  llvm::StringSet<> all, made, read, seen;
  for (const Part &part : nodes)
    all.insert(part.makes.begin(), part.makes.end());
  for (unsigned i : kept.set_bits()) {
    *graph.add_node() = from.node(int(i));
    made.insert(nodes[i].makes.begin(), nodes[i].makes.end());
    read.insert(nodes[i].reads.begin(), nodes[i].reads.end());
  }
  /// False where it cannot be had.
  auto addRead = [&](const std::string &name) {
    if (auto it = contents->initializers.find(name);
        it != contents->initializers.end())
      *graph.add_initializer() = from.initializer(it->second);
    else if (auto it = contents->inputs.find(name);
             it != contents->inputs.end())
      *graph.add_input() = from.input(it->second);
    else if (isKnownType(contents->types.lookup(name)))
      addValue(name, contents->types, *graph.add_input());
    else // Names of subgraphs are no values here.
      return !all.contains(name);
    return true;
  };
  for (unsigned i : kept.set_bits())
    for (const std::string &name : nodes[i].reads)
      if (!made.contains(name) && seen.insert(name).second && !addRead(name))
        return std::nullopt;
  auto isWanted = [&](const std::string &name) {
    return taking.shown.contains(name) || !read.contains(name) ||
           contents->outputs.contains(name);
  };
  for (unsigned i : kept.set_bits())
    for (const std::string &name : nodes[i].makes)
      if (isWanted(name))
        addValue(name, contents->types, *graph.add_output());
  if (graph.output().empty())
    return std::nullopt;
  return model.SerializeAsString();
}
