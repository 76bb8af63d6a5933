//===- Upgrade.cpp - a node in the newest opset ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes a node through its steps, and has what steps are made of.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Upgrade.h"
#include "onnx/defs/tensor_proto_util.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;
using llvm::StringRef;
using proto::AttributeProto;
using proto::NodeProto;
using proto::TensorProto;

llvm::ArrayRef<UpgradeStep> tenon::onnximport::upgradeSteps() {
  static const std::vector<UpgradeStep> steps = [] {
    std::vector<UpgradeStep> all;
    populateOperandSteps(all);
    populateArithmeticSteps(all);
    populateNormalizationSteps(all);
    populateResizeSteps(all);
    llvm::sort(all, [](const UpgradeStep &a, const UpgradeStep &b) {
      return std::tie(a.op, a.opset) < std::tie(b.op, b.opset);
    });
    return all;
  }();
  return steps;
}

bool Upgrade::run(int64_t opset) {
  // Told which operands an operator may overwrite.
  if (opset < 6)
    take("consumed_inputs");
  std::string op = node.op_type();
  auto steps = upgradeSteps();
  auto step = llvm::partition_point(
      steps, [&](const UpgradeStep &other) { return other.op < op; });
  for (; step != steps.end() && step->op == op; ++step)
    if (step->opset > opset && problem.empty())
      step->apply(*this);
  return problem.empty();
}

const AttributeProto *Upgrade::attribute(StringRef name) const {
  for (const AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

std::optional<AttributeProto> Upgrade::take(StringRef name) {
  auto &list = *node.mutable_attribute();
  for (int i = 0; i < list.size(); ++i)
    if (list[i].name() == name) {
      AttributeProto taken = std::move(list[i]);
      list.erase(list.begin() + i);
      return taken;
    }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> Upgrade::takeInts(StringRef name) {
  std::optional<AttributeProto> attribute = take(name);
  if (!attribute)
    return std::nullopt;
  return std::vector<int64_t>(attribute->ints().begin(),
                              attribute->ints().end());
}

void Upgrade::set(StringRef name, int64_t value) {
  take(name);
  AttributeProto &added = *node.add_attribute();
  added.set_name(name.str());
  added.set_type(AttributeProto::INT);
  added.set_i(value);
}

void Upgrade::set(StringRef name, float value) {
  take(name);
  AttributeProto &added = *node.add_attribute();
  added.set_name(name.str());
  added.set_type(AttributeProto::FLOAT);
  added.set_f(value);
}

void Upgrade::set(StringRef name, StringRef value) {
  take(name);
  AttributeProto &added = *node.add_attribute();
  added.set_name(name.str());
  added.set_type(AttributeProto::STRING);
  added.set_s(value.str());
}

std::string Upgrade::input(int index) const {
  return index < node.input_size() ? node.input(index) : std::string();
}

void Upgrade::setInput(int index, const std::string &value) {
  while (node.input_size() <= index)
    node.add_input();
  node.set_input(index, value);
}

int64_t Upgrade::size(int index, int64_t dim) const {
  if (dim < 0 || dim >= rank(index))
    return -1;
  const auto &shape = values.typeOf(input(index))->tensor_type().shape();
  const auto &size = shape.dim(int(dim));
  return size.has_dim_value() ? size.dim_value() : -1;
}

template <typename T>
static std::optional<std::vector<int64_t>> integers(const TensorProto &tensor) {
  std::vector<int64_t> result;
  for (T element : proto::ParseData<T>(&tensor)) {
    constexpr double exact = 1LL << 53;
    if (!(std::abs(double(element)) <= exact))
      return std::nullopt;
    result.push_back(int64_t(element));
    if (T(result.back()) != element)
      return std::nullopt;
  }
  return result;
}

std::optional<std::vector<int64_t>> Upgrade::constantInts(int index) const {
  const TensorProto *tensor = values.constantOf(input(index));
  if (!tensor || tensor->external_data_size() != 0)
    return std::nullopt;
  try {
    switch (tensor->data_type()) {
    case TensorProto::FLOAT:
      return integers<float>(*tensor);
    case TensorProto::DOUBLE:
      return integers<double>(*tensor);
    case TensorProto::INT32:
      return integers<int32_t>(*tensor);
    case TensorProto::INT64:
      return integers<int64_t>(*tensor);
    default:
      return std::nullopt;
    }
  } catch (const std::exception &) {
    return std::nullopt; // its data do not fit its shape; refused later
  }
}

NodeProto &Upgrade::append(StringRef op, const std::vector<std::string> &inputs,
                           const std::string &output) {
  NodeProto &made = after.emplace_back();
  made.set_op_type(op.str());
  if (!node.name().empty())
    made.set_name(node.name() + "/" + op.str());
  for (const std::string &input : inputs)
    made.add_input(input);
  made.add_output(output);
  return made;
}

std::string Upgrade::newName(StringRef suffix) {
  std::string base = node.name().empty() ? node.op_type() : node.name();
  return names.unique(base + "/" + suffix.str());
}

std::string Upgrade::make(StringRef op,
                          const std::vector<std::string> &inputs) {
  std::string name = newName(op);
  append(op, inputs, name);
  before.push_back(std::move(after.back()));
  after.pop_back();
  return name;
}

std::string Upgrade::renameOutput(int index) {
  std::string name = names.unique(node.output(index) + "/" + node.op_type());
  node.set_output(index, name);
  return name;
}

std::string Upgrade::addConstant(TensorProto tensor) {
  std::string name = make("Constant", {});
  AttributeProto &value = *before.back().add_attribute();
  value.set_name("value");
  value.set_type(AttributeProto::TENSOR);
  *value.mutable_t() = std::move(tensor);
  return name;
}

std::string Upgrade::ints(const std::vector<int64_t> &elements) {
  TensorProto tensor;
  tensor.set_data_type(TensorProto::INT64);
  tensor.add_dims(elements.size());
  tensor.mutable_int64_data()->Add(elements.begin(), elements.end());
  return addConstant(std::move(tensor));
}

std::string Upgrade::floats(const std::vector<float> &elements) {
  TensorProto tensor;
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_dims(elements.size());
  tensor.mutable_float_data()->Add(elements.begin(), elements.end());
  return addConstant(std::move(tensor));
}

std::string Upgrade::integer(int64_t value) {
  TensorProto tensor;
  tensor.set_data_type(TensorProto::INT64);
  tensor.add_int64_data(value);
  return addConstant(std::move(tensor));
}

/// The bits of `value` as one of the formats of 16 bits.
static int32_t bitsOf(double value, const llvm::fltSemantics &format) {
  llvm::APFloat narrow(value);
  bool inexact;
  narrow.convert(format, llvm::APFloat::rmNearestTiesToEven, &inexact);
  return int32_t(narrow.bitcastToAPInt().getZExtValue());
}

std::string Upgrade::scalar(double value, int32_t dataType) {
  TensorProto tensor;
  tensor.set_data_type(dataType);
  switch (dataType) {
  case TensorProto::FLOAT:
    tensor.add_float_data(float(value));
    break;
  case TensorProto::DOUBLE:
    tensor.add_double_data(value);
    break;
  case TensorProto::FLOAT16:
    tensor.add_int32_data(bitsOf(value, llvm::APFloat::IEEEhalf()));
    break;
  case TensorProto::BFLOAT16:
    tensor.add_int32_data(bitsOf(value, llvm::APFloat::BFloat()));
    break;
  default:
    fail("the element type of its first input is not known, or not a float");
  }
  return addConstant(std::move(tensor));
}
