//===- PrimitivesBasic.c - registers, loops, optionals --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes the primitives that control flow itself is made of.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Strings lie in the weights as the ends of all of them, counted from behind
/// these numbers, and then their bytes.
static tenon_status *readStrings(struct tenonPrimitiveCall *call,
                                 const uint8_t *data, uint64_t limit,
                                 tenon_value *tensor) {
  uint64_t table = (uint64_t)tensor->bytes, begin = 0, end;
  for (int64_t i = 0; i < tensor->count; ++i, begin = end) {
    memcpy(&end, data + (uint64_t)i * sizeof end, sizeof end);
    if (end < begin || end > limit - table)
      return TENON_BAD("a string lies outside of the weights");
    TENON_TRY(tenonNewText(call->heap, (const char *)data + table + begin,
                           end - begin, &tenonTexts(tensor)[i]));
  }
  return NULL;
}

tenon_status *tenonRun_constant(struct tenonPrimitiveCall *call) {
  struct tenonBytes weights =
      call->machine->context->model->sections[TENON_SECTION_WEIGHTS];
  const int64_t *integers = call->integers;
  // No kernel and no primitive writes to its operands.
  uint8_t *data = (uint8_t *)weights.data + integers[0];
  tenon_dtype type = {(uint8_t)integers[1], (uint8_t)integers[2], 1};
  int32_t rank = (int32_t)call->integerCount - 3;
  if (type.code != TENON_STRING)
    return tenonBorrowTensor(call->heap, type, rank, integers + 3, data,
                             &call->results[0]);
  TENON_TRY(
      tenonNewTensor(call->heap, type, rank, integers + 3, &call->results[0]));
  return readStrings(call, data, weights.size - (uint64_t)integers[0],
                     call->results[0]);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

tenon_status *tenonRun_copy(struct tenonPrimitiveCall *call) {
  call->results[0] = tenonRetain(tenonOperand(call, 0));
  return NULL;
}

tenon_status *tenonRun_kill(struct tenonPrimitiveCall *call) {
  for (uint32_t i = 0; i < call->operandCount; ++i) {
    tenonDrop(tenonOperand(call, i));
    call->registers[call->operands[i]] = NULL;
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

tenon_status *tenonRun_fail(struct tenonPrimitiveCall *call) {
  const tenon_value *reason = tenonOperand(call, 0);
  return tenonNodeFails(call, TENON_TENSOR_MISMATCH, "%s",
                        reason->count ? tenonTextBytes(*tenonTexts(reason))
                                      : "");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

tenon_status *tenonRun_loop_test(struct tenonPrimitiveCall *call) {
  int64_t iteration, trip = INT64_MAX;
  bool holds = true;
  TENON_TRY(tenonReadInteger(call, tenonOperand(call, 0), "the iteration",
                             &iteration));
  const tenon_value *limit = tenonOptionalOperand(call, 1);
  const tenon_value *condition = tenonOptionalOperand(call, 2);
  if (limit)
    TENON_TRY(tenonReadInteger(call, limit, "the trip count", &trip));
  if (condition)
    TENON_TRY(tenonReadBoolean(call, condition, "the condition", &holds));
  call->results[0] = tenonBoolean(call, holds && iteration < trip);
  return NULL;
}

tenon_status *tenonRun_increment(struct tenonPrimitiveCall *call) {
  int64_t number;
  const tenon_value *value = tenonOperand(call, 0);
  TENON_TRY(tenonReadInteger(call, value, "the number", &number));
  TENON_TRY(tenonNewTensor(call->heap, value->type, value->rank, value->shape,
                           &call->results[0]));
  number = (int64_t)((uint64_t)number + 1);
  memcpy(call->results[0]->data, &number, sizeof number);
  return NULL;
}

/// What is stacked is not there: its extents are known from the type, or from
/// the second operand, or they are zero.
static tenon_status *stackNothing(struct tenonPrimitiveCall *call,
                                  tenon_dtype type) {
  int64_t shape[TENON_MAX_RANK] = {0};
  int32_t rank = (int32_t)call->integerCount - 2;
  const tenon_value *sizes =
      call->operandCount > 1 ? tenonOperand(call, 1) : NULL;
  if (sizes && sizes->bytes != rank * (int64_t)sizeof *shape)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH, "%d extents are needed",
                          rank);
  if (sizes)
    memcpy(shape + 1, sizes->data, (size_t)sizes->bytes);
  for (int32_t i = 0; i < rank; ++i) {
    if (call->integers[2 + i] >= 0)
      shape[1 + i] = call->integers[2 + i];
    if (shape[1 + i] < 0)
      return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                            "an extent is below zero");
  }
  return tenonNewTensor(call->heap, type, rank + 1, shape, &call->results[0]);
}

static bool hasSameShape(const tenon_value *a, const tenon_value *b) {
  return a->rank == b->rank &&
         memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0;
}

tenon_status *tenonRun_stack(struct tenonPrimitiveCall *call) {
  const tenon_value *sequence = tenonOperand(call, 0);
  if (!sequence->count)
    return stackNothing(call, sequence->type);
  tenon_value *const *elements = tenonElements(sequence);
  const tenon_value *first = elements[0];
  int64_t shape[TENON_MAX_RANK] = {sequence->count};
  if (first->rank == TENON_MAX_RANK)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "tensors of %d dimensions cannot be stacked",
                          first->rank);
  memcpy(shape + 1, first->shape, (size_t)first->rank * sizeof *shape);
  for (int64_t i = 1; i < sequence->count; ++i)
    if (!hasSameShape(elements[i], first))
      return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                            "tensors 0 and %lld to be stacked have different "
                            "shapes",
                            (long long)i);
  TENON_TRY(tenonNewTensor(call->heap, sequence->type, first->rank + 1, shape,
                           &call->results[0]));
  uint8_t *to = call->results[0]->data;
  for (int64_t i = 0; i < sequence->count; ++i, to += first->bytes)
    tenonCopyElements(sequence->type, to, elements[i]->data, first->bytes);
  return NULL;
}

/// The sizes of which one leaves less than nothing of a limit.
static tenon_status *refuseSizes(struct tenonPrimitiveCall *call,
                                 const int64_t *sizes, int64_t count,
                                 int64_t left) {
  char text[22 * TENON_MAX_RANK] = "";
  size_t length = 0;
  for (int64_t i = 0; i < count; ++i)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld",
                               i ? ", " : "", (long long)sizes[i]);
  return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                        "sizes [%s] are beyond a limit by %llu", text,
                        (unsigned long long)(0 - (uint64_t)left));
}

tenon_status *tenonRun_extents(struct tenonPrimitiveCall *call) {
  const tenon_value *vector = tenonOperand(call, 0);
  int64_t shape[TENON_MAX_RANK] = {0};
  if (vector->count >= TENON_MAX_RANK)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "%lld numbers are more than a tensor has dimensions",
                          (long long)vector->count);
  memcpy(shape, vector->data, (size_t)vector->bytes);
  int64_t sizes = call->integerCount ? call->integers[0] : vector->count;
  for (int64_t i = 0; i < vector->count; ++i)
    if (shape[i] < 0 && i >= sizes)
      return refuseSizes(call, shape, sizes, shape[i]);
    else if (shape[i] < 0)
      return tenonNodeFails(call, TENON_TENSOR_MISMATCH, "a size would be %lld",
                            (long long)shape[i]);
  static const tenon_dtype type = {TENON_INT, 8, 1};
  int64_t count, bytes;
  TENON_TRY(
      tenonCountElements(type, (int32_t)vector->count, shape, &count, &bytes));
  return tenonNewTensor(call->heap, type, (int32_t)vector->count + 1, shape,
                        &call->results[0]);
}

//===----------------------------------------------------------------------===//
// Optionals
//===----------------------------------------------------------------------===//

tenon_status *tenonRun_optional(struct tenonPrimitiveCall *call) {
  call->results[0] = tenonRetain(call->operandCount ? tenonOperand(call, 0)
                                                    : call->machine->empty);
  return NULL;
}

tenon_status *tenonRun_optional_has(struct tenonPrimitiveCall *call) {
  call->results[0] = tenonBoolean(call, tenonOptionalOperand(call, 0) != NULL);
  return NULL;
}

tenon_status *tenonRun_optional_get(struct tenonPrimitiveCall *call) {
  tenon_value *value = tenonOptionalOperand(call, 0);
  if (!value)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "the optional has no element");
  call->results[0] = tenonRetain(value);
  return NULL;
}
