//===- NarrowFloat.h - f32 in 16 bits ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the two 16-bit formats as types with a way in, rounding to
// nearest even, and a way back, which is exact. NaN stays NaN; what lies beyond
// the largest number becomes infinite.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SUPPORT_NARROWFLOAT_H
#define TENON_LIB_SUPPORT_NARROWFLOAT_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace tenon {

/// f16: 5 bits of exponent, 10 of fraction.
struct HalfFloat {
  static uint16_t narrow(float x) {
    uint32_t bits = std::bit_cast<uint32_t>(x);
    uint16_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
      return sign | 0x7e00;
    if (bits >= 0x47800000)
      return sign | 0x7c00;
    // Subnormal: adding one half puts the unit of the last place where it is
    // in f16, and rounds.
    if (bits < 0x38800000)
      return sign |
             (std::bit_cast<uint32_t>(std::bit_cast<float>(bits) + 0.5f) -
              0x3f000000);
    bits += 0xfff + (bits >> 13 & 1);
    return sign | ((bits - 0x38000000) >> 13);
  }

  static float widen(uint16_t half) {
    uint32_t sign = uint32_t(half & 0x8000) << 16, rest = half & 0x7fff;
    if (rest < 0x400)
      return std::copysign(float(rest) * 0x1p-24f, sign ? -1.0f : 1.0f);
    uint32_t exponent = rest < 0x7c00 ? 0x38000000 : 0x70000000;
    return std::bit_cast<float>(sign | ((rest << 13) + exponent));
  }
};

/// The bits of an f32 rounded to nearest even with 10 bits of fraction, which
/// is all that units for TF32 read. NaN stays NaN. It grows first by what such
/// units cut off of the factor that they meet it with: 2^-11 of its power of
/// two on average, 0.72 times as much of itself. Else products of numbers whose
/// signs do not cancel would shrink from layer to layer.
inline uint32_t roundToTf32(float x) {
  constexpr float cutOff = 0.7213f / 2048;
  uint32_t bits = std::bit_cast<uint32_t>(x + x * cutOff);
  if (std::isnan(x) || std::isinf(x))
    return bits;
  return (bits + 0xfff + (bits >> 13 & 1)) & ~uint32_t(0x1fff);
}

/// bf16: the upper half of an f32.
struct BrainFloat {
  static uint16_t narrow(float x) {
    uint32_t bits = std::bit_cast<uint32_t>(x);
    if (std::isnan(x))
      return bits >> 16 | 0x40;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }

  static float widen(uint16_t brain) {
    return std::bit_cast<float>(uint32_t(brain) << 16);
  }

  /// Number `index` of those that add up to x, three to all of its digits.
  static uint16_t piece(float x, int index) {
    for (; index > 0; --index)
      x -= widen(narrow(x));
    return narrow(x);
  }
};

} // namespace tenon

#endif // TENON_LIB_SUPPORT_NARROWFLOAT_H
