//===- Time.h - the one unit of time ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what plans, prices, schedules and reports measure time in,
// on whatever device. Models that count in units of their own (multiply-adds of
// a core, microseconds of a GPU) convert where they hand a time on.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SUPPORT_TIME_H
#define TENON_LIB_SUPPORT_TIME_H

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

namespace tenon {

struct Time {
  double nanoseconds = 0;

  static constexpr Time infinite() {
    return {std::numeric_limits<double>::infinity()};
  }
  static constexpr Time ofMicroseconds(double count) { return {1000 * count}; }
  /// In whole nanoseconds, as attributes and JSON have it. It must be finite.
  int64_t rounded() const { return std::llround(nanoseconds); }

  constexpr auto operator<=>(const Time &) const = default;
  constexpr Time &operator+=(Time other) {
    nanoseconds += other.nanoseconds;
    return *this;
  }
  constexpr Time &operator*=(double factor) {
    nanoseconds *= factor;
    return *this;
  }
};

constexpr Time operator+(Time a, Time b) { return a += b; }
constexpr Time operator*(Time time, double factor) { return time *= factor; }

} // namespace tenon

#endif // TENON_LIB_SUPPORT_TIME_H
