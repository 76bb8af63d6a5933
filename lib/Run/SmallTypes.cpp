//===- SmallTypes.cpp - elements of eight bits and fewer ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/SmallTypes.h"

#include <cmath>

using namespace tenon::run;

namespace {
/// How a float is laid out. What lies above the largest code of a magnitude is
/// no number, but for the infinity of e5m2.
struct Format {
  uint8_t code;
  const char *name;
  int mantissa, bias, largest;
  bool isUnsigned = false;
  bool oneNan = false; ///< in the place of -0
};
} // namespace

static const Format *formatOf(tenon_dtype type) {
  static constexpr Format formats[] = {
      {TENON_FLOAT8_E4M3FN, "float8_e4m3fn", 3, 7, 0x7e},
      {TENON_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", 3, 8, 0x7f, false, true},
      {TENON_FLOAT8_E5M2, "float8_e5m2", 2, 15, 0x7b},
      {TENON_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", 2, 16, 0x7f, false, true},
      {TENON_FLOAT8_E8M0FNU, "float8_e8m0fnu", 0, 127, 0xfe, true},
      {TENON_FLOAT4_E2M1FN, "float4_e2m1fn", 1, 1, 7}};
  for (const Format &format : formats)
    if (format.code == type.code)
      return &format;
  return nullptr;
}

bool tenon::run::isSmallFloat(tenon_dtype type) { return formatOf(type); }

bool tenon::run::isSmall(tenon_dtype type) {
  return isSmallFloat(type) || type.bits < 8;
}

std::string tenon::run::smallFloatName(tenon_dtype type) {
  return formatOf(type)->name;
}

static double floatAt(const Format &format, int bits, uint8_t byte) {
  int signMask = format.isUnsigned ? 0 : 1 << (bits - 1);
  int code = byte & ((1 << bits) - 1), magnitude = code & ~signMask;
  if (magnitude > format.largest || (format.oneNan && code == signMask)) {
    bool isInfinity = format.code == TENON_FLOAT8_E5M2 && magnitude == 0x7c;
    return std::copysign(isInfinity ? INFINITY : NAN,
                         code & signMask ? -1.0 : 1.0);
  }
  int one = 1 << format.mantissa, exponent = magnitude / one;
  int fraction = magnitude % one;
  if (exponent || format.isUnsigned)
    fraction += one;
  else
    exponent = 1;
  double value = std::ldexp(fraction, exponent - format.bias - format.mantissa);
  return code & signMask ? -value : value;
}

double tenon::run::smallAt(tenon_dtype type, uint8_t byte) {
  if (const Format *format = formatOf(type))
    return floatAt(*format, type.bits, byte);
  int range = 1 << type.bits, number = byte & (range - 1);
  bool isNegative = type.code == TENON_INT && number >= range / 2;
  return isNegative ? number - range : number;
}

uint8_t tenon::run::randomSmallFloat(tenon_dtype type, uint64_t bits) {
  const Format &format = *formatOf(type);
  int one = format.bias << format.mantissa; // the code of 1
  if (format.isUnsigned)
    return one - (bits >> 32) % 8;
  return (1 + (bits >> 32) % one) | (bits >> 63) << (type.bits - 1);
}
