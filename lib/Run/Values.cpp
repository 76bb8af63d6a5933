//===- Values.cpp - values of the C API -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Values.h"

#include <cstring>

using namespace tenon;
using namespace tenon::run;

Status tenon::run::take(tenon_status *status) {
  if (!status)
    return Done{};
  Error error{tenon_status_message(status)};
  tenon_status_destroy(status);
  return error;
}

TensorSpec tenon::run::specOf(const tenon_tensor_info &info) {
  TensorSpec spec;
  spec.name = info.name;
  spec.type = info.dtype;
  spec.kind = info.kind;
  spec.hasAnyRank = info.rank < 0;
  if (info.rank > 0)
    spec.shape.assign(info.shape, info.shape + info.rank);
  return spec;
}

tenon_tensor tenon::run::viewOf(const Tensor &tensor, const uint8_t *data) {
  // Inputs are only read; DLPack's struct has no const.
  tenon_tensor view = {};
  view.data = const_cast<uint8_t *>(data);
  view.device.device_type = TENON_DEVICE_CPU;
  view.ndim = int32_t(tensor.spec.shape.size());
  view.dtype = tensor.spec.type;
  view.shape = const_cast<int64_t *>(tensor.spec.shape.data());
  return view;
}

//===----------------------------------------------------------------------===//
// To
//===----------------------------------------------------------------------===//

static Result<Value> ownerOf(tenon_status *status, tenon_value *&value) {
  Status made = take(status);
  if (!made)
    return made.error();
  return Value(value);
}

static Result<Value> sequenceValue(const Tensor &sequence) {
  std::vector<Value> owners;
  std::vector<tenon_value *> items;
  for (const Tensor &item : sequence.items) {
    Result<Value> value = toValue(item);
    if (!value)
      return value;
    items.push_back(value->get());
    owners.push_back(std::move(*value));
  }
  tenon_value *made = nullptr;
  return ownerOf(tenon_value_sequence(sequence.spec.type, items.data(),
                                      items.size(), &made),
                 made);
}

static Result<Value> stringsValue(const Tensor &tensor) {
  std::vector<const char *> texts;
  std::vector<size_t> sizes;
  for (const std::string &text : tensor.strings) {
    texts.push_back(text.data());
    sizes.push_back(text.size());
  }
  tenon_value *made = nullptr;
  return ownerOf(tenon_value_strings(texts.data(), sizes.data(),
                                     int32_t(tensor.spec.shape.size()),
                                     tensor.spec.shape.data(), &made),
                 made);
}

Result<Value> tenon::run::toValue(const Tensor &tensor) {
  if (tensor.spec.kind == TENON_VALUE_SEQUENCE)
    return sequenceValue(tensor);
  tenon_value *made = nullptr;
  if (tensor.spec.kind == TENON_VALUE_OPTIONAL)
    return ownerOf(tenon_value_optional(nullptr, &made), made);
  if (tensor.isOfStrings())
    return stringsValue(tensor);
  tenon_tensor view = viewOf(tensor, tensor.data());
  return ownerOf(tenon_value_tensor(&view, &made), made);
}

//===----------------------------------------------------------------------===//
// From
//===----------------------------------------------------------------------===//

static Result<Tensor> fromSequence(const tenon_value *value, size_t count,
                                   TensorSpec spec) {
  Tensor sequence;
  for (size_t i = 0; i < count; ++i) {
    tenon_value *item = nullptr;
    Status status = take(tenon_value_element(value, i, &item));
    if (!status)
      return status.error();
    Value owner(item);
    Result<Tensor> tensor = fromValue(item, spec);
    if (!tensor)
      return tensor;
    sequence.items.push_back(std::move(*tensor));
  }
  sequence.spec = std::move(spec);
  sequence.spec.kind = TENON_VALUE_SEQUENCE;
  return sequence;
}

static Result<Tensor> fromTensor(const tenon_value *value,
                                 const tenon_value_info &info,
                                 const std::string &name) {
  Result<Tensor> tensor =
      Tensor::make({name, info.dtype, {info.shape, info.shape + info.rank}});
  if (!tensor)
    return tensor;
  for (size_t i = 0; i < tensor->strings.size(); ++i) {
    size_t size = 0;
    const char *text = tenon_value_string(value, i, &size);
    tensor->strings[i].assign(text ? text : "", size);
  }
  if (!tensor->isOfStrings() && info.byte_size)
    std::memcpy(tensor->data(), info.data,
                std::min(info.byte_size, tensor->byteSize()));
  return tensor;
}

Result<Tensor> tenon::run::fromValue(const tenon_value *value,
                                     const TensorSpec &spec) {
  tenon_value_info info = TENON_INIT(tenon_value_info);
  Status status = take(tenon_value_query(value, &info));
  if (!status)
    return status.error();
  if (info.kind == TENON_VALUE_TENSOR)
    return fromTensor(value, info, spec.name);
  if (info.kind == TENON_VALUE_SEQUENCE)
    return fromSequence(value, info.count, spec);
  Tensor nothing;
  nothing.spec = spec;
  nothing.spec.kind = TENON_VALUE_OPTIONAL;
  return nothing;
}
