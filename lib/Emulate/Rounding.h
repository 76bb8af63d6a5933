//===- Rounding.h - from wide numbers to narrow ones ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file rounds, in all directions that PTX knows.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_ROUNDING_H
#define TENON_LIB_EMULATE_ROUNDING_H

#include "lib/Emulate/Types.h"
#include "lib/Support/NarrowFloat.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tenon::emulate {

enum class Rounding : uint8_t { nearest, zero, down, up, nearestAway };

/// Whether the rounded value must go one step towards `mode`'s side.
inline int correction(double rounded, double exact, Rounding mode) {
  if (mode == Rounding::nearest || mode == Rounding::nearestAway ||
      exact != exact)
    return 0;
  bool wantsLess =
      mode == Rounding::down || (mode == Rounding::zero && exact > 0);
  if (wantsLess)
    return rounded > exact ? -1 : 0;
  return rounded < exact ? 1 : 0;
}

inline float toFloat(double x, Rounding mode) {
  float result = float(x);
  int step = correction(result, x, mode);
  if (step == 0)
    return result;
  return std::nextafter(result, step * std::numeric_limits<float>::infinity());
}

/// To f32 such that a second rounding finds what the first one lost: an
/// inexact result is odd.
inline float oddFloat(double x) {
  float towardZero = toFloat(x, Rounding::zero);
  if (towardZero == x || x != x)
    return towardZero;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(towardZero) | 1);
}

template <typename T> double oddDouble(T x) {
  if constexpr (std::is_signed_v<T>)
    if (x < 0)
      return -oddDouble(uint64_t(0) - uint64_t(x));
  uint64_t bits = x;
  unsigned unused = bits >> 53 ? std::bit_width(bits) - 53 : 0;
  uint64_t kept = bits >> unused << unused;
  return double(kept | (kept != bits ? uint64_t(1) << unused : 0));
}

template <typename Format> uint16_t toNarrow(double x, Rounding mode) {
  uint16_t result = Format::narrow(oddFloat(x));
  int step = correction(Format::widen(result), x, mode);
  if (step == 0)
    return result;
  // Magnitudes are ordered as integers are.
  bool grows = (step > 0) == !(result & 0x8000);
  if (!grows && (result & 0x7FFF) == 0)
    return result ^ 0x8001;
  return grows ? result + 1 : result - 1;
}
inline uint16_t toHalf(double x, Rounding mode) {
  return toNarrow<HalfFloat>(x, mode);
}
inline uint16_t toBrain(double x, Rounding mode) {
  return toNarrow<BrainFloat>(x, mode);
}

/// To 10 bits of fraction, the others zero.
inline uint32_t toTf32(float x, Rounding mode) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7FFFFFFF) >= 0x7F800000)
    return bits;
  if (mode == Rounding::nearestAway)
    bits += 0x1000;
  else if (mode == Rounding::nearest)
    bits += 0xFFF + (bits >> 13 & 1);
  return bits & 0xFFFFE000;
}

inline double roundToInteger(double x, Rounding mode) {
  switch (mode) {
  case Rounding::zero:
    return std::trunc(x);
  case Rounding::down:
    return std::floor(x);
  case Rounding::up:
    return std::ceil(x);
  default:
    return std::nearbyint(x);
  }
}

/// Clamps; a NaN becomes zero.
inline uint64_t floatToBits(double x, Type to) {
  int bits = bytesOf(to) * 8;
  if (x != x)
    return 0;
  if (isSigned(to)) {
    double bound = std::ldexp(1.0, bits - 1);
    int64_t most = int64_t((uint64_t(1) << (bits - 1)) - 1);
    if (x >= bound)
      return uint64_t(most);
    return x < -bound ? uint64_t(-most - 1) : uint64_t(int64_t(x));
  }
  if (x <= 0)
    return 0;
  if (x >= std::ldexp(1.0, bits))
    return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  return uint64_t(x);
}

inline uint64_t clampInteger(uint64_t value, bool wasSigned, Type to) {
  int bits = bytesOf(to) * 8;
  bool isNegative = wasSigned && int64_t(value) < 0;
  if (!isSigned(to)) {
    uint64_t most = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    return isNegative ? 0 : value < most ? value : most;
  }
  int64_t most = int64_t((uint64_t(1) << (bits - 1)) - 1);
  if (isNegative)
    return int64_t(value) < -most - 1 ? uint64_t(-most - 1) : value;
  return value > uint64_t(most) ? uint64_t(most) : value;
}

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_ROUNDING_H
