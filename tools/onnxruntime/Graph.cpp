//===- Graph.cpp - a graph of ONNX Runtime as plain data ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/Graph.h"

#include <cstring>

using namespace tenon::ort;

std::vector<const OrtValueInfo *> tenon::ort::valuesOf(Calls &calls,
                                                       const OrtNode *node,
                                                       CountOf count,
                                                       ValuesOf values) {
  size_t size = 0;
  calls.ok(count(node, &size));
  std::vector<const OrtValueInfo *> found(size);
  if (calls.ok())
    calls.ok(values(node, found.data(), size));
  return found;
}

std::vector<std::string>
tenon::ort::namesOf(const Api &api, Calls &calls,
                    const std::vector<const OrtValueInfo *> &values) {
  std::vector<std::string> names;
  for (const OrtValueInfo *value : values) {
    const char *name = "";
    if (value)
      calls.ok(api.GetValueInfoName(value, &name));
    names.emplace_back(name);
  }
  return names;
}

void Graph::readConstant(Calls &calls, const OrtValue *from,
                         Constant &constant) {
  OrtTensorTypeAndShapeInfo *info = nullptr;
  if (!calls.ok(api.GetTensorTypeAndShape(from, &info)))
    return;
  size_t rank = 0;
  calls.ok(api.GetTensorElementType(info, &constant.type));
  calls.ok(api.GetDimensionsCount(info, &rank));
  constant.shape.resize(rank);
  calls.ok(api.GetDimensions(info, constant.shape.data(), rank));
  api.ReleaseTensorTypeAndShapeInfo(info);
  calls.ok(api.GetTensorSizeInBytes(from, &constant.size));
  calls.ok(api.GetTensorData(from, &constant.data));
}

void Graph::readType(Calls &calls, const OrtValueInfo *info, Value &value) {
  const OrtTypeInfo *type = nullptr;
  int kind = 0;
  calls.ok(api.GetValueInfoTypeInfo(info, &type));
  if (!calls.ok() || !type ||
      !calls.ok(api.GetOnnxTypeFromTypeInfo(type, &kind)) || kind != typeTensor)
    return;
  const OrtTensorTypeAndShapeInfo *tensor = nullptr;
  size_t rank = 0;
  if (!calls.ok(api.CastTypeInfoToTensorInfo(type, &tensor)) || !tensor)
    return;
  calls.ok(api.GetTensorElementType(tensor, &value.type));
  calls.ok(api.GetDimensionsCount(tensor, &rank));
  value.shape.resize(rank);
  std::vector<const char *> symbols(rank);
  calls.ok(api.GetDimensions(tensor, value.shape.data(), rank));
  calls.ok(api.GetSymbolicDimensions(tensor, symbols.data(), rank));
  for (const char *symbol : symbols)
    value.symbols.emplace_back(symbol ? symbol : "");
  value.hasRank = api.TensorTypeAndShape_HasShape
                      ? api.TensorTypeAndShape_HasShape(tensor)
                      : rank > 0;
}

void Graph::readValue(Calls &calls, const OrtValueInfo *info, Value &value) {
  readType(calls, info, value);
  calls.ok(api.ValueInfo_IsGraphOutput(info, &value.isOutput));
  calls.ok(api.ValueInfo_IsConstantInitializer(info, &value.isConstant));
  const OrtValue *data = nullptr;
  if (!calls.ok() || value.type == 0 || !value.isConstant ||
      !calls.ok(api.ValueInfo_GetInitializerValue(info, &data)))
    return;
  if (data)
    readConstant(calls, data, value.constant);
}

int Graph::valueOf(Calls &calls, const OrtValueInfo *info) {
  const char *name = nullptr;
  if (!info || !calls.ok(api.GetValueInfoName(info, &name)) || !*name)
    return -1;
  auto [found, isNew] = byName.try_emplace(name, int(values.size()));
  if (isNew) {
    values.emplace_back().name = name;
    readValue(calls, info, values.back());
  }
  return found->second;
}

/// Sizes come with an error as long as the bytes have no room.
std::string Graph::readBytes(Calls &calls, const OrtOpAttr *from, int type) {
  size_t size = 0;
  char none = 0;
  api.ReleaseStatus(api.ReadOpAttr(from, type, &none, 0, &size));
  std::string bytes(size, '\0');
  if (size > 0)
    calls.ok(api.ReadOpAttr(from, type, bytes.data(), size, &size));
  return bytes;
}

template <typename Element>
static void readArray(const std::string &bytes, std::vector<Element> &to) {
  to.resize(bytes.size() / sizeof(Element));
  std::memcpy(to.data(), bytes.data(), to.size() * sizeof(Element));
}

/// Strings lie behind each other, each with a zero at its end.
static void readStrings(const std::string &bytes,
                        std::vector<std::string> &to) {
  for (size_t start = 0; start < bytes.size();) {
    to.emplace_back(bytes.c_str() + start);
    start += to.back().size() + 1;
  }
}

void Graph::readAttribute(Calls &calls, const OrtOpAttr *from, Attribute &to) {
  const char *name = "";
  calls.ok(api.OpAttr_GetName(from, &name));
  to.name = name;
  if (OrtStatus *unknown = api.OpAttr_GetType(from, &to.type)) {
    // A kind that the interface lacks: the node stays with the session.
    api.ReleaseStatus(unknown);
    to.type = attributeUnknown;
    return;
  }
  size_t size = 0;
  switch (to.type) {
  case attributeInt:
    to.ints.resize(1);
    calls.ok(api.ReadOpAttr(from, to.type, to.ints.data(), 8, &size));
    return;
  case attributeFloat:
    to.floats.resize(1);
    calls.ok(api.ReadOpAttr(from, to.type, to.floats.data(), 4, &size));
    return;
  case attributeInts:
    return readArray(readBytes(calls, from, to.type), to.ints);
  case attributeFloats:
    return readArray(readBytes(calls, from, to.type), to.floats);
  case attributeString:
    to.strings.push_back(readBytes(calls, from, to.type));
    return;
  case attributeStrings:
    return readStrings(readBytes(calls, from, to.type), to.strings);
  case attributeTensor:
    if (calls.ok(api.OpAttr_GetTensorAttributeAsOrtValue(from, &to.owned)))
      readConstant(calls, to.owned, to.tensor);
    return;
  default:
    return;
  }
}

void Graph::readAttributes(Calls &calls, const OrtNode *from, Node &node) {
  size_t count = 0;
  calls.ok(api.Node_GetNumAttributes(from, &count));
  std::vector<const OrtOpAttr *> attributes(count);
  if (!calls.ok(api.Node_GetAttributes(from, attributes.data(), count)))
    return;
  for (const OrtOpAttr *attribute : attributes)
    if (attribute)
      readAttribute(calls, attribute, node.attributes.emplace_back());
}

void Graph::readNode(Calls &calls, const OrtNode *from, Node &node) {
  const char *name = "", *op = "", *domain = "", *taken = nullptr;
  size_t subgraphs = 0;
  calls.ok(api.Node_GetName(from, &name));
  calls.ok(api.Node_GetOperatorType(from, &op));
  calls.ok(api.Node_GetDomain(from, &domain));
  calls.ok(api.Node_GetEpName(from, &taken));
  calls.ok(api.Node_GetNumSubgraphs(from, &subgraphs));
  node.node = from;
  node.name = name, node.op = op, node.domain = domain;
  node.isTaken = taken && *taken;
  node.hasSubgraphs = subgraphs > 0;
  for (auto *info :
       valuesOf(calls, from, api.Node_GetNumInputs, api.Node_GetInputs))
    node.inputs.push_back(valueOf(calls, info));
  for (auto *info :
       valuesOf(calls, from, api.Node_GetNumOutputs, api.Node_GetOutputs))
    node.outputs.push_back(valueOf(calls, info));
  for (auto *info : valuesOf(calls, from, api.Node_GetNumImplicitInputs,
                             api.Node_GetImplicitInputs))
    node.implicit.push_back(valueOf(calls, info));
  if (!node.hasSubgraphs)
    readAttributes(calls, from, node);
}

void Graph::readOpsets(Calls &calls, const OrtGraph *graph) {
  size_t count = 0;
  calls.ok(api.Graph_GetNumOperatorSets(graph, &count));
  std::vector<const char *> domains(count);
  std::vector<int64_t> versions(count);
  if (!calls.ok(api.Graph_GetOperatorSets(graph, domains.data(),
                                          versions.data(), count)))
    return;
  for (size_t each = 0; each < count; ++each)
    opsets.emplace_back(domains[each], versions[each]);
}

OrtStatus *Graph::read(const OrtGraph *graph) {
  Calls calls(api);
  calls.ok(api.Graph_GetOnnxIRVersion(graph, &irVersion));
  readOpsets(calls, graph);
  size_t count = 0;
  calls.ok(api.Graph_GetNumNodes(graph, &count));
  std::vector<const OrtNode *> found(count);
  calls.ok(api.Graph_GetNodes(graph, found.data(), count));
  for (size_t each = 0; calls.ok() && each < count; ++each) {
    readNode(calls, found[each], nodes.emplace_back());
    for (int output : nodes.back().outputs)
      if (output >= 0)
        values[output].producer = int(each);
  }
  return calls.take();
}

Graph::~Graph() {
  for (Node &node : nodes)
    for (Attribute &attribute : node.attributes)
      api.ReleaseValue(attribute.owned);
}
