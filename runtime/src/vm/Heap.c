//===- Heap.c - blocks of values ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps blocks that are free by their size. Sizes are 64 bytes times
// 4, 5, 6 or 7 quarters of a power of two: a block is at most a fourth larger
// than what is asked for.
//===----------------------------------------------------------------------===//
#include "src/vm/Value.h"

#include <string.h>

#define UNIT ((size_t)64)
/// What nobody can have: the largest class, in bytes.
#define MOST_BYTES ((size_t)1 << 44)

/// The class of blocks of `bytes`, and their size.
static uint8_t classOf(size_t bytes, size_t *size) {
  size_t units = (bytes + UNIT - 1) / UNIT;
  if (units <= 4) {
    *size = (units ? units : 1) * UNIT;
    return (uint8_t)(units ? units - 1 : 0);
  }
  // The power of two at or below, and how many of its quarters are above.
  unsigned power = 63u - (unsigned)__builtin_clzll(units);
  size_t quarter = ((size_t)1 << power) / 4;
  size_t above = (units - ((size_t)1 << power) + quarter - 1) / quarter;
  *size = (((size_t)1 << power) + above * quarter) * UNIT;
  return (uint8_t)(4 * (power - 1) + above - 1);
}

tenon_status *tenonCreateHeap(const tenon_allocator *allocator,
                              struct tenonHeap **result) {
  struct tenonHeap *heap = tenonAllocate(allocator, sizeof *heap, UNIT);
  if (!heap)
    return tenonNoMemory(sizeof *heap);
  memset(heap, 0, sizeof *heap);
  heap->allocator = *allocator;
  atomic_init(&heap->owners, 1);
  *result = heap;
  return NULL;
}

static void dropHeap(struct tenonHeap *heap) {
  tenon_allocator allocator = heap->allocator;
  if (atomic_fetch_sub_explicit(&heap->owners, 1, memory_order_acq_rel) == 1)
    tenonRelease(&allocator, heap);
}

void tenonReleaseHeap(struct tenonHeap *heap) {
  if (!heap)
    return;
  for (size_t i = 0; i < TENON_SIZE_CLASSES; ++i)
    while (heap->free[i]) {
      void *block = heap->free[i];
      memcpy(&heap->free[i], block, sizeof block);
      tenonRelease(&heap->allocator, block);
    }
  dropHeap(heap);
}

void *tenonTakeBlock(struct tenonHeap *heap, size_t bytes, uint8_t *sizeClass) {
  static const tenon_allocator none = {NULL, NULL, NULL};
  if (bytes > MOST_BYTES)
    return NULL;
  size_t size;
  *sizeClass = classOf(bytes, &size);
  if (!heap)
    return tenonAllocate(&none, size, UNIT);
  void *block = heap->free[*sizeClass];
  if (!block)
    return tenonAllocate(&heap->allocator, size, UNIT);
  memcpy(&heap->free[*sizeClass], block, sizeof block);
  return block;
}

void tenonGiveBlock(struct tenonHeap *heap, void *block, uint8_t sizeClass) {
  memcpy(block, &heap->free[sizeClass], sizeof block);
  heap->free[sizeClass] = block;
}

/// Where the block of a value or a text goes.
static void freeBlock(struct tenonHeap *heap, bool isExported, void *block,
                      uint8_t sizeClass) {
  static const tenon_allocator none = {NULL, NULL, NULL};
  if (heap && !isExported) {
    tenonGiveBlock(heap, block, sizeClass);
    return;
  }
  tenonRelease(heap ? &heap->allocator : &none, block);
  if (heap)
    dropHeap(heap);
}

void tenonFreeText(struct tenonText *text) {
  freeBlock(text->heap, text->isExported, text, text->sizeClass);
}

void tenonFreeValue(tenon_value *value) {
  if (value->kind == TENON_IS_SEQUENCE)
    for (int64_t i = 0; i < value->count; ++i)
      tenonDrop(tenonElements(value)[i]);
  if (value->kind == TENON_IS_TENSOR && tenonIsOfStrings(value) &&
      !value->isBorrowed)
    for (int64_t i = 0; i < value->count; ++i)
      tenonDropText(tenonTexts(value)[i]);
  freeBlock(value->heap, value->isExported, value, value->sizeClass);
}
