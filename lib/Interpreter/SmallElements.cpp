//===- SmallElements.cpp - elements below eight bits, and floats ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/SmallElements.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"

#include <array>
#include <bit>
#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

//===-- Floats ------------------------------------------------------------===//

/// The values of all bytes.
template <typename T> static const std::array<double, 256> &valuesOf(T type) {
  static const std::array<double, 256> values = [type] {
    std::array<double, 256> made;
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    unsigned width = APFloat::getSizeInBits(semantics);
    bool isSigned = !isa<Float8E8M0FNUType>(type);
    for (unsigned byte = 0; byte < made.size(); ++byte) {
      APFloat value(semantics, APInt(width, byte & ((1u << width) - 1)));
      if (value.isNaN()) { // converted, some lose their sign or become infinite
        made[byte] =
            std::copysign(std::nan(""), isSigned && byte >= 128 ? -1.0 : 1.0);
        continue;
      }
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      made[byte] = value.convertToDouble();
    }
    return made;
  }();
  return values;
}

double interp::decodeFloat(FloatType type, uint8_t byte) {
  return llvm::TypeSwitch<FloatType, double>(type)
      .Case<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
            Float8E5M2FNUZType, Float8E8M0FNUType, Float4E2M1FNType>(
          [&](auto known) { return valuesOf(known)[byte]; });
}

static uint8_t bitsOf(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// The exponent of the number as f32, whose sign is dropped.
static uint8_t encodePower(float number, Narrowing narrowing) {
  constexpr uint32_t half = 1u << 22, nan = 255, largest = 254;
  uint32_t bits = std::bit_cast<uint32_t>(number);
  uint32_t exponent = bits >> 23 & 255, fraction = bits & (2 * half - 1);
  if (exponent == nan)
    return nan;
  bool up = false;
  if (narrowing.mode == graph::RoundMode::Up)
    up = fraction > 0;
  else if (narrowing.mode == graph::RoundMode::Nearest)
    up = fraction > half || (fraction == half && exponent > 0);
  exponent += up;
  return narrowing.saturate ? std::min(exponent, largest) : exponent;
}

uint8_t interp::encodeFloat(FloatType type, double number,
                            Narrowing narrowing) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  if (isa<Float8E8M0FNUType>(type))
    return encodePower(static_cast<float>(number), narrowing);
  bool isNegative = std::signbit(number);
  bool isFour = type.getWidth() == 4;
  if (std::isnan(number))
    return bitsOf(isFour ? APFloat::getZero(semantics, !isNegative)
                         : APFloat::getNaN(semantics, isNegative));
  APFloat largest = APFloat::getLargest(semantics, isNegative), value(number);
  bool losesInfo;
  if (isFour || narrowing.saturate) {
    APFloat limit = largest;
    limit.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (std::fabs(number) >= std::fabs(limit.convertToDouble()))
      return bitsOf(largest);
  } else if (std::isinf(number)) {
    return bitsOf(APFloat::semanticsHasInf(semantics)
                      ? APFloat::getInf(semantics, isNegative)
                      : APFloat::getNaN(semantics, isNegative));
  }
  value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return bitsOf(value);
}

//===-- Integers ----------------------------------------------------------===//

int64_t interp::decodeInteger(IntegerType type, uint8_t byte) {
  unsigned rest = 64 - type.getWidth();
  uint64_t high = uint64_t(byte) << rest;
  return type.isUnsigned() ? int64_t(high >> rest) : int64_t(high) >> rest;
}

uint8_t interp::encodeInteger(IntegerType type, uint64_t number) {
  return number & ((1u << type.getWidth()) - 1);
}

uint8_t interp::encodeInteger(IntegerType type, double number) {
  bool fits = std::fabs(number) < 0x1p31;
  return encodeInteger(type, uint64_t(fits ? int64_t(number) : 0));
}
