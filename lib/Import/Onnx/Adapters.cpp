//===- Adapters.cpp - the version converter, corrected --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file overrides the adapters of onnx 1.22 whose results mean something
// else than their input: Resize 10 to 11 (forgets how coordinates map),
// Clip and Pad 10 to 11 (constants are f32 whatever the tensor is), Hardmax 12
// to 13 (forgets the coercion to two dimensions), Upsample (loses its name).
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Adapters.h"
#include "onnx/version_converter/convert.h"
#include "llvm/ADT/APFloat.h"
#include <set>

namespace proto = ::onnx;
namespace convert = ::onnx::version_conversion;
using convert::Adapter;
using proto::Node;
using proto::OpSetID;
using GraphPtr = std::shared_ptr<proto::Graph>;

namespace {
/// Resize before opset 11 had one way to map coordinates.
class Resize final : public Adapter {
public:
  Resize() : Adapter("Resize", OpSetID(10), OpSetID(11)) {}
  Node *adapt(GraphPtr graph, Node *node) const override {
    Node *resize = base.adapt(std::move(graph), node);
    resize->s_(proto::Symbol("coordinate_transformation_mode"), "asymmetric");
    resize->s_(proto::Symbol("nearest_mode"), "floor");
    return resize;
  }

private:
  convert::Resize_10_11 base;
};

class Upsample final : public Adapter {
public:
  Upsample() : Adapter("Upsample", OpSetID(9), OpSetID(10)) {}
  Node *adapt(GraphPtr graph, Node *node) const override {
    std::string name = node->name();
    Node *resize = base.adapt(std::move(graph), node);
    resize->setName(name);
    return resize;
  }

private:
  convert::Upsample_9_10 base;
};
} // namespace

/// The bits of `value` as an IEEE half.
static int32_t halfBits(float value) {
  llvm::APFloat half(value);
  bool inexact;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
               &inexact);
  return int32_t(half.bitcastToAPInt().getZExtValue());
}

/// Gives the constants among the operands after the first the data type of the
/// first.
static void retypeConstants(Node &node) {
  int32_t type = node.inputs()[0]->elemType();
  if (type != proto::TensorProto::DOUBLE && type != proto::TensorProto::FLOAT16)
    return;
  for (size_t i = 1; i < node.inputs().size(); ++i) {
    Node *producer = node.inputs()[i]->node();
    if (producer->kind() != proto::kConstant ||
        producer->t(proto::kvalue).elem_type() != proto::TensorProto::FLOAT)
      continue;
    proto::Tensor tensor = producer->t(proto::kvalue);
    tensor.elem_type() = type;
    for (float value : tensor.floats())
      if (type == proto::TensorProto::DOUBLE)
        tensor.doubles().push_back(value);
      else
        tensor.int32s().push_back(halfBits(value));
    tensor.floats().clear();
    producer->t_(proto::kvalue, std::move(tensor));
  }
}

namespace {
/// Clip and Pad, whose attributes become operands.
template <typename Base> class Retyped final : public Adapter {
public:
  explicit Retyped(const char *op) : Adapter(op, OpSetID(10), OpSetID(11)) {}
  Node *adapt(GraphPtr graph, Node *node) const override {
    Node *result = base.adapt(std::move(graph), node);
    retypeConstants(*result);
    return result;
  }

private:
  Base base;
};

class Converter final : public convert::DefaultVersionConverter {
public:
  Converter() {
    registerAdapter(std::make_unique<convert::Softmax_12_13>("Hardmax"));
    registerAdapter(std::make_unique<Resize>());
    registerAdapter(std::make_unique<Upsample>());
    registerAdapter(std::make_unique<Retyped<convert::Clip_10_11>>("Clip"));
    registerAdapter(std::make_unique<Retyped<convert::Pad_10_11>>("Pad"));
  }

  /// Whether all nodes read the same in both opsets, and in those between.
  bool keepsAll(const proto::GraphProto &graph, int64_t from,
                int64_t to) const {
    std::set<std::string> known;
    for (const proto::NodeProto &node : graph.node())
      if (node.domain().empty() && known.insert(node.op_type()).second)
        for (int64_t version = from; version < to; ++version)
          if (!keeps(node.op_type(), version))
            return false;
    return true;
  }

private:
  /// Whether an operator is the same in `version` and the next one.
  bool keeps(const std::string &op, int64_t version) const {
    auto schemas = all_schemas.find(op);
    if (schemas == all_schemas.end())
      return false;
    auto versions = schemas->second.find("");
    if (versions == schemas->second.end() ||
        !versions->second.count(version + 1))
      return true;
    return dynamic_cast<const convert::CompatibleAdapter *>(
        adapterOf(op, version));
  }

  /// The adapter to the next version, or null.
  const Adapter *adapterOf(const std::string &op, int64_t version) const {
    auto ofOp = adapters.find(op);
    if (ofOp == adapters.end())
      return nullptr;
    auto ofVersion = ofOp->second.find(OpSetID(version).toString());
    if (ofVersion == ofOp->second.end())
      return nullptr;
    auto adapter = ofVersion->second.find(OpSetID(version + 1).toString());
    return adapter == ofVersion->second.end() ? nullptr : adapter->second.get();
  }
};
} // namespace

proto::ModelProto
tenon::onnximport::convertToOpset(const proto::ModelProto &model, int opset) {
  proto::ModelProto same = model;
  int64_t current = opset;
  for (auto &import : *same.mutable_opset_import())
    if (import.domain().empty()) {
      current = import.version();
      import.set_version(opset);
    }
  Converter converter;
  // Converting takes quadratic time, whether a node changes or not.
  if (converter.keepsAll(model.graph(), current, opset))
    return same;
  return converter.convert_version(model, OpSetID(current), OpSetID(opset));
}
