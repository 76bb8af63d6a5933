//===- StringSplit.c - ONNX's StringSplit ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file cuts strings at a delimiter, or where that is empty, at whitespace.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <string.h>

struct splitter {
  const char *delimiter;
  size_t delimiterSize;
  /// Below zero: any number.
  int64_t mostCuts;
};

/// What is left to cut.
struct rest {
  const char *bytes;
  size_t size;
  int64_t cuts;
  bool isOver;
};

static bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skipBlanks(struct rest *rest) {
  while (rest->size && isBlank(*rest->bytes)) {
    ++rest->bytes;
    --rest->size;
  }
}

static void dropBehind(struct rest *rest) {
  while (rest->size && isBlank(rest->bytes[rest->size - 1]))
    --rest->size;
}

/// Where the next piece ends; the size: it is the last.
static size_t findCut(const struct splitter *splitter,
                      const struct rest *rest) {
  if (splitter->mostCuts >= 0 && rest->cuts >= splitter->mostCuts)
    return rest->size;
  size_t length = splitter->delimiterSize, i = 0;
  if (!length) {
    while (i < rest->size && !isBlank(rest->bytes[i]))
      ++i;
    return i;
  }
  for (; i + length <= rest->size; ++i)
    if (memcmp(rest->bytes + i, splitter->delimiter, length) == 0)
      return i;
  return rest->size;
}

/// The next piece; false where there is none. As Python's str.split does it.
static bool nextPiece(const struct splitter *splitter, struct rest *rest,
                      const char **piece, size_t *size) {
  if (!splitter->delimiterSize) {
    skipBlanks(rest);
    rest->isOver |= !rest->size;
  }
  if (rest->isOver)
    return false;
  *piece = rest->bytes;
  size_t cut = findCut(splitter, rest);
  rest->isOver = cut == rest->size;
  if (rest->isOver && !splitter->delimiterSize)
    dropBehind(rest);
  *size = rest->isOver ? rest->size : cut;
  size_t skipped = splitter->delimiterSize ? splitter->delimiterSize : 1;
  if (!rest->isOver) {
    rest->bytes += cut + skipped;
    rest->size -= cut + skipped;
    ++rest->cuts;
  }
  return true;
}

static struct rest restOf(const struct tenonText *text) {
  return (struct rest){tenonTextBytes(text), tenonTextSize(text), 0, false};
}

static int64_t countPieces(const struct splitter *splitter,
                           const struct tenonText *text) {
  struct rest rest = restOf(text);
  const char *piece;
  size_t size;
  int64_t count = 0;
  while (nextPiece(splitter, &rest, &piece, &size))
    ++count;
  return count;
}

static tenon_status *readSplitter(const struct tenonPrimitiveCall *call,
                                  struct splitter *splitter) {
  const tenon_value *delimiter = tenonOptionalOperand(call, 1);
  *splitter = (struct splitter){"", 0, call->integers[0]};
  if (!delimiter)
    return NULL;
  if (delimiter->count != 1)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "the delimiter has %lld elements instead of one",
                          (long long)delimiter->count);
  splitter->delimiter = tenonTextBytes(*tenonTexts(delimiter));
  splitter->delimiterSize = tenonTextSize(*tenonTexts(delimiter));
  return NULL;
}

static tenon_status *fillPieces(const struct tenonPrimitiveCall *call,
                                const struct splitter *splitter,
                                const struct tenonText *text,
                                struct tenonText **to) {
  struct rest rest = restOf(text);
  const char *piece;
  size_t size;
  while (nextPiece(splitter, &rest, &piece, &size))
    TENON_TRY(tenonNewText(call->heap, piece, size, to++));
  return NULL;
}

tenon_status *tenonRun_string_split(struct tenonPrimitiveCall *call) {
  static const tenon_dtype type = {TENON_INT, 64, 1};
  const tenon_value *tensor = tenonOperand(call, 0);
  struct splitter splitter;
  TENON_TRY(readSplitter(call, &splitter));
  if (tensor->rank == TENON_MAX_RANK)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "the result would have too many dimensions");
  TENON_TRY(tenonNewTensor(call->heap, type, tensor->rank, tensor->shape,
                           &call->results[1]));
  int64_t *counts = call->results[1]->data, most = 0;
  for (int64_t i = 0; i < tensor->count; ++i) {
    counts[i] = countPieces(&splitter, tenonTexts(tensor)[i]);
    most = counts[i] > most ? counts[i] : most;
  }
  int64_t shape[TENON_MAX_RANK];
  memcpy(shape, tensor->shape, (size_t)tensor->rank * sizeof *shape);
  shape[tensor->rank] = most;
  TENON_TRY(tenonNewTensor(call->heap, tensor->type, tensor->rank + 1, shape,
                           &call->results[0]));
  struct tenonText **texts = tenonTexts(call->results[0]);
  for (int64_t i = 0; i < tensor->count; ++i)
    TENON_TRY(
        fillPieces(call, &splitter, tenonTexts(tensor)[i], texts + i * most));
  return NULL;
}
