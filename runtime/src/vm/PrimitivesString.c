//===- PrimitivesString.c - tensors of strings ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes the primitives of strings.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"
#include "src/vm/Utf8.h"

#include <string.h>

static bool isEqual(const struct tenonText *a, const struct tenonText *b) {
  return tenonTextSize(a) == tenonTextSize(b) &&
         memcmp(tenonTextBytes(a), tenonTextBytes(b), tenonTextSize(a)) == 0;
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// Two tensors of strings, element by element.
struct pairs {
  const tenon_value *a, *b;
  int32_t rank;
  int64_t shape[TENON_MAX_RANK];
};

static int64_t extentAt(const tenon_value *tensor, int32_t rank, int32_t dim) {
  int32_t own = dim - (rank - tensor->rank);
  return own < 0 ? 1 : tensor->shape[own];
}

static tenon_status *pair(const struct tenonPrimitiveCall *call,
                          struct pairs *pairs) {
  const tenon_value *a = tenonOperand(call, 0), *b = tenonOperand(call, 1);
  *pairs = (struct pairs){
      .a = a, .b = b, .rank = a->rank > b->rank ? a->rank : b->rank};
  for (int32_t i = 0; i < pairs->rank; ++i) {
    int64_t left = extentAt(a, pairs->rank, i);
    int64_t right = extentAt(b, pairs->rank, i);
    if (left != right && left != 1 && right != 1)
      return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                            "extents %lld and %lld do not broadcast",
                            (long long)left, (long long)right);
    pairs->shape[i] = left == 1 ? right : left;
  }
  return NULL;
}

/// The element of a tensor that belongs to element `index` of the result.
static struct tenonText *textAt(const struct pairs *pairs,
                                const tenon_value *tensor, int64_t index) {
  int64_t at = 0, stride = 1;
  for (int32_t i = pairs->rank - 1; i >= 0; --i) {
    int64_t extent = extentAt(tensor, pairs->rank, i);
    int64_t coordinate = index % pairs->shape[i];
    index /= pairs->shape[i];
    if (extent != 1)
      at += coordinate * stride;
    stride *= extent;
  }
  return tenonTexts(tensor)[at];
}

static tenon_status *join(const struct tenonPrimitiveCall *call,
                          const struct tenonText *a, const struct tenonText *b,
                          struct tenonText **result) {
  size_t left = tenonTextSize(a), right = tenonTextSize(b);
  struct tenonScratch scratch;
  TENON_TRY(tenonTakeScratch(call, left + right, 1, &scratch));
  char *text = scratch.block;
  memcpy(text, tenonTextBytes(a), left);
  memcpy(text + left, tenonTextBytes(b), right);
  tenon_status *status = tenonNewText(call->heap, text, left + right, result);
  tenonGiveScratch(call, &scratch);
  return status;
}

tenon_status *tenonRun_string_concat(struct tenonPrimitiveCall *call) {
  struct pairs pairs;
  TENON_TRY(pair(call, &pairs));
  TENON_TRY(tenonNewTensor(call->heap, pairs.a->type, pairs.rank, pairs.shape,
                           &call->results[0]));
  struct tenonText **texts = tenonTexts(call->results[0]);
  for (int64_t i = 0; i < call->results[0]->count; ++i)
    TENON_TRY(join(call, textAt(&pairs, pairs.a, i), textAt(&pairs, pairs.b, i),
                   &texts[i]));
  return NULL;
}

tenon_status *tenonRun_string_equal(struct tenonPrimitiveCall *call) {
  static const tenon_dtype type = {TENON_BOOL, 8, 1};
  struct pairs pairs;
  TENON_TRY(pair(call, &pairs));
  TENON_TRY(tenonNewTensor(call->heap, type, pairs.rank, pairs.shape,
                           &call->results[0]));
  uint8_t *to = call->results[0]->data;
  for (int64_t i = 0; i < call->results[0]->count; ++i)
    to[i] = isEqual(textAt(&pairs, pairs.a, i), textAt(&pairs, pairs.b, i));
  return NULL;
}

tenon_status *tenonRun_string_reshape(struct tenonPrimitiveCall *call) {
  const tenon_value *tensor = tenonOperand(call, 0);
  const tenon_value *vector = tenonOperand(call, 1);
  int64_t shape[TENON_MAX_RANK], count = 1;
  int32_t rank = (int32_t)vector->count, open = -1;
  bool fits = vector->count <= (int64_t)TENON_MAX_RANK;
  if (fits)
    tenonCopyElements(vector->type, shape, vector->data, vector->bytes);
  for (int32_t i = 0; fits && i < rank; ++i)
    if (shape[i] == -1 && open < 0)
      open = i;
    else
      fits = shape[i] >= 0 && !__builtin_mul_overflow(count, shape[i], &count);
  if (fits && open >= 0) {
    fits = count && tensor->count % count == 0;
    shape[open] = fits ? tensor->count / count : 0;
    count = fits ? tensor->count : 0;
  }
  if (!fits || count != tensor->count)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "%lld elements do not fit the shape",
                          (long long)tensor->count);
  TENON_TRY(
      tenonNewTensor(call->heap, tensor->type, rank, shape, &call->results[0]));
  tenonCopyElements(tensor->type, call->results[0]->data, tensor->data,
                    tensor->bytes);
  return NULL;
}

//===----------------------------------------------------------------------===//
// StringNormalizer
//===----------------------------------------------------------------------===//

static bool isStopWord(const struct tenonText *text, const tenon_value *words,
                       bool isCaseSensitive) {
  for (int64_t i = 0; i < words->count; ++i) {
    const struct tenonText *word = tenonTexts(words)[i];
    if (isCaseSensitive
            ? isEqual(text, word)
            : tenonIsEqualFolded(tenonTextBytes(text), tenonTextSize(text),
                                 tenonTextBytes(word), tenonTextSize(word)))
      return true;
  }
  return false;
}

/// `change`: 0 none, 1 lower, 2 upper.
static tenon_status *changeCase(const struct tenonPrimitiveCall *call,
                                struct tenonText *text, int64_t change,
                                struct tenonText **result) {
  if (change != 1 && change != 2) {
    *result = tenonRetainText(text);
    return NULL;
  }
  struct tenonScratch scratch;
  size_t size = tenonTextSize(text);
  // A letter and its other case may differ in length.
  TENON_TRY(tenonTakeScratch(call, size, TENON_MOST_GROWTH, &scratch));
  size =
      tenonChangeCase(tenonTextBytes(text), size, change == 2, scratch.block);
  tenon_status *status = tenonNewText(call->heap, scratch.block, size, result);
  tenonGiveScratch(call, &scratch);
  return status;
}

tenon_status *tenonRun_string_normalizer(struct tenonPrimitiveCall *call) {
  const tenon_value *tensor = tenonOperand(call, 0);
  const tenon_value *words = tenonOperand(call, 1);
  bool isRow = tensor->rank == 2 && tensor->shape[0] == 1;
  if (tensor->rank != 1 && !isRow)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "the strings are neither a vector nor one row");
  bool isSensitive = call->integers[1] != 0;
  int64_t count = 0, next = 0;
  for (int64_t i = 0; i < tensor->count; ++i)
    count += !isStopWord(tenonTexts(tensor)[i], words, isSensitive);
  // Where nothing is left, an empty string is.
  int64_t shape[2] = {count ? count : 1, count ? count : 1};
  if (isRow)
    shape[0] = 1;
  TENON_TRY(tenonNewTensor(call->heap, tensor->type, tensor->rank, shape,
                           &call->results[0]));
  struct tenonText **texts = tenonTexts(call->results[0]);
  for (int64_t i = 0; i < tensor->count; ++i)
    if (!isStopWord(tenonTexts(tensor)[i], words, isSensitive))
      TENON_TRY(changeCase(call, tenonTexts(tensor)[i], call->integers[0],
                           &texts[next++]));
  return NULL;
}
