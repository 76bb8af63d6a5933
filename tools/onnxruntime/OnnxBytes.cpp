//===- OnnxBytes.cpp - nodes as the bytes of an ONNX model ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of fields are those of onnx.proto.
//===----------------------------------------------------------------------===//
#include "tools/onnxruntime/OnnxBytes.h"

#include <algorithm>
#include <cstdlib>

using namespace tenon::ort;

namespace {
/// One message of protobuf.
class Message {
public:
  Message &number(int field, int64_t value) {
    tag(field, 0);
    varint(uint64_t(value));
    return *this;
  }
  Message &text(int field, const std::string &text) {
    return raw(field, text.data(), text.size());
  }
  Message &raw(int field, const void *data, size_t size) {
    tag(field, 2);
    varint(size);
    bytes.append(static_cast<const char *>(data), size);
    return *this;
  }
  Message &message(int field, const Message &inner) {
    return text(field, inner.bytes);
  }
  Message &real(int field, float value) {
    tag(field, 5);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }

  std::string bytes;

private:
  void tag(int field, int wire) { varint(uint64_t(field) << 3 | wire); }
  void varint(uint64_t value) {
    for (; value > 127; value >>= 7)
      bytes.push_back(char(value | 128));
    bytes.push_back(char(value));
  }
};

class Writer {
public:
  explicit Writer(const Graph &graph, OnnxModel &model)
      : graph(graph), model(model) {}
  void write(const NodeSet &set);

private:
  Message tensor(const std::string &name, const Constant &constant);
  Message attribute(const Attribute &attribute);
  Message node(int index);
  Message valueInfo(const Value &value, bool withShape);
  void addConstants(Message &to, const NodeSet &set);

  const Graph &graph;
  OnnxModel &model;
};
} // namespace

/// Smaller constants are part of the model.
constexpr size_t smallBytes = 1024;

std::string tenon::ort::uniqueName(const Graph &graph, int index) {
  const Node &node = graph.nodes[index];
  std::string number = "#" + std::to_string(index);
  if (!node.name.empty())
    return node.name + number;
  return (node.outputs.empty() || node.outputs[0] < 0
              ? node.op
              : graph.values[node.outputs[0]].name) +
         number;
}

Message Writer::tensor(const std::string &name, const Constant &constant) {
  Message to;
  for (int64_t extent : constant.shape)
    to.number(1, extent);
  to.number(2, constant.type).text(8, name);
  if (constant.size <= smallBytes)
    return to.raw(9, constant.data, constant.size);
  Message location;
  location.text(1, "location").text(2, std::to_string(model.files.size()));
  model.files.push_back(&constant);
  return to.message(13, location).number(14, 1);
}

/// ONNX's number of the kind of an attribute.
static int onnxKind(int type) {
  switch (type) {
  case attributeFloat:
    return 1;
  case attributeInt:
    return 2;
  case attributeString:
    return 3;
  case attributeTensor:
    return 4;
  case attributeFloats:
    return 6;
  case attributeInts:
    return 7;
  default:
    return 8;
  }
}

Message Writer::attribute(const Attribute &from) {
  Message to;
  to.text(1, from.name).number(20, onnxKind(from.type));
  for (float value : from.floats)
    to.real(from.type == attributeFloat ? 2 : 7, value);
  for (int64_t value : from.ints)
    to.number(from.type == attributeInt ? 3 : 8, value);
  for (const std::string &value : from.strings)
    to.text(from.type == attributeString ? 4 : 9, value);
  if (from.type == attributeTensor)
    to.message(5, tensor("", from.tensor));
  return to;
}

Message Writer::node(int index) {
  const Node &from = graph.nodes[index];
  Message to;
  auto nameOf = [&](int value) {
    return value < 0 ? std::string() : graph.values[value].name;
  };
  for (int value : from.inputs)
    to.text(1, nameOf(value));
  for (int value : from.outputs)
    to.text(2, nameOf(value));
  to.text(3, uniqueName(graph, index)).text(4, from.op);
  for (const Attribute &each : from.attributes)
    to.message(5, attribute(each));
  return to.text(7, from.domain);
}

Message Writer::valueInfo(const Value &value, bool withShape) {
  Message shape;
  for (size_t dim = 0; dim < value.shape.size(); ++dim) {
    Message extent;
    if (value.shape[dim] >= 0)
      extent.number(1, value.shape[dim]);
    else if (!value.symbols[dim].empty())
      extent.text(2, value.symbols[dim]);
    shape.message(1, extent);
  }
  Message tensor, type, to;
  tensor.number(1, value.type);
  if (withShape && value.hasRank)
    tensor.message(2, shape);
  type.message(1, tensor);
  return to.text(1, value.name).message(2, type);
}

void Writer::addConstants(Message &to, const NodeSet &set) {
  std::vector<bool> isWritten(graph.values.size());
  for (int node : set)
    for (int value : graph.nodes[node].inputs) {
      if (value < 0 || isWritten[value] || !graph.values[value].isConstant)
        continue;
      isWritten[value] = true;
      const Value &constant = graph.values[value];
      to.message(5, tensor(constant.name, constant.constant));
    }
}

void Writer::write(const NodeSet &set) {
  Border border = borderOf(graph, set);
  Message inside, to;
  for (int index : set)
    inside.message(1, node(index));
  inside.text(2, "onnxruntime");
  addConstants(inside, set);
  for (int value : border.inputs)
    inside.message(11, valueInfo(graph.values[value], true));
  // What the compiler infers of outputs may be more exact than what is known.
  for (int value : border.outputs)
    inside.message(12, valueInfo(graph.values[value], false));
  to.number(1, graph.irVersion).message(7, inside);
  for (const auto &[domain, version] : graph.opsets) {
    bool isUsed = std::any_of(set.begin(), set.end(), [&](int index) {
      return graph.nodes[index].domain == domain;
    });
    Message opset;
    opset.text(1, domain).number(2, version);
    if (isUsed || domain.empty())
      to.message(8, opset);
  }
  model.bytes = std::move(to.bytes);
}

static const void *externalBytes(void *user, const char *location,
                                 size_t *size) {
  auto *model = static_cast<const OnnxModel *>(user);
  size_t index = std::strtoul(location, nullptr, 10);
  if (index >= model->files.size())
    return nullptr;
  *size = model->files[index]->size;
  return model->files[index]->data;
}

tenon_source OnnxModel::source() const {
  tenon_source source = TENON_INIT(tenon_source);
  source.data = bytes.data();
  source.size = bytes.size();
  source.name = "onnxruntime.onnx";
  source.external = externalBytes;
  source.user = const_cast<OnnxModel *>(this);
  return source;
}

OnnxModel tenon::ort::modelOf(const Graph &graph, const NodeSet &set) {
  OnnxModel model;
  Writer(graph, model).write(set);
  return model;
}
