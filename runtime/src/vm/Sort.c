//===- Sort.c - sorting numbers of things ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file merges runs of growing length.
//===----------------------------------------------------------------------===//
#include "src/vm/Sort.h"

/// Merges [begin, middle) and [middle, end).
static void merge(const void *things, tenonCompareFn compare,
                  const int64_t *from, int64_t *to, int64_t begin,
                  int64_t middle, int64_t end) {
  int64_t left = begin, right = middle;
  for (int64_t i = begin; i < end; ++i) {
    bool takesLeft =
        right == end ||
        (left < middle && compare(things, from[left], from[right]) <= 0);
    to[i] = takesLeft ? from[left++] : from[right++];
  }
}

int64_t *tenonSort(const void *things, tenonCompareFn compare, int64_t *numbers,
                   int64_t *scratch, int64_t count) {
  int64_t *from = numbers, *to = scratch;
  for (int64_t length = 1; length < count; length *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * length) {
      int64_t middle = begin + length < count ? begin + length : count;
      int64_t end = begin + 2 * length < count ? begin + 2 * length : count;
      merge(things, compare, from, to, begin, middle, end);
    }
    int64_t *other = from;
    from = to;
    to = other;
  }
  return from;
}
