//===- Values.c - making values -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes values, and gives them out of a context.
//===----------------------------------------------------------------------===//
#include "src/vm/Value.h"

#include <string.h>

#define LINE ((size_t)64)

/// The size of a value's struct, behind which its data begin.
static size_t headBytes(int32_t rank) {
  size_t bytes = sizeof(tenon_value) + (size_t)rank * sizeof(int64_t);
  return (bytes + LINE - 1) / LINE * LINE;
}

static tenon_status *newValue(struct tenonHeap *heap, uint8_t kind,
                              tenon_dtype type, int32_t rank, size_t bytes,
                              tenon_value **result) {
  uint8_t sizeClass;
  tenon_value *value =
      tenonTakeBlock(heap, headBytes(rank) + bytes, &sizeClass);
  if (!value)
    return tenonNoMemory(bytes);
  *value = (tenon_value){.kind = kind,
                         .sizeClass = sizeClass,
                         .isExported = !heap,
                         .type = type,
                         .rank = rank,
                         .heap = heap,
                         .data = (uint8_t *)value + headBytes(rank)};
  atomic_init(&value->owners, 1);
  *result = value;
  return NULL;
}

tenon_status *tenonCountElements(tenon_dtype type, int32_t rank,
                                 const int64_t *shape, int64_t *count,
                                 int64_t *bytes) {
  *count = 1;
  *bytes = tenonElementBytes(type);
  bool fits = true;
  for (int32_t i = 0; i < rank; ++i) {
    fits &= !__builtin_mul_overflow(*count, shape[i], count);
    fits &= !__builtin_mul_overflow(*bytes, shape[i], bytes);
  }
  if (fits)
    return NULL;
  char text[400];
  tenonPrintShape(text, sizeof text, rank, shape);
  return tenonFail(TENON_OUT_OF_MEMORY, "",
                   "a tensor %s has more bytes than can be counted", text);
}

static tenon_status *newTensor(struct tenonHeap *heap, tenon_dtype type,
                               int32_t rank, const int64_t *shape, void *data,
                               bool isBorrowed, tenon_value **result) {
  int64_t count, bytes;
  TENON_TRY(tenonCountElements(type, rank, shape, &count, &bytes));
  TENON_TRY(newValue(heap, TENON_IS_TENSOR, type, rank,
                     isBorrowed ? 0 : (size_t)bytes, result));
  tenon_value *value = *result;
  value->count = count;
  value->bytes = bytes;
  value->isBorrowed = isBorrowed;
  if (isBorrowed)
    value->data = data;
  for (int32_t i = 0; i < rank; ++i)
    value->shape[i] = shape[i];
  if (!isBorrowed && type.code == TENON_STRING)
    memset(value->data, 0, (size_t)bytes);
  return NULL;
}

tenon_status *tenonNewTensor(struct tenonHeap *heap, tenon_dtype type,
                             int32_t rank, const int64_t *shape,
                             tenon_value **value) {
  return newTensor(heap, type, rank, shape, NULL, /*isBorrowed=*/false, value);
}

tenon_status *tenonBorrowTensor(struct tenonHeap *heap, tenon_dtype type,
                                int32_t rank, const int64_t *shape, void *data,
                                tenon_value **value) {
  return newTensor(heap, type, rank, shape, data, /*isBorrowed=*/true, value);
}

tenon_status *tenonNewSequence(struct tenonHeap *heap, tenon_dtype type,
                               int64_t capacity, tenon_value **value) {
  if (capacity > INT64_MAX / (int64_t)sizeof(tenon_value *))
    return tenonNoMemory((uint64_t)capacity);
  TENON_TRY(newValue(heap, TENON_IS_SEQUENCE, type, 0,
                     (size_t)capacity * sizeof(tenon_value *), value));
  (*value)->capacity = capacity;
  return NULL;
}

tenon_status *tenonNewEmpty(struct tenonHeap *heap, tenon_value **value) {
  return newValue(heap, TENON_IS_EMPTY, (tenon_dtype){0, 0, 0}, 0, 0, value);
}

tenon_status *tenonNewText(struct tenonHeap *heap, const char *bytes,
                           size_t size, struct tenonText **result) {
  *result = NULL;
  if (!size)
    return NULL;
  uint8_t sizeClass;
  struct tenonText *text =
      tenonTakeBlock(heap, sizeof *text + size + 1, &sizeClass);
  if (!text)
    return tenonNoMemory(size);
  *text = (struct tenonText){
      .sizeClass = sizeClass, .isExported = !heap, .heap = heap, .size = size};
  atomic_init(&text->owners, 1);
  memcpy(text->bytes, bytes, size);
  text->bytes[size] = 0;
  *result = text;
  return NULL;
}

void tenonCopyElements(tenon_dtype type, void *to, const void *from,
                       int64_t bytes) {
  if (!bytes)
    return;
  memcpy(to, from, (size_t)bytes);
  struct tenonText *const *texts = from;
  if (type.code == TENON_STRING)
    for (int64_t i = 0; i < bytes / (int64_t)sizeof *texts; ++i)
      tenonRetainText(texts[i]);
}

//===----------------------------------------------------------------------===//
// Leaving a context
//===----------------------------------------------------------------------===//

static void ownHeap(struct tenonHeap *heap) {
  atomic_fetch_add_explicit(&heap->owners, 1, memory_order_relaxed);
}

static void exportTexts(struct tenonHeap *heap, const tenon_value *tensor) {
  for (int64_t i = 0; i < tensor->count; ++i) {
    struct tenonText *text = tenonTexts(tensor)[i];
    if (!text || text->isExported)
      continue;
    text->isExported = true;
    ownHeap(heap);
  }
}

/// A copy of what lies in weights or with the caller.
static tenon_status *ownData(struct tenonHeap *heap, tenon_value *value,
                             tenon_value **result) {
  tenon_value *copy = NULL;
  tenon_status *status =
      tenonNewTensor(heap, value->type, value->rank, value->shape, &copy);
  if (!status)
    tenonCopyElements(value->type, copy->data, value->data, value->bytes);
  tenonDrop(value);
  *result = copy;
  return status;
}

tenon_status *tenonExport(struct tenonHeap *heap, tenon_value *value,
                          tenon_value **result) {
  *result = value;
  if (value->isExported)
    return NULL;
  if (value->isBorrowed) {
    TENON_TRY(ownData(heap, value, result));
    value = *result;
  }
  if (value->kind == TENON_IS_TENSOR && tenonIsOfStrings(value))
    exportTexts(heap, value);
  // Sequences hold tensors: this goes no deeper.
  for (int64_t i = 0; value->kind == TENON_IS_SEQUENCE && i < value->count;
       ++i) {
    tenon_value **element = &tenonElements(value)[i];
    tenon_status *status = tenonExport(heap, *element, element);
    if (status) {
      // The element is gone, and so are those behind it.
      for (int64_t k = i + 1; k < value->count; ++k)
        tenonDrop(tenonElements(value)[k]);
      value->count = i;
      tenonDrop(value);
      return status;
    }
  }
  value->isExported = true;
  ownHeap(heap);
  return NULL;
}
