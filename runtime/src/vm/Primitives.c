//===- Primitives.c - what primitives have in common ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds primitives, and reads and makes small operands and results.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tenonPrimitiveFn tenonPrimitiveFunction(uint32_t number) {
  static const tenonPrimitiveFn functions[] = {
#define TENON_PRIMITIVE(number, name, ...) [number] = tenonRun_##name,
#include "tenon/primitives.def"
  };
  return functions[number];
}

tenon_status *tenonNodeFails(const struct tenonPrimitiveCall *call,
                             tenon_status_code code, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return tenonFail(code, call->node, "node '%s': %s", call->node, text);
}

tenon_status *tenonTakeScratch(const struct tenonPrimitiveCall *call,
                               uint64_t count, size_t size,
                               struct tenonScratch *scratch) {
  *scratch = (struct tenonScratch){NULL, 0};
  if (count <= PTRDIFF_MAX / size)
    scratch->block =
        tenonTakeBlock(call->heap, count * size, &scratch->sizeClass);
  return scratch->block ? NULL : tenonNoMemory(count * size);
}

void tenonGiveScratch(const struct tenonPrimitiveCall *call,
                      struct tenonScratch *scratch) {
  if (scratch->block)
    tenonGiveBlock(call->heap, scratch->block, scratch->sizeClass);
  scratch->block = NULL;
}

static tenon_status *oneElement(const struct tenonPrimitiveCall *call,
                                const tenon_value *value, const char *what) {
  if (value->count == 1)
    return NULL;
  return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                        "%s has %lld elements instead of one", what,
                        (long long)value->count);
}

tenon_status *tenonReadInteger(const struct tenonPrimitiveCall *call,
                               const tenon_value *value, const char *what,
                               int64_t *number) {
  TENON_TRY(oneElement(call, value, what));
  if (value->type.bits == 64) {
    memcpy(number, value->data, sizeof *number);
    return NULL;
  }
  int32_t narrow;
  memcpy(&narrow, value->data, sizeof narrow);
  *number = narrow;
  return NULL;
}

tenon_status *tenonReadBoolean(const struct tenonPrimitiveCall *call,
                               const tenon_value *value, const char *what,
                               bool *isTrue) {
  TENON_TRY(oneElement(call, value, what));
  *isTrue = *(const uint8_t *)value->data;
  return NULL;
}

tenon_status *tenonReadAxis(const struct tenonPrimitiveCall *call, int64_t axis,
                            int32_t rank, int32_t *result) {
  if (axis < -rank || axis >= rank)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "axis %lld of a tensor of %d dimensions",
                          (long long)axis, rank);
  *result = (int32_t)(axis < 0 ? axis + rank : axis);
  return NULL;
}

tenon_status *tenonNewInteger(const struct tenonPrimitiveCall *call,
                              int64_t number, tenon_value **value) {
  static const tenon_dtype type = {TENON_INT, 64, 1};
  TENON_TRY(tenonNewTensor(call->heap, type, 0, NULL, value));
  memcpy((*value)->data, &number, sizeof number);
  return NULL;
}

tenon_value *tenonBoolean(const struct tenonPrimitiveCall *call, bool isTrue) {
  return tenonRetain(call->machine->booleans[isTrue]);
}

struct tenonAxis tenonAxisOf(const tenon_value *tensor, int32_t axis) {
  struct tenonAxis result = {1, tensor->shape[axis],
                             tenonElementBytes(tensor->type)};
  for (int32_t i = 0; i < axis; ++i)
    result.outer *= tensor->shape[i];
  for (int32_t i = axis + 1; i < tensor->rank; ++i)
    result.inner *= tensor->shape[i];
  return result;
}
