//===- PrimitivesSelect.c - NonZero and Compress --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file picks elements by what they are, or by booleans.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// NonZero
//===----------------------------------------------------------------------===//

/// The bits of an element (of the first eight bytes of one) that decide whether
/// it is zero: a sign does not, where there are two zeroes.
static uint64_t zeroMask(tenon_dtype type) {
  uint64_t all = type.bits >= 64 ? UINT64_MAX : ((uint64_t)1 << type.bits) - 1;
  switch (type.code) {
  case TENON_FLOAT:
  case TENON_BFLOAT:
  case TENON_FLOAT8_E4M3FN:
  case TENON_FLOAT8_E5M2:
  case TENON_FLOAT4_E2M1FN:
    return all >> 1;
  case TENON_COMPLEX:
    return type.bits == 64 ? 0x7fffffff7fffffffu : all >> 1;
  default:
    return all;
  }
}

/// An element, or a half of a larger one.
static uint64_t readBits(const uint8_t *data, int64_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, data, (size_t)bytes);
  return bits;
}

struct test {
  int64_t bytes;
  uint64_t mask;
  /// A type without zero.
  bool isNever;
};

static struct test testOf(tenon_dtype type) {
  return (struct test){tenonElementBytes(type), zeroMask(type),
                       type.code == TENON_FLOAT8_E8M0FNU};
}

static bool isNonZero(const struct test *test, const uint8_t *data) {
  if (test->bytes <= 8)
    return test->isNever || readBits(data, test->bytes) & test->mask;
  return (readBits(data, 8) | readBits(data + 8, 8)) & test->mask;
}

/// Turns numbers of elements, which are in the first row, into indices, one row
/// for each dimension.
static void splitNumbers(const tenon_value *tensor, int64_t *rows, int64_t n) {
  for (int32_t d = tensor->rank - 1; d > 0; --d) {
    int64_t extent = tensor->shape[d];
    for (int64_t i = 0; i < n; ++i) {
      rows[d * n + i] = rows[i] % extent;
      rows[i] /= extent;
    }
  }
}

tenon_status *tenonRun_nonzero(struct tenonPrimitiveCall *call) {
  static const tenon_dtype type = {TENON_INT, 64, 1};
  const tenon_value *tensor = tenonOperand(call, 0);
  const struct test test = testOf(tensor->type);
  const uint8_t *data = tensor->data;
  int64_t n = 0;
  for (int64_t i = 0; i < tensor->count; ++i)
    n += isNonZero(&test, data + i * test.bytes);
  int64_t shape[2] = {tensor->rank, n};
  TENON_TRY(tenonNewTensor(call->heap, type, 2, shape, &call->results[0]));
  int64_t *rows = call->results[0]->data, next = 0;
  if (!tensor->rank)
    return NULL;
  for (int64_t i = 0; i < tensor->count; ++i)
    if (isNonZero(&test, data + i * test.bytes))
      rows[next++] = i;
  splitNumbers(tensor, rows, n);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Compress
//===----------------------------------------------------------------------===//

/// Counts what is selected of `extent`.
static tenon_status *countSelected(const struct tenonPrimitiveCall *call,
                                   const tenon_value *condition, int64_t extent,
                                   int64_t *count) {
  const uint8_t *selects = condition->data;
  *count = 0;
  for (int64_t i = 0; i < condition->count; ++i) {
    if (selects[i] && i >= extent)
      return tenonNodeFails(call, TENON_INDEX_OUT_OF_RANGE,
                            "element %lld of %lld is selected", (long long)i,
                            (long long)extent);
    *count += selects[i] != 0;
  }
  return NULL;
}

/// Copies the selected pieces along an axis.
static void copySelected(const tenon_value *tensor, struct tenonAxis axis,
                         const tenon_value *condition, uint8_t *to) {
  const uint8_t *selects = condition->data;
  const uint8_t *from = tensor->data;
  int64_t end = condition->count < axis.extent ? condition->count : axis.extent;
  for (int64_t o = 0; o < axis.outer; ++o, from += axis.extent * axis.inner)
    for (int64_t i = 0; i < end; ++i) {
      if (!selects[i])
        continue;
      tenonCopyElements(tensor->type, to, from + i * axis.inner, axis.inner);
      to += axis.inner;
    }
}

tenon_status *tenonRun_compress(struct tenonPrimitiveCall *call) {
  const tenon_value *tensor = tenonOperand(call, 0);
  const tenon_value *condition = tenonOperand(call, 1);
  int64_t shape[TENON_MAX_RANK];
  int32_t rank = 1, axis = 0;
  struct tenonAxis along = {1, tensor->count, tenonElementBytes(tensor->type)};
  if (call->integers[0]) {
    rank = tensor->rank;
    TENON_TRY(tenonReadAxis(call, call->integers[1], rank, &axis));
    memcpy(shape, tensor->shape, (size_t)rank * sizeof *shape);
    along = tenonAxisOf(tensor, axis);
  }
  TENON_TRY(countSelected(call, condition, along.extent, &shape[axis]));
  TENON_TRY(
      tenonNewTensor(call->heap, tensor->type, rank, shape, &call->results[0]));
  copySelected(tensor, along, condition, call->results[0]->data);
  return NULL;
}
