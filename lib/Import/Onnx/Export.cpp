//===- Export.cpp - a model with other weights ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Onnx/Export.h"

#include "lib/Import/Onnx/ExternalData.h"
#include "lib/Import/Onnx/Parse.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;
using llvm::createStringError;
using llvm::StringRef;

static int64_t dataType(StringRef type) {
  return llvm::StringSwitch<int64_t>(type)
      .Case("F32", proto::TensorProto::FLOAT)
      .Case("F64", proto::TensorProto::DOUBLE)
      .Default(proto::TensorProto::UNDEFINED);
}

static llvm::Error setValue(proto::TensorProto &tensor, const NewValue &value) {
  bool isSame = tensor.data_type() == dataType(value.type) &&
                llvm::equal(tensor.dims(), value.shape);
  if (!isSame)
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
  made.set_raw_data(value.bytes.str());
  tensor = std::move(made);
  return llvm::Error::success();
}

/// Whether a value is what an optimiser keeps, of some initialiser.
static bool isOptimizers(StringRef name,
                         const llvm::StringSet<> &initializers) {
  return name == "step" || initializers.contains(name.rsplit('.').first);
}

static llvm::Error setValues(proto::GraphProto &graph, StringRef path,
                             llvm::ArrayRef<NewValue> values) {
  ExternalData external(llvm::sys::path::parent_path(path).str());
  llvm::StringMap<const NewValue *> byName;
  for (const NewValue &value : values)
    byName[value.name] = &value;
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
