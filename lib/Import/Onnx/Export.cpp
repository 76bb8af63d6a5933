//===- Export.cpp - a model with other weights ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Onnx/Export.h"

#include "lib/Import/Onnx/ExternalData.h"
#include "lib/Import/Onnx/Parse.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Path.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;
namespace endian = llvm::support::endian;
using llvm::createStringError;
using llvm::StringRef;

static int64_t dataType(StringRef type) {
  return llvm::StringSwitch<int64_t>(type)
      .Case("F32", proto::TensorProto::FLOAT)
      .Case("F64", proto::TensorProto::DOUBLE)
      .Default(proto::TensorProto::UNDEFINED);
}

/// Whether the model has a tensor in 16 bits that is trained in f32.
static bool isNarrowed(int64_t type) {
  return type == proto::TensorProto::FLOAT16 ||
         type == proto::TensorProto::BFLOAT16;
}

/// The nearest numbers of 16 bits of some of f32.
static std::string narrowed(StringRef bytes, int64_t type) {
  const llvm::fltSemantics &semantics = type == proto::TensorProto::FLOAT16
                                            ? llvm::APFloat::IEEEhalf()
                                            : llvm::APFloat::BFloat();
  std::string halves;
  for (; !bytes.empty(); bytes = bytes.drop_front(4)) {
    llvm::APFloat number(llvm::bit_cast<float>(endian::read32le(bytes.data())));
    bool isInexact;
    number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &isInexact);
    uint64_t half = number.bitcastToAPInt().getZExtValue();
    halves += {char(half), char(half >> 8)};
  }
  return halves;
}

static llvm::Error setValue(proto::TensorProto &tensor, const NewValue &value) {
  bool narrows = value.type == "F32" && isNarrowed(tensor.data_type());
  bool fits = (narrows || tensor.data_type() == dataType(value.type)) &&
              llvm::equal(tensor.dims(), value.shape);
  if (!fits)
    return createStringError("--apply-state: '" + value.name +
                             "' has another type or shape than the model's "
                             "initialiser");
  uint64_t bytes = value.type == "F64" ? 8 : 4;
  for (int64_t extent : value.shape)
    bytes *= uint64_t(extent);
  if (bytes != value.bytes.size())
    return createStringError("--apply-state: the file is damaged: it lacks "
                             "elements of '" +
                             value.name + "'");
  proto::TensorProto made;
  made.set_name(tensor.name());
  made.set_data_type(tensor.data_type());
  *made.mutable_dims() = tensor.dims();
  made.set_raw_data(narrows ? narrowed(value.bytes, tensor.data_type())
                            : value.bytes.str());
  tensor = std::move(made);
  return llvm::Error::success();
}

/// Whether a value is what an optimiser keeps, of some initialiser or of all.
static bool isOptimizers(StringRef name,
                         const llvm::StringSet<> &initializers) {
  bool isOfAll = llvm::is_contained(
      {"step", "loss_scale", "good_steps", "skipped_steps"}, name);
  return isOfAll || initializers.contains(name.rsplit('.').first);
}

using ValueMap = llvm::StringMap<const NewValue *>;

static const proto::TensorProto *findInitializer(const proto::GraphProto &graph,
                                                 StringRef name) {
  for (const proto::TensorProto &tensor : graph.initializer())
    if (tensor.name() == name)
      return &tensor;
  return nullptr;
}

/// Makes initialisers of copies that were trained apart from what they copy.
static void untie(proto::GraphProto &graph, const ValueMap &values) {
  auto &nodes = *graph.mutable_node();
  for (int i = nodes.size(); i-- > 0;) {
    const proto::NodeProto &node = nodes[i];
    bool isCopy = node.op_type() == "Identity" && node.domain().empty() &&
                  node.input_size() == 1 && node.output_size() == 1;
    if (!isCopy || !values.contains(node.output(0)))
      continue;
    const proto::TensorProto *source = findInitializer(graph, node.input(0));
    if (!source)
      continue;
    proto::TensorProto own = *source;
    own.set_name(node.output(0));
    *graph.add_initializer() = std::move(own);
    nodes.DeleteSubrange(i, 1);
  }
}

static llvm::Error setValues(proto::GraphProto &graph, StringRef path,
                             llvm::ArrayRef<NewValue> values) {
  ExternalData external(llvm::sys::path::parent_path(path).str());
  ValueMap byName;
  for (const NewValue &value : values)
    byName[value.name] = &value;
  untie(graph, byName);
  llvm::StringSet<> initializers;
  bool found = false;
  for (proto::TensorProto &tensor : *graph.mutable_initializer()) {
    initializers.insert(tensor.name());
    const NewValue *value = byName.lookup(tensor.name());
    found |= value != nullptr;
    if (llvm::Error error =
            value ? setValue(tensor, *value) : takeInside(tensor, external))
      return error;
  }
  for (const NewValue &value : values)
    if (!initializers.contains(value.name) &&
        !isOptimizers(value.name, initializers))
      return createStringError("--apply-state: the model has no initialiser '" +
                               value.name + "': the state is of another one");
  if (!found)
    return createStringError("--apply-state: the file has no value for an "
                             "initialiser of the model");
  return llvm::Error::success();
}

/// Makes a node compute as after training.
static void leaveTraining(proto::NodeProto &node) {
  if (node.op_type() == "Dropout" && node.input_size() > 2)
    node.mutable_input()->DeleteSubrange(2, node.input_size() - 2);
  if (node.op_type() != "BatchNormalization")
    return;
  auto &attributes = *node.mutable_attribute();
  for (int i = attributes.size(); i-- > 0;)
    if (attributes[i].name() == "training_mode" && attributes[i].i() != 0) {
      attributes.DeleteSubrange(i, 1);
      for (int last = node.output_size(); --last > 0;)
        node.mutable_output()->RemoveLast();
    }
}

llvm::Expected<std::string>
tenon::onnximport::withValues(StringRef path, llvm::ArrayRef<NewValue> values) {
  auto model = readWhole(path);
  if (!model)
    return model.takeError();
  if (llvm::Error error = setValues(*model->mutable_graph(), path, values))
    return std::move(error);
  for (proto::NodeProto &node : *model->mutable_graph()->mutable_node())
    leaveTraining(node);
  std::string result;
  if (!model->SerializeToString(&result))
    return createStringError("--apply-state: a model of more than 2 GiB cannot "
                             "be written");
  return result;
}
