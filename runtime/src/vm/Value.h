//===- Value.h - what registers hold ------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares tenon_value: a tensor, a sequence, or an optional that is
// empty (one that is not is the tensor or the sequence itself).
//
// A value is counted, and does not change once it has two owners. Its block is
// one piece of memory, struct and data together:
//
//   [tenon_value | extents | data ...]
//
// and comes from a heap, which keeps blocks that are free by their size, so
// that runs that do the same again allocate nothing. A heap belongs to one
// context, and only its thread touches it; a value that leaves the context is
// exported first: then its block goes back to the allocator, from any thread.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_VM_VALUE_H
#define TENON_RUNTIME_VM_VALUE_H

#include "src/base/Pool.h"
#include "src/base/Status.h"

#include <stdatomic.h>

/// Four for each power of two.
#define TENON_SIZE_CLASSES 160

struct tenonHeap {
  tenon_allocator allocator;
  void *free[TENON_SIZE_CLASSES];
  /// The context, and exported values.
  atomic_size_t owners;
};

enum tenonValueKind { TENON_IS_TENSOR, TENON_IS_SEQUENCE, TENON_IS_EMPTY };

struct tenon_value {
  atomic_uint owners;
  uint8_t kind;
  uint8_t sizeClass;
  /// Its block goes to the allocator, and what it holds is exported, too.
  bool isExported;
  /// The data are somebody else's.
  bool isBorrowed;
  tenon_dtype type;
  int32_t rank;
  /// Where the block comes from; NULL: from malloc.
  struct tenonHeap *heap;
  /// Of a sequence tenon_value *, of a tensor of strings struct tenonText *.
  void *data;
  /// Of a tensor's data.
  int64_t bytes;
  /// Elements of a tensor, values of a sequence.
  int64_t count;
  /// What a sequence's block has room for.
  int64_t capacity;
  int64_t shape[];
};

/// A string: counted, constant. NULL is "".
struct tenonText {
  atomic_uint owners;
  uint8_t sizeClass;
  bool isExported;
  struct tenonHeap *heap;
  size_t size;
  /// Ends in a zero.
  char bytes[];
};

tenon_status *tenonCreateHeap(const tenon_allocator *allocator,
                              struct tenonHeap **heap);
/// Gives back what is free. Blocks that values hold follow later.
void tenonReleaseHeap(struct tenonHeap *heap);

/// A block of at least so many bytes, aligned to 64; NULL: there is none. A
/// NULL heap is malloc.
void *tenonTakeBlock(struct tenonHeap *heap, size_t bytes, uint8_t *sizeClass);
void tenonGiveBlock(struct tenonHeap *heap, void *block, uint8_t sizeClass);

/// Elements and bytes of a tensor. Fails where they cannot be counted.
tenon_status *tenonCountElements(tenon_dtype type, int32_t rank,
                                 const int64_t *shape, int64_t *count,
                                 int64_t *bytes);

/// A tensor with room for its data, which is not cleared (that of strings is).
/// Fails where its bytes cannot be counted; `shape` is not negative.
tenon_status *tenonNewTensor(struct tenonHeap *heap, tenon_dtype type,
                             int32_t rank, const int64_t *shape,
                             tenon_value **value);

/// A tensor whose data are somebody else's, and outlive it.
tenon_status *tenonBorrowTensor(struct tenonHeap *heap, tenon_dtype type,
                                int32_t rank, const int64_t *shape, void *data,
                                tenon_value **value);

/// An empty sequence of tensors of that type, with room for so many.
tenon_status *tenonNewSequence(struct tenonHeap *heap, tenon_dtype type,
                               int64_t capacity, tenon_value **value);

tenon_status *tenonNewEmpty(struct tenonHeap *heap, tenon_value **value);

tenon_status *tenonNewText(struct tenonHeap *heap, const char *bytes,
                           size_t size, struct tenonText **text);

void tenonFreeValue(tenon_value *value);
void tenonFreeText(struct tenonText *text);

static inline tenon_value *tenonRetain(tenon_value *value) {
  atomic_fetch_add_explicit(&value->owners, 1, memory_order_relaxed);
  return value;
}

/// NULL is allowed.
static inline void tenonDrop(tenon_value *value) {
  if (!value)
    return;
  // The only owner needs no lock on the bus.
  if (atomic_load_explicit(&value->owners, memory_order_acquire) == 1 ||
      atomic_fetch_sub_explicit(&value->owners, 1, memory_order_acq_rel) == 1)
    tenonFreeValue(value);
}

static inline bool tenonIsOwnedOnce(const tenon_value *value) {
  return atomic_load_explicit(&value->owners, memory_order_acquire) == 1;
}

static inline struct tenonText *tenonRetainText(struct tenonText *text) {
  if (text)
    atomic_fetch_add_explicit(&text->owners, 1, memory_order_relaxed);
  return text;
}

static inline void tenonDropText(struct tenonText *text) {
  if (text &&
      atomic_fetch_sub_explicit(&text->owners, 1, memory_order_acq_rel) == 1)
    tenonFreeText(text);
}

static inline bool tenonIsOfStrings(const tenon_value *value) {
  return value->type.code == TENON_STRING;
}

/// The bytes of an element.
static inline int64_t tenonElementBytes(tenon_dtype type) {
  return (type.bits + 7) / 8;
}

static inline tenon_value **tenonElements(const tenon_value *sequence) {
  return sequence->data;
}

static inline struct tenonText **tenonTexts(const tenon_value *tensor) {
  return tensor->data;
}

static inline const char *tenonTextBytes(const struct tenonText *text) {
  return text ? text->bytes : "";
}

static inline size_t tenonTextSize(const struct tenonText *text) {
  return text ? text->size : 0;
}

/// Copies elements of tensors, of `bytes` in all, to memory that holds none:
/// strings get another owner.
void tenonCopyElements(tenon_dtype type, void *to, const void *from,
                       int64_t bytes);

/// Makes a value one that may outlive the context: gives up `value`, whose
/// owner the caller is.
tenon_status *tenonExport(struct tenonHeap *heap, tenon_value *value,
                          tenon_value **result);

#endif // TENON_RUNTIME_VM_VALUE_H
