//===- RoofLoops.cpp - loops that meet a limit of the machine -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes each loop once, over vectors of any width, and
// instantiates them in functions that are compiled for one instruction set
// each. It is always optimised, whatever the build type.
//===----------------------------------------------------------------------===//
#include "lib/Run/RoofLoops.h"

using namespace tenon::run;

#define INLINE [[gnu::always_inline]] static inline

namespace {

template <int Bytes> struct Vectors {
  typedef float Float __attribute__((vector_size(Bytes)));
  typedef int Int __attribute__((vector_size(Bytes)));
};

} // namespace

/// Where results go, so that nothing is computed in vain.
static volatile float floatSink;
static volatile int intSink;

/// Enough to hide the latency of two multiply-add units, few enough for 16
/// registers.
static constexpr int accumulators = 12;

template <int Bytes> INLINE double multiplyAdd(int64_t steps) {
  using Float = typename Vectors<Bytes>::Float;
  constexpr int lanes = Bytes / int(sizeof(float));
  Float sums[accumulators], factor = Float{} + 0.5f, term = Float{} + 1.0f;
  // All different, and none 2, where sum * factor + term stands still: the
  // compiler would compute less.
  for (int i = 0; i < accumulators; ++i)
    sums[i] = Float{} + float(i + 3);
  for (int64_t step = 0; step < steps; ++step)
#pragma clang loop unroll(full)
    for (Float &sum : sums)
      sum = sum * factor + term;
  Float total = {};
  for (Float sum : sums)
    total += sum;
  floatSink = total[0];
  return double(steps * accumulators * lanes * 2);
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
  Int total = {};
  for (Int sum : sums)
    total += sum;
  intSink = total[0];
}

/// Not a call of memcpy, whose stores may go past the caches.
template <int Bytes>
INLINE void copyAll(const char *from, char *to, int64_t bytes) {
  using Int = typename Vectors<Bytes>::Int;
  auto *source = reinterpret_cast<const Int *>(from);
  auto *target = reinterpret_cast<Int *>(to);
  for (int64_t i = 0; i < bytes / Bytes; ++i)
    target[i] = source[i] + 1;
}

static double multiplyAdd128(int64_t steps) { return multiplyAdd<16>(steps); }
static void read128(const char *data, int64_t bytes) {
  readAll<16>(data, bytes);
}
static void copy128(const char *from, char *to, int64_t bytes) {
  copyAll<16>(from, to, bytes);
}
static constexpr RoofLoops loops128 = {multiplyAdd128, read128, copy128};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] static double multiplyAdd256(int64_t steps) {
  return multiplyAdd<32>(steps);
}
[[gnu::target("avx2")]] static void read256(const char *data, int64_t bytes) {
  readAll<32>(data, bytes);
}
[[gnu::target("avx2")]] static void copy256(const char *from, char *to,
                                            int64_t bytes) {
  copyAll<32>(from, to, bytes);
}
static constexpr RoofLoops loops256 = {multiplyAdd256, read256, copy256};

[[gnu::target("avx512f")]] static double multiplyAdd512(int64_t steps) {
  return multiplyAdd<64>(steps);
}
[[gnu::target("avx512f")]] static void read512(const char *data,
                                               int64_t bytes) {
  readAll<64>(data, bytes);
}
[[gnu::target("avx512f")]] static void copy512(const char *from, char *to,
                                               int64_t bytes) {
  copyAll<64>(from, to, bytes);
}
static constexpr RoofLoops loops512 = {multiplyAdd512, read512, copy512};
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
