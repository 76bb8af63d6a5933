//===- PrimitivesSequence.c - sequences -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes the primitives of sequences. One that its call may have is
// changed in place, so that a loop that appends takes time in proportion to
// what it appends.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <string.h>

static void append(tenon_value *sequence, tenon_value *element) {
  tenonElements(sequence)[sequence->count++] = element;
}

tenon_status *tenonRun_sequence_construct(struct tenonPrimitiveCall *call) {
  tenon_dtype type = {(uint8_t)call->integers[0], (uint8_t)call->integers[1],
                      1};
  TENON_TRY(tenonNewSequence(call->heap, type, call->operandCount,
                             &call->results[0]));
  for (uint32_t i = 0; i < call->operandCount; ++i)
    append(call->results[0], tenonRetain(tenonOperand(call, i)));
  return NULL;
}

/// The operand that says where, which may be left out; from -count to `last`.
static tenon_status *readPosition(const struct tenonPrimitiveCall *call,
                                  uint32_t index, int64_t count, int64_t last,
                                  int64_t *position) {
  const tenon_value *operand = tenonOptionalOperand(call, index);
  if (!operand && last >= 0) {
    *position = last;
    return NULL;
  }
  int64_t given = -1;
  if (operand)
    TENON_TRY(tenonReadInteger(call, operand, "the position", &given));
  if (given < -count || given > last)
    return tenonNodeFails(call, TENON_INDEX_OUT_OF_RANGE,
                          "position %lld in a sequence of %lld tensors",
                          (long long)given, (long long)count);
  *position = given < 0 ? given + count : given;
  return NULL;
}

/// A sequence with the elements of operand 0, that can be changed and has room
/// for `count`: operand 0 itself where nobody else has it.
static tenon_status *makeOwn(struct tenonPrimitiveCall *call, int64_t count,
                             tenon_value **result) {
  tenon_value *sequence = tenonOperand(call, 0);
  bool isOwn =
      call->moves[0] && tenonIsOwnedOnce(sequence) && !sequence->isExported;
  if (isOwn && count <= sequence->capacity) {
    call->registers[call->operands[0]] = NULL;
    *result = sequence;
    return NULL;
  }
  int64_t room = count <= sequence->count ? count : count + count / 2;
  TENON_TRY(tenonNewSequence(call->heap, sequence->type, room, result));
  for (int64_t i = 0; i < sequence->count && i < room; ++i)
    append(*result, isOwn ? tenonElements(sequence)[i]
                          : tenonRetain(tenonElements(sequence)[i]));
  if (isOwn)
    sequence->count = 0; // its elements have moved
  return NULL;
}

tenon_status *tenonRun_sequence_insert(struct tenonPrimitiveCall *call) {
  int64_t count = tenonOperand(call, 0)->count, position;
  tenon_value *element = tenonOperand(call, 1);
  TENON_TRY(readPosition(call, 2, count, count, &position));
  tenon_value *sequence;
  TENON_TRY(makeOwn(call, count + 1, &sequence));
  tenon_value **at = tenonElements(sequence) + position;
  memmove(at + 1, at, (size_t)(count - position) * sizeof *at);
  *at = tenonRetain(element);
  ++sequence->count;
  call->results[0] = sequence;
  return NULL;
}

tenon_status *tenonRun_sequence_erase(struct tenonPrimitiveCall *call) {
  int64_t count = tenonOperand(call, 0)->count, position;
  TENON_TRY(readPosition(call, 1, count, count - 1, &position));
  tenon_value *sequence;
  TENON_TRY(makeOwn(call, count, &sequence));
  tenon_value **at = tenonElements(sequence) + position;
  tenonDrop(*at);
  memmove(at, at + 1, (size_t)(count - 1 - position) * sizeof *at);
  --sequence->count;
  call->results[0] = sequence;
  return NULL;
}

tenon_status *tenonRun_sequence_at(struct tenonPrimitiveCall *call) {
  const tenon_value *sequence = tenonOperand(call, 0);
  int64_t position;
  TENON_TRY(
      readPosition(call, 1, sequence->count, sequence->count - 1, &position));
  call->results[0] = tenonRetain(tenonElements(sequence)[position]);
  return NULL;
}

tenon_status *tenonRun_sequence_length(struct tenonPrimitiveCall *call) {
  return tenonNewInteger(call, tenonOperand(call, 0)->count, &call->results[0]);
}

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// Whether two tensors can be put together along an axis; `isNew`: one that
/// they do not have.
static bool canJoin(const tenon_value *a, const tenon_value *b, int32_t axis,
                    bool isNew) {
  if (a->rank != b->rank)
    return false;
  for (int32_t i = 0; i < a->rank; ++i)
    if (a->shape[i] != b->shape[i] && (isNew || i != axis))
      return false;
  return true;
}

/// The shape of what is joined.
static tenon_status *joinShapes(const struct tenonPrimitiveCall *call,
                                const tenon_value *sequence, int32_t axis,
                                bool isNew, int64_t *shape) {
  tenon_value *const *elements = tenonElements(sequence);
  const tenon_value *first = elements[0];
  for (int32_t i = 0, k = 0; i < first->rank + isNew; ++i)
    shape[i] = isNew && i == axis ? sequence->count : first->shape[k++];
  for (int64_t i = 1; i < sequence->count; ++i) {
    if (!canJoin(first, elements[i], axis, isNew))
      return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                            "tensors 0 and %lld do not fit together along "
                            "axis %d",
                            (long long)i, axis);
    if (!isNew)
      shape[axis] += elements[i]->shape[axis];
  }
  return NULL;
}

static void joinData(const tenon_value *sequence, int32_t axis,
                     const tenon_value *result) {
  struct tenonAxis whole = tenonAxisOf(result, axis);
  uint8_t *to = result->data;
  for (int64_t i = 0; i < sequence->count; ++i) {
    const tenon_value *element = tenonElements(sequence)[i];
    int64_t piece = whole.outer ? element->bytes / whole.outer : 0;
    for (int64_t o = 0; o < whole.outer; ++o)
      tenonCopyElements(result->type, to + o * whole.extent * whole.inner,
                        (const uint8_t *)element->data + o * piece, piece);
    to += piece;
  }
}

tenon_status *tenonRun_sequence_concat(struct tenonPrimitiveCall *call) {
  const tenon_value *sequence = tenonOperand(call, 0);
  bool isNew = call->integers[1] != 0;
  if (!sequence->count)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "an empty sequence has nothing to concatenate");
  int32_t rank = tenonElements(sequence)[0]->rank + isNew, axis;
  if (rank > (int32_t)TENON_MAX_RANK)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "the result would have %d dimensions", rank);
  TENON_TRY(tenonReadAxis(call, call->integers[0], rank, &axis));
  int64_t shape[TENON_MAX_RANK];
  TENON_TRY(joinShapes(call, sequence, axis, isNew, shape));
  TENON_TRY(tenonNewTensor(call->heap, sequence->type, rank, shape,
                           &call->results[0]));
  joinData(sequence, axis, call->results[0]);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

/// How a tensor is cut: into pieces of `sizes`, or where there are none, of
/// `size`, the last perhaps smaller.
struct cut {
  const uint8_t *sizes;
  int64_t sizeBytes;
  int64_t size;
  int64_t count;
};

static int64_t readSize(const struct cut *cut, int64_t index) {
  int64_t wide;
  int32_t narrow;
  if (cut->sizeBytes == sizeof wide) {
    memcpy(&wide, cut->sizes + index * cut->sizeBytes, sizeof wide);
    return wide;
  }
  memcpy(&narrow, cut->sizes + index * cut->sizeBytes, sizeof narrow);
  return narrow;
}

static tenon_status *readSizes(const struct tenonPrimitiveCall *call,
                               const tenon_value *split, int64_t extent,
                               struct cut *cut) {
  *cut = (struct cut){split->data, tenonElementBytes(split->type), 0,
                      split->count};
  int64_t left = extent;
  for (int64_t i = 0; i < cut->count; ++i) {
    int64_t size = readSize(cut, i);
    if (size < 0 || size > left)
      return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                            "the pieces do not sum to the extent, %lld",
                            (long long)extent);
    left -= size;
  }
  return left ? tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                               "the pieces do not sum to the extent, %lld",
                               (long long)extent)
              : NULL;
}

static tenon_status *readCut(const struct tenonPrimitiveCall *call,
                             const tenon_value *split, int64_t extent,
                             struct cut *cut) {
  if (split && split->rank)
    return readSizes(call, split, extent, cut);
  int64_t size = 1;
  if (split)
    TENON_TRY(tenonReadInteger(call, split, "the size of pieces", &size));
  if (size < 1)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "pieces would have the extent %lld", (long long)size);
  *cut = (struct cut){NULL, 0, size, extent / size + (extent % size ? 1 : 0)};
  return NULL;
}

/// Piece [begin, begin + size) along the axis; `isSqueezed`: without it.
static tenon_status *takePiece(struct tenonPrimitiveCall *call,
                               const tenon_value *tensor, int32_t axis,
                               int64_t begin, int64_t size, bool isSqueezed,
                               tenon_value **result) {
  int64_t shape[TENON_MAX_RANK];
  int32_t rank = 0;
  for (int32_t i = 0; i < tensor->rank; ++i)
    if (i != axis || !isSqueezed)
      shape[rank++] = i == axis ? size : tensor->shape[i];
  TENON_TRY(tenonNewTensor(call->heap, tensor->type, rank, shape, result));
  struct tenonAxis whole = tenonAxisOf(tensor, axis);
  const uint8_t *from = (const uint8_t *)tensor->data + begin * whole.inner;
  uint8_t *to = (*result)->data;
  for (int64_t o = 0; o < whole.outer; ++o)
    tenonCopyElements(tensor->type, to + o * size * whole.inner,
                      from + o * whole.extent * whole.inner,
                      size * whole.inner);
  return NULL;
}

tenon_status *tenonRun_split_to_sequence(struct tenonPrimitiveCall *call) {
  const tenon_value *tensor = tenonOperand(call, 0);
  const tenon_value *split = tenonOptionalOperand(call, 1);
  int32_t axis;
  TENON_TRY(tenonReadAxis(call, call->integers[0], tensor->rank, &axis));
  bool isSqueezed = !split && !call->integers[1];
  struct cut cut;
  int64_t extent = tensor->shape[axis], begin = 0;
  TENON_TRY(readCut(call, split, extent, &cut));
  TENON_TRY(
      tenonNewSequence(call->heap, tensor->type, cut.count, &call->results[0]));
  for (int64_t i = 0; i < cut.count; ++i) {
    int64_t left = extent - begin;
    int64_t size = cut.sizes         ? readSize(&cut, i)
                   : left < cut.size ? left
                                     : cut.size;
    tenon_value *piece;
    TENON_TRY(takePiece(call, tensor, axis, begin, size, isSqueezed, &piece));
    append(call->results[0], piece);
    begin += size;
  }
  return NULL;
}
