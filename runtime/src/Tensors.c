//===- Tensors.c - checking the caller's tensors --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks inputs and outputs before anything runs.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "src/cuda/Cuda.h"

#include <stdio.h>

/// "float32", "float8_e5m2".
static void printType(char *text, size_t size, tenon_dtype type) {
  static const char *const names[] = {"int",    "uint",    "float", "handle",
                                      "bfloat", "complex", "bool"};
  static const char *const layouts[] = {"e4m3fn", "e4m3fnuz", "e5m2",
                                        "e5m2fnuz", "e8m0fnu"};
  const unsigned first = TENON_FLOAT8_E4M3FN;
  const char *name = "type", *separator = "", *layout = "";
  if (type.code < sizeof names / sizeof *names)
    name = names[type.code];
  if (type.code >= first && type.code - first < 5u)
    layout = layouts[type.code - first];
  if (type.code == TENON_FLOAT4_E2M1FN)
    layout = "e2m1fn";
  if (*layout) {
    name = "float";
    separator = "_";
  }
  snprintf(text, size, "%s%u%s%s", name, type.bits, separator, layout);
}

/// "[batch, 3]", or "[1x3]" where all extents are fixed.
static void printExpected(const tenon_model *model,
                          const struct tenon_tensor_record *record, char *text,
                          size_t size) {
  const tenon_size_value *dims = model->dims + record->first_dim;
  bool isFixed = true;
  for (uint32_t i = 0; i < record->rank; ++i)
    isFixed &= dims[i] >= 0;
  if (isFixed) {
    tenonPrintShape(text, size, (int32_t)record->rank, dims);
    return;
  }
  size_t used = (size_t)snprintf(text, size, "[");
  for (uint32_t i = 0; i < record->rank && used < size; ++i) {
    const char *name = tenonName(model, model->dimNames[record->first_dim + i]);
    const char *separator = i ? ", " : "";
    used += dims[i] >= 0 ? (size_t)snprintf(text + used, size - used, "%s%lld",
                                            separator, (long long)dims[i])
                         : (size_t)snprintf(text + used, size - used, "%s%s",
                                            separator, *name ? name : "?");
  }
  if (used < size)
    snprintf(text + used, size - used, "]");
}

static tenon_status *shapeMismatch(const char *name, const char *expected,
                                   const tenon_tensor *tensor) {
  char given[160];
  tenonPrintShape(given, sizeof given, tensor->ndim, tensor->shape);
  return tenonFail(TENON_TENSOR_MISMATCH, name,
                   "'%s' has shape %s; the model takes %s", name, given,
                   expected);
}

/// `axis`: a dimension behind which there may be room, or -1.
static bool isContiguous(const tenon_tensor *tensor, int32_t axis) {
  int64_t capacity;
  if (axis >= 0)
    return tenonReadCapacity(tensor, axis, &capacity);
  if (!tensor->strides)
    return true;
  uint64_t stride = 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->shape[i] != 1 && (uint64_t)tensor->strides[i] != stride)
      return false;
    stride *= (uint64_t)tensor->shape[i];
  }
  return true;
}

static tenon_status *checkType(const struct tenon_tensor_record *record,
                               const char *name, const tenon_tensor *tensor) {
  tenon_dtype given = tensor->dtype;
  tenon_dtype expected = {record->type_code, record->type_bits, 1};
  if (given.code != expected.code || given.bits != expected.bits ||
      given.lanes != expected.lanes) {
    char has[32], takes[32];
    printType(has, sizeof has, given);
    printType(takes, sizeof takes, expected);
    return tenonFail(TENON_TENSOR_MISMATCH, name,
                     "'%s' has element type %s; the model takes %s", name, has,
                     takes);
  }
  return NULL;
}

/// `expected`: the extents; below zero any will do.
static tenon_status *checkShape(const tenon_model *model,
                                const struct tenon_tensor_record *record,
                                const int64_t *expected,
                                const tenon_tensor *tensor, bool isInput) {
  const char *name = tenonName(model, record->name);
  if (tensor->ndim < 0 || (tensor->ndim && !tensor->shape))
    return tenonFail(TENON_TENSOR_MISMATCH, name, "'%s' has no shape", name);
  bool same = tensor->ndim == (int32_t)record->rank;
  for (int32_t i = 0; same && i < tensor->ndim; ++i)
    same = expected[i] < 0 ? tensor->shape[i] >= 0
                           : tensor->shape[i] == expected[i];
  if (same)
    return NULL;
  char text[320];
  if (isInput)
    printExpected(model, record, text, sizeof text);
  else
    tenonPrintShape(text, sizeof text, (int32_t)record->rank, expected);
  return shapeMismatch(name, text, tensor);
}

/// `context`: NULL: the tensor must be in the host's memory. `axis`: along
/// which there may be room behind; -1: none.
static tenon_status *
checkLaidOut(const tenon_model *model, const tenon_context *context,
             const struct tenon_tensor_record *record, const int64_t *expected,
             const tenon_tensor *tensor, int32_t axis, bool isInput) {
  const char *name = tenonName(model, record->name);
  TENON_TRY(checkType(record, name, tensor));
  TENON_TRY(checkShape(model, record, expected, tensor, isInput));
  TENON_TRY(tenonCheckPlace(context, name, tensor));
  if (!isContiguous(tensor, axis))
    return tenonFail(TENON_TENSOR_MISMATCH, name,
                     "'%s' is not contiguous in row-major order%s", name,
                     axis >= 0 ? " but for room along the dimension that grows"
                               : "");
  return NULL;
}

tenon_status *tenonCheckTensor(const tenon_model *model,
                               const struct tenon_tensor_record *record,
                               const int64_t *expected,
                               const tenon_tensor *tensor, bool isInput) {
  return checkLaidOut(model, NULL, record, expected, tensor, /*axis=*/-1,
                      isInput);
}

/// That tensors have data where they have bytes. `first`: the first one's
/// number in the entry.
static tenon_status *checkData(const tenon_context *context, size_t first,
                               const tenon_tensor *tensors, size_t count) {
  const struct tenon_tensor_record *records =
      tenonEntryTensors(context->model, context->entry) + first;
  for (size_t i = 0; i < count; ++i) {
    const char *name = tenonName(context->model, records[i].name);
    if (!tensors[i].data && context->shape->tensorBytes[first + i] > 0)
      return tenonFail(TENON_TENSOR_MISMATCH, name, "'%s' has no data", name);
  }
  return NULL;
}

/// The dimension along which a tensor of the entry grows, or -1.
static int32_t axisOf(const tenon_context *context, size_t number) {
  return context->axes ? context->axes[number] : -1;
}

static tenon_status *checkCount(const char *what, size_t given, size_t expected,
                                const tenon_tensor *tensors) {
  if (given != expected)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%zu %s were given; the model has %zu", given, what,
                     expected);
  if (given && !tensors)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "the %s are null", what);
  return NULL;
}

tenon_status *tenonCheckPlain(const tenon_model *model,
                              const struct tenon_tensor_record *record) {
  static const char *const words[] = {"", "a sequence", "an optional",
                                      "an optional sequence"};
  const char *name = tenonName(model, record->name);
  bool isTensor = record->kind == TENON_KIND_tensor;
  if (isTensor && record->type_code != TENON_STRING &&
      record->rank != TENON_RANK_ANY)
    return NULL;
  return tenonFail(TENON_INVALID_ARGUMENT, name,
                   "'%s' is %s: run the model with tenon_run_values", name,
                   !isTensor                           ? words[record->kind]
                   : record->type_code == TENON_STRING ? "of strings"
                                                       : "of any rank");
}

tenon_status *tenonTakeInputs(tenon_context *context,
                              const tenon_tensor *inputs, size_t count,
                              const tenon_tensor *outputs, bool withData) {
  const tenon_model *model = context->model;
  const struct tenon_entry_record *entry = context->entry;
  const struct tenon_tensor_record *records = tenonEntryTensors(model, entry);
  TENON_TRY(checkCount("inputs", count, entry->input_count, inputs));
  int64_t *next = context->extents;
  for (size_t i = 0; i < count; ++i) {
    TENON_TRY(tenonCheckPlain(model, &records[i]));
    TENON_TRY(checkLaidOut(model, context, &records[i],
                           model->dims + records[i].first_dim, &inputs[i],
                           axisOf(context, i), /*isInput=*/true));
    for (uint32_t k = 0; k < records[i].rank; ++k)
      *next++ = inputs[i].shape[k];
  }
  if (context->axes)
    TENON_TRY(tenonTakeCapacities(context, outputs ? outputs : inputs,
                                  outputs != NULL));
  if (context->isSymbolic)
    TENON_TRY(tenonFindShape(context));
  return withData ? checkData(context, 0, inputs, count) : NULL;
}

tenon_status *tenonCountOutputs(const tenon_context *context,
                                const tenon_tensor *outputs, size_t count) {
  return checkCount("outputs", count, context->entry->output_count, outputs);
}

tenon_status *tenonCheckOutputs(const tenon_context *context,
                                const tenon_tensor *outputs, size_t count) {
  const tenon_model *model = context->model;
  const struct tenon_entry_record *entry = context->entry;
  const struct tenon_tensor_record *records =
      tenonEntryTensors(model, entry) + entry->input_count;
  const int64_t *dims = context->shape->outputDims;
  for (size_t i = 0; i < count; ++i) {
    TENON_TRY(tenonCheckPlain(model, &records[i]));
    TENON_TRY(checkLaidOut(model, context, &records[i], dims, &outputs[i],
                           axisOf(context, entry->input_count + i),
                           /*isInput=*/false));
    dims += records[i].rank;
  }
  TENON_TRY(tenonCheckRoom(context, outputs));
  return checkData(context, entry->input_count, outputs, count);
}

static tenon_status *describeOutput(tenon_context *context,
                                    const tenon_tensor *inputs, size_t count,
                                    size_t index, tenon_tensor_info *info) {
  const tenon_model *model = context->model;
  const struct tenon_entry_record *entry = context->entry;
  if (index >= entry->output_count)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no output %zu",
                     index);
  TENON_TRY(tenonTakeInputs(context, inputs, count, NULL, /*withData=*/false));
  const struct tenon_tensor_record *record =
      tenonEntryTensors(model, entry) + entry->input_count;
  const int64_t *dims = context->shape->outputDims;
  for (size_t i = 0; i < index; ++i)
    dims += tenonExtentCount(record++);
  int64_t bytes = context->shape->tensorBytes[entry->input_count + index];
  if (bytes < 0)
    return tenonFail(TENON_DATA_DEPENDENT, tenonName(model, record->name),
                     "the shape of '%s' depends on data: run the model with "
                     "tenon_run_values, which makes its outputs",
                     tenonName(model, record->name));
  tenon_tensor_info full = TENON_INIT(tenon_tensor_info);
  TENON_TRY(tenonDescribe(model, record, &full));
  full.shape = dims;
  // Without the room of one that grows; the shape has been measured.
  tenonTensorBytes(record, dims, &bytes);
  full.byte_size = (size_t)bytes;
  return tenonFillStruct(info, &full, sizeof full);
}

tenon_status *tenon_context_output(tenon_context *context,
                                   const tenon_tensor *inputs,
                                   size_t inputCount, size_t index,
                                   tenon_tensor_info *info) {
  if (!context)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null context");
  TENON_TRY(tenonLock(context));
  tenon_status *status =
      describeOutput(context, inputs, inputCount, index, info);
  tenonUnlock(context);
  return status;
}
