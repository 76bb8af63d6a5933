//===- Unique.c - ONNX's Unique -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds equal slices of a tensor by sorting them. Elements become
// keys first: unsigned numbers in the order of the elements, in which NaN is
// the largest and equal to itself, and zeroes are equal.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"
#include "src/vm/Sort.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// How the bits of a float are read: sign and magnitude, and all magnitudes
/// above `largest` are NaN.
struct layout {
  uint64_t sign;
  uint64_t largest;
  /// Minus zero is NaN.
  bool isUnsignedZero;
};

static struct layout layoutOf(tenon_dtype type) {
  uint64_t sign = (uint64_t)1 << (type.bits - 1);
  switch (type.code) {
  case TENON_BFLOAT:
    return (struct layout){sign, 0x7f80, false};
  case TENON_FLOAT8_E4M3FN:
    return (struct layout){sign, 0x7e, false};
  case TENON_FLOAT8_E5M2:
    return (struct layout){sign, 0x7c, false};
  case TENON_FLOAT8_E4M3FNUZ:
  case TENON_FLOAT8_E5M2FNUZ:
    return (struct layout){sign, 0x7f, true};
  case TENON_FLOAT8_E8M0FNU:
    return (struct layout){(uint64_t)1 << 8, 0xfe, false};
  case TENON_FLOAT4_E2M1FN:
    return (struct layout){sign, 0x7, false};
  default:
    break;
  }
  uint64_t largest = type.bits == 16   ? 0x7c00
                     : type.bits == 32 ? 0x7f800000
                                       : 0x7ff0000000000000;
  return (struct layout){sign, largest, false};
}

static uint64_t floatKey(const struct layout *layout, uint64_t bits) {
  uint64_t magnitude = bits & (layout->sign - 1);
  bool isNegative = bits & layout->sign;
  if (magnitude > layout->largest ||
      (layout->isUnsignedZero && isNegative && !magnitude))
    return UINT64_MAX;
  const uint64_t middle = (uint64_t)1 << 63;
  return isNegative ? middle - magnitude : middle + magnitude;
}

/// The key of the number in `bytes` of memory.
static uint64_t keyOf(tenon_dtype type, const struct layout *layout,
                      const uint8_t *data, int64_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, data, (size_t)bytes);
  if (type.bits < 8)
    bits &= ((uint64_t)1 << type.bits) - 1;
  if (type.code == TENON_UINT || type.code == TENON_BOOL)
    return bits;
  if (type.code != TENON_INT)
    return floatKey(layout, bits);
  unsigned above = 64u - type.bits;
  return (uint64_t)((int64_t)(bits << above) >> above) ^ (uint64_t)1 << 63;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

struct slices {
  const tenon_value *tensor;
  struct tenonAxis axis;
  /// Of a slice: keys, or strings.
  int64_t length;
  uint64_t *keys;
  struct tenonText **texts;
};

static int compareKeys(const void *things, int64_t a, int64_t b) {
  const struct slices *slices = things;
  const uint64_t *left = slices->keys + a * slices->length;
  const uint64_t *right = slices->keys + b * slices->length;
  for (int64_t i = 0; i < slices->length; ++i)
    if (left[i] != right[i])
      return left[i] < right[i] ? -1 : 1;
  return 0;
}

static int compareText(const struct tenonText *a, const struct tenonText *b) {
  size_t left = tenonTextSize(a), right = tenonTextSize(b);
  int order =
      memcmp(tenonTextBytes(a), tenonTextBytes(b), left < right ? left : right);
  return order ? order : (left > right) - (left < right);
}

static int compareTexts(const void *things, int64_t a, int64_t b) {
  const struct slices *slices = things;
  for (int64_t i = 0; i < slices->length; ++i) {
    int order = compareText(slices->texts[a * slices->length + i],
                            slices->texts[b * slices->length + i]);
    if (order)
      return order;
  }
  return 0;
}

/// Puts what is compared of each slice behind each other. A complex number has
/// two keys.
static void gather(const struct slices *slices) {
  const tenon_value *tensor = slices->tensor;
  tenon_dtype part = tensor->type;
  if (part.code == TENON_COMPLEX)
    part = (tenon_dtype){TENON_FLOAT, (uint8_t)(part.bits / 2), 1};
  struct layout layout = layoutOf(part);
  int64_t bytes = tenonElementBytes(part);
  int64_t inner = slices->axis.inner / bytes, at = 0;
  for (int64_t i = 0; i < slices->axis.extent; ++i)
    for (int64_t o = 0; o < slices->axis.outer; ++o)
      for (int64_t k = 0; k < inner; ++k, ++at) {
        const uint8_t *data =
            (const uint8_t *)tensor->data +
            ((o * slices->axis.extent + i) * inner + k) * bytes;
        if (slices->texts)
          memcpy(&slices->texts[at], data, sizeof *slices->texts);
        else
          slices->keys[at] = keyOf(part, &layout, data, bytes);
      }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// What has been found: of each group its first slice and its size, of each
/// slice its group.
struct groups {
  int64_t *first;
  int64_t *size;
  int64_t *of;
  int64_t count;
};

/// Groups of equal slices, in the order of sorting.
static void group(const struct slices *slices, tenonCompareFn compare,
                  const int64_t *order, struct groups *groups) {
  groups->count = 0;
  for (int64_t i = 0; i < slices->axis.extent; ++i) {
    if (!i || compare(slices, order[i - 1], order[i]) != 0) {
      groups->first[groups->count] = order[i];
      groups->size[groups->count++] = 0;
    }
    ++groups->size[groups->count - 1];
    groups->of[order[i]] = groups->count - 1;
  }
}

/// Numbers groups by their first slices. `scratch` has room for two numbers for
/// each slice.
static void orderByFirst(struct groups *groups, int64_t slices,
                         int64_t *scratch) {
  int64_t *number = scratch, *size = scratch + slices, next = 0;
  memcpy(size, groups->size, (size_t)groups->count * sizeof *size);
  // The first slice of a group comes before its others.
  for (int64_t i = 0; i < slices; ++i) {
    int64_t old = groups->of[i];
    if (groups->first[old] == i)
      number[old] = next++;
    groups->of[i] = number[old];
  }
  for (int64_t i = slices; i-- > 0;)
    groups->first[groups->of[i]] = i;
  for (int64_t old = 0; old < groups->count; ++old)
    groups->size[number[old]] = size[old];
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static tenon_status *newVector(struct tenonPrimitiveCall *call,
                               const int64_t *numbers, int64_t count,
                               tenon_value **value) {
  static const tenon_dtype type = {TENON_INT, 64, 1};
  TENON_TRY(tenonNewTensor(call->heap, type, 1, &count, value));
  tenonCopyElements(type, (*value)->data, numbers,
                    count * (int64_t)sizeof *numbers);
  return NULL;
}

/// The first slice of each group.
static tenon_status *takeFirst(struct tenonPrimitiveCall *call,
                               const struct slices *slices, int32_t axis,
                               const struct groups *groups) {
  const tenon_value *tensor = slices->tensor;
  int64_t shape[TENON_MAX_RANK];
  int32_t rank = call->integers[0] ? tensor->rank : 1;
  for (int32_t i = 0; i < rank && i < tensor->rank; ++i)
    shape[i] = tensor->shape[i];
  shape[axis] = groups->count;
  TENON_TRY(
      tenonNewTensor(call->heap, tensor->type, rank, shape, &call->results[0]));
  const struct tenonAxis *along = &slices->axis;
  uint8_t *to = call->results[0]->data;
  for (int64_t o = 0; o < along->outer; ++o)
    for (int64_t g = 0; g < groups->count; ++g, to += along->inner)
      tenonCopyElements(tensor->type, to,
                        (const uint8_t *)tensor->data +
                            (o * along->extent + groups->first[g]) *
                                along->inner,
                        along->inner);
  return NULL;
}

/// `numbers`: room for five numbers for each slice.
static tenon_status *findUnique(struct tenonPrimitiveCall *call,
                                const struct slices *slices, int32_t axis,
                                int64_t *numbers) {
  int64_t count = slices->axis.extent;
  tenonCompareFn compare = slices->texts ? compareTexts : compareKeys;
  struct groups groups = {numbers + 2 * count, numbers + 3 * count,
                          numbers + 4 * count, 0};
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = i;
  const int64_t *order =
      tenonSort(slices, compare, numbers, numbers + count, count);
  group(slices, compare, order, &groups);
  if (!call->integers[2])
    orderByFirst(&groups, count, numbers);
  TENON_TRY(takeFirst(call, slices, axis, &groups));
  TENON_TRY(newVector(call, groups.first, groups.count, &call->results[1]));
  TENON_TRY(newVector(call, groups.of, count, &call->results[2]));
  return newVector(call, groups.size, groups.count, &call->results[3]);
}

tenon_status *tenonRun_unique(struct tenonPrimitiveCall *call) {
  const tenon_value *tensor = tenonOperand(call, 0);
  int32_t axis = 0;
  struct slices slices = {
      .tensor = tensor,
      .axis = {1, tensor->count, tenonElementBytes(tensor->type)}};
  if (call->integers[0]) {
    TENON_TRY(tenonReadAxis(call, call->integers[1], tensor->rank, &axis));
    slices.axis = tenonAxisOf(tensor, axis);
  }
  bool isComplex = tensor->type.code == TENON_COMPLEX;
  uint64_t parts = (uint64_t)tensor->count * (isComplex ? 2 : 1);
  slices.length = slices.axis.extent ? (int64_t)parts / slices.axis.extent : 0;
  struct tenonScratch keys, numbers;
  TENON_TRY(tenonTakeScratch(call, parts, sizeof(uint64_t), &keys));
  if (tenonIsOfStrings(tensor))
    slices.texts = keys.block;
  else
    slices.keys = keys.block;
  gather(&slices);
  tenon_status *status = tenonTakeScratch(call, (uint64_t)slices.axis.extent,
                                          5 * sizeof(int64_t), &numbers);
  if (!status)
    status = findUnique(call, &slices, axis, numbers.block);
  tenonGiveScratch(call, &numbers);
  tenonGiveScratch(call, &keys);
  return status;
}
