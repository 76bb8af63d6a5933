//===- Fragments.cpp - matrices in registers ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gathers fragments and multiplies them.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Fragments.h"

using namespace tenon;
using namespace tenon::emulate;

void tenon::emulate::readA(const Warp &warp, const Ref *refs, unsigned count,
                           Element element, float (*a)[mostDepth]) {
  unsigned per = perWord(element);
  for (unsigned r = 0; r < count; ++r) {
    const uint32_t *words = warp.from<uint32_t>(refs[r]);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      unsigned row = lane / 4 + 8 * (r % 2);
      unsigned column = (lane % 4 + 4 * (r / 2)) * per;
      for (unsigned e = 0; e < per; ++e)
        a[row][column + e] = elementOf(element, words[lane], e);
    }
  }
}

void tenon::emulate::readB(const Warp &warp, const Ref *refs, unsigned count,
                           Element element, float (*b)[mostDepth]) {
  unsigned per = perWord(element);
  for (unsigned r = 0; r < count; ++r) {
    const uint32_t *words = warp.from<uint32_t>(refs[r]);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned e = 0; e < per; ++e)
        b[lane / 4][(lane % 4 + 4 * r) * per + e] =
            elementOf(element, words[lane], e);
  }
}

/// Eight columns at a time: b is turned round so that they are neighbours.
static inline __attribute__((always_inline)) void
multiplyBlock(const float (*a)[mostDepth], const double (*b)[8], unsigned rows,
              unsigned columns, unsigned depth, double *sums) {
  for (unsigned r = 0; r < rows; ++r) {
    double sum[8] = {};
    for (unsigned k = 0; k < depth; ++k) {
      double x = a[r][k];
      for (unsigned c = 0; c < 8; ++c)
        sum[c] += x * b[k][c];
    }
    for (unsigned c = 0; c < 8; ++c)
      sums[r * columns + c] = sum[c];
  }
}

using Block = void (*)(const float (*)[mostDepth], const double (*)[8],
                       unsigned, unsigned, unsigned, double *);

static void plainBlock(const float (*a)[mostDepth], const double (*b)[8],
                       unsigned rows, unsigned columns, unsigned depth,
                       double *sums) {
  multiplyBlock(a, b, rows, columns, depth, sums);
}

#if defined(__x86_64__)
/// Products are exact, so that it does not matter whether they are fused.
__attribute__((target("avx2"))) static void
wideBlock(const float (*a)[mostDepth], const double (*b)[8], unsigned rows,
          unsigned columns, unsigned depth, double *sums) {
  multiplyBlock(a, b, rows, columns, depth, sums);
}
static Block chooseBlock() {
  return __builtin_cpu_supports("avx2") ? wideBlock : plainBlock;
}
#else
static Block chooseBlock() { return plainBlock; }
#endif

void tenon::emulate::multiply(const float (*a)[mostDepth],
                              const float (*b)[mostDepth], unsigned rows,
                              unsigned columns, unsigned depth, double *sums) {
  static const Block block = chooseBlock();
  for (unsigned first = 0; first < columns; first += 8) {
    double turned[mostDepth][8];
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned c = 0; c < 8; ++c)
        turned[k][c] = b[first + c][k];
    block(a, turned, rows, columns, depth, sums + first);
  }
}
