//===- Random.h - numbers that are the same everywhere ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the source of chance: splitmix64, so that a graph depends on its
// number only, not on a standard library.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_FUZZ_RANDOM_H
#define TENON_TEST_FUZZ_RANDOM_H

#include <cstdint>
#include <vector>

namespace tenon::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15 + 1) {}

  uint64_t bits() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [0, bound).
  int64_t below(int64_t bound) { return int64_t(bits() % uint64_t(bound)); }
  /// Both ends included.
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  /// In [-1, 1).
  double real() { return double(bits() >> 40) / double(1 << 23) - 1; }
  template <typename T> T any(const std::vector<T> &from) {
    return from[below(int64_t(from.size()))];
  }

private:
  uint64_t state;
};

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_RANDOM_H
