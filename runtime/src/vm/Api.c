//===- Api.c - values for callers -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes values from callers' data, and shows what is in them. Their
// memory is malloc's: they belong to no context.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "src/vm/Value.h"

#include <string.h>

static tenon_status *isNull(void) {
  return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
}

/// That a caller's shape is one.
static tenon_status *checkShape(int32_t rank, const int64_t *shape) {
  bool isGood =
      rank >= 0 && rank <= (int32_t)TENON_MAX_RANK && (!rank || shape);
  for (int32_t i = 0; isGood && i < rank; ++i)
    isGood = shape[i] >= 0;
  return isGood ? NULL
                : tenonFail(TENON_INVALID_ARGUMENT, "",
                            "a tensor has no shape, or a bad one");
}

static bool isContiguous(const tenon_tensor *tensor) {
  int64_t stride = 1;
  for (int32_t i = tensor->ndim - 1; tensor->strides && i >= 0; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride)
      return false;
    stride *= tensor->shape[i];
  }
  return true;
}

tenon_status *tenon_value_tensor(const tenon_tensor *tensor,
                                 tenon_value **result) {
  if (!tensor || !result)
    return isNull();
  TENON_TRY(checkShape(tensor->ndim, tensor->shape));
  if (tensor->dtype.lanes != 1 || tensor->dtype.code == TENON_STRING ||
      !tenonIsElementType(tensor->dtype.code, tensor->dtype.bits))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "a value cannot have this element type");
  if (tensor->device.device_type != TENON_DEVICE_CPU)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the tensor is not in CPU memory");
  tenon_value *value;
  TENON_TRY(
      tenonNewTensor(NULL, tensor->dtype, tensor->ndim, tensor->shape, &value));
  if (value->bytes && (!tensor->data || !isContiguous(tensor))) {
    tenonDrop(value);
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the tensor has no data, or they are not contiguous in "
                     "row-major order");
  }
  if (value->bytes)
    memcpy(value->data, (const uint8_t *)tensor->data + tensor->byte_offset,
           (size_t)value->bytes);
  *result = value;
  return NULL;
}

tenon_status *tenon_value_strings(const char *const *texts, const size_t *sizes,
                                  int32_t rank, const int64_t *shape,
                                  tenon_value **result) {
  static const tenon_dtype type = {TENON_STRING, 8 * sizeof(void *), 1};
  if (!result)
    return isNull();
  TENON_TRY(checkShape(rank, shape));
  tenon_value *value;
  TENON_TRY(tenonNewTensor(NULL, type, rank, shape, &value));
  tenon_status *status = value->count && !texts ? isNull() : NULL;
  for (int64_t i = 0; !status && i < value->count; ++i)
    status = !texts[i] ? isNull()
                       : tenonNewText(NULL, texts[i],
                                      sizes ? sizes[i] : strlen(texts[i]),
                                      &tenonTexts(value)[i]);
  if (status)
    tenonDrop(value);
  else
    *result = value;
  return status;
}

static bool isSameType(tenon_dtype a, tenon_dtype b) {
  return a.code == b.code && a.bits == b.bits;
}

tenon_status *tenon_value_sequence(tenon_dtype type,
                                   tenon_value *const *elements, size_t count,
                                   tenon_value **result) {
  if (!result || (count && !elements))
    return isNull();
  if (!tenonIsElementType(type.code, type.bits))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "a value cannot have this element type");
  for (size_t i = 0; i < count; ++i)
    if (!elements[i] || elements[i]->kind != TENON_IS_TENSOR ||
        !isSameType(elements[i]->type, type))
      return tenonFail(TENON_INVALID_ARGUMENT, "",
                       "element %zu of the sequence is no tensor of its type",
                       i);
  type.lanes = 1;
  tenon_value *value;
  TENON_TRY(tenonNewSequence(NULL, type, (int64_t)count, &value));
  for (size_t i = 0; i < count; ++i)
    tenonElements(value)[value->count++] = tenonRetain(elements[i]);
  *result = value;
  return NULL;
}

tenon_status *tenon_value_optional(tenon_value *element, tenon_value **result) {
  if (!result)
    return isNull();
  if (!element)
    return tenonNewEmpty(NULL, result);
  *result = tenonRetain(element);
  return NULL;
}

tenon_value *tenon_value_retain(tenon_value *value) {
  return value ? tenonRetain(value) : NULL;
}

void tenon_value_release(tenon_value *value) { tenonDrop(value); }

tenon_status *tenon_value_query(const tenon_value *value,
                                tenon_value_info *info) {
  static const tenon_value_kind kinds[] = {
      [TENON_IS_TENSOR] = TENON_VALUE_TENSOR,
      [TENON_IS_SEQUENCE] = TENON_VALUE_SEQUENCE,
      [TENON_IS_EMPTY] = TENON_VALUE_OPTIONAL};
  if (!value)
    return isNull();
  bool isTensor = value->kind == TENON_IS_TENSOR;
  tenon_value_info full = {
      .kind = kinds[value->kind],
      .dtype = value->type,
      .rank = value->rank,
      .shape = value->shape,
      .count = (size_t)value->count,
      .data = isTensor && !tenonIsOfStrings(value) ? value->data : NULL,
      .byte_size = (size_t)value->bytes};
  return tenonFillStruct(info, &full, sizeof full);
}

const char *tenon_value_string(const tenon_value *value, size_t index,
                               size_t *size) {
  if (!value || value->kind != TENON_IS_TENSOR || !tenonIsOfStrings(value) ||
      index >= (size_t)value->count)
    return NULL;
  const struct tenonText *text = tenonTexts(value)[index];
  if (size)
    *size = tenonTextSize(text);
  return tenonTextBytes(text);
}

tenon_status *tenon_value_element(const tenon_value *value, size_t index,
                                  tenon_value **element) {
  if (!value || !element)
    return isNull();
  if (value->kind != TENON_IS_SEQUENCE || index >= (size_t)value->count)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no element %zu",
                     index);
  *element = tenonRetain(tenonElements(value)[index]);
  return NULL;
}
