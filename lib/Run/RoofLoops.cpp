//===- RoofLoops.cpp - loops that meet a limit of the machine -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes both loops once, over vectors of any width, and
// instantiates them in functions that are compiled for one instruction set
// each. It is always optimised, whatever the build type.
//===----------------------------------------------------------------------===//
#include "lib/Run/RoofLoops.h"

using namespace tenon::run;

#define INLINE [[gnu::always_inline]] static inline

template <int Bytes> struct Vectors {
  typedef float Float __attribute__((vector_size(Bytes)));
  typedef int Int __attribute__((vector_size(Bytes)));
};

/// Where results go, so that nothing is computed in vain.
static volatile float floatSink;
static volatile int intSink;

/// Enough to hide the latency of two multiply-add units, few enough for 16
/// registers.
static constexpr int accumulators = 12;

template <int Bytes> INLINE double multiplyAdd(int64_t steps) {
  using Float = typename Vectors<Bytes>::Float;
  Float sums[accumulators], factor = Float{} + 0.5f, term = Float{} + 1.0f;
  // All different, and none 2, where sum * factor + term stands still: the
  // compiler would compute less.
  for (int i = 0; i < accumulators; ++i)
    sums[i] = Float{} + float(i + 3);
  for (int64_t step = 0; step < steps; ++step)
#pragma clang loop unroll(full)
    for (int i = 0; i < accumulators; ++i)
      sums[i] = sums[i] * factor + term;
  Float sum = {};
  for (int i = 0; i < accumulators; ++i)
    sum += sums[i];
  floatSink = sum[0];
  return double(steps) * accumulators * 2 * (Bytes / sizeof(float));
}

template <int Bytes> INLINE void readAll(const char *data, int64_t bytes) {
  using Int = typename Vectors<Bytes>::Int;
  constexpr int count = 8;
  auto *vectors = reinterpret_cast<const Int *>(data);
  Int sums[count] = {};
  for (int64_t at = 0; at < bytes / Bytes; at += count)
#pragma clang loop unroll(full)
    for (int i = 0; i < count; ++i)
      sums[i] += vectors[at + i];
  Int sum = {};
  for (int i = 0; i < count; ++i)
    sum += sums[i];
  intSink = sum[0];
}

#define LOOPS(bits, attributes)                                                \
  attributes static double multiplyAdd##bits(int64_t steps) {                  \
    return multiplyAdd<bits / 8>(steps);                                       \
  }                                                                            \
  attributes static void read##bits(const char *data, int64_t bytes) {         \
    readAll<bits / 8>(data, bytes);                                            \
  }                                                                            \
  static constexpr RoofLoops loops##bits = {multiplyAdd##bits, read##bits};

LOOPS(128, )
#if defined(__x86_64__)
LOOPS(256, __attribute__((target("avx2,fma"))))
LOOPS(512, __attribute__((target("avx512f"))))
#endif

const RoofLoops *tenon::run::findRoofLoops(int vectorBits) {
  if (vectorBits == 128)
    return &loops128;
#if defined(__x86_64__)
  if (vectorBits == 256 && __builtin_cpu_supports("avx2") &&
      __builtin_cpu_supports("fma"))
    return &loops256;
  if (vectorBits == 512 && __builtin_cpu_supports("avx512f"))
    return &loops512;
#endif
  return nullptr;
}
