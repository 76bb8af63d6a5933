//===- ElementwiseCastSmall.cpp - conversions of small elements -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file converts floats of eight and four bits by way of f32, with integer
// instructions, and integers of four and two bits by way of bytes.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/SmallTypes.h"
#include "passes/Codegen/Builder/Bits.h"
#include "passes/Codegen/Builder/ElementwiseCast.h"
#include "passes/Codegen/Builder/VectorMath.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// How a float of eight bits or fewer is laid out; the sign is the first bit.
struct Format {
  int64_t width, mantissa, bias;
  int64_t largest;  ///< bits of the largest number
  int64_t infinity; ///< bits; what overflows becomes a NaN where there is none
  int64_t nan;      ///< bits
  bool oneNan;      ///< in the place of -0; else a NaN has either sign

  int64_t magnitudeMask() const { return (int64_t(1) << (width - 1)) - 1; }
  int64_t signShift() const { return 32 - width; }
  int64_t mantissaShift() const { return 23 - mantissa; }
  int64_t signMask() const { return int64_t(1) << (width - 1); }
  bool hasNan() const { return nan != 0; }
};
} // namespace

static Format formatOf(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return {8, 3, 7, 0x7e, 0x7f, 0x7f, false};
  if (isa<Float8E4M3FNUZType>(type))
    return {8, 3, 8, 0x7f, 0x80, 0x80, true};
  if (isa<Float8E5M2Type>(type))
    return {8, 2, 15, 0x7b, 0x7c, 0x7e, false};
  if (isa<Float8E5M2FNUZType>(type))
    return {8, 2, 16, 0x7f, 0x80, 0x80, true};
  return {4, 1, 1, 7, 7, 0, false}; // f4E2M1FN
}

static bool isPower(Type type) { return isa<Float8E8M0FNUType>(type); }

static constexpr int64_t nanBits = 0x7fc00000, infinityBits = 0x7f800000;

//===-- From small floats -------------------------------------------------===//

static Bits widenPower(Bits byte) {
  constexpr int64_t smallest = 1 << 22; // 2^-127 is subnormal in f32
  Bits bits = byte.of(smallest).select(byte.equals(0), byte << 23);
  return byte.of(nanBits).select(byte.equals(255), bits);
}

/// What is no number among the magnitudes of `format`, as the bits of an f32.
static Bits withSpecials(Bits number, Bits byte, Bits magnitude,
                         const Format &format) {
  Bits nan = byte.of(nanBits);
  if (format.oneNan)
    return nan.select(byte.equals(format.nan), number);
  if (!format.hasNan())
    return number;
  if (format.infinity == format.nan)
    return nan.select(magnitude.atLeast(format.nan), number);
  Bits endless =
      byte.of(infinityBits).select(magnitude.equals(format.infinity), number);
  return nan.select(magnitude.atLeast(format.infinity + 1), endless);
}

/// The bits of the f32.
static Bits widenSmall(KernelBuilder &b, Bits byte, Type from) {
  if (isPower(from))
    return widenPower(byte);
  Format format = formatOf(from);
  Bits magnitude = byte & format.magnitudeMask();
  Bits shifted = magnitude << format.mantissaShift();
  // The multiplication also normalises subnormal numbers.
  Num scaled = Num(b, shifted.bitcast(b.f32Type()).v) *
               std::ldexp(1.0, 127 - format.bias);
  Bits number = byte.with(scaled.bits());
  Bits sign = (byte & format.signMask()) << format.signShift();
  return withSpecials(number, byte, magnitude, format) | sign;
}

//===-- To small floats ---------------------------------------------------===//

/// The power that a number is rounded to.
static Bits roundPower(Bits exponent, Bits fraction, graph::RoundMode mode) {
  constexpr int64_t half = 1 << 22;
  Bits next = exponent + exponent.of(1);
  if (mode == graph::RoundMode::Down)
    return exponent;
  if (mode == graph::RoundMode::Up)
    return next.select(fraction.atLeast(1), exponent);
  // Halves go up, but not from below the smallest normal number.
  Bits fromHalf = next.select(fraction.atLeast(half), exponent);
  Bits beyondHalf = next.select(fraction.atLeast(half + 1), exponent);
  return fromHalf.select(exponent.atLeast(1), beyondHalf);
}

static Bits narrowPower(Bits bits, bool saturate, graph::RoundMode mode) {
  Bits exponent = (bits >> 23) & 255;
  Bits rounded = roundPower(exponent, bits & 0x7fffff, mode);
  return exponent.select(exponent.equals(255),
                         saturate ? rounded.atMost(254) : rounded);
}

/// What is left of the magnitude of a finite f32, rounded to even.
static Bits roundMagnitude(KernelBuilder &b, Bits magnitude,
                           const Format &format) {
  int64_t shift = format.mantissaShift();
  Bits odd = (magnitude >> shift) & 1;
  Bits normal = (magnitude + magnitude.of((int64_t(1) << (shift - 1)) - 1) +
                 odd - magnitude.of((127 - format.bias) << 23)) >>
                shift;
  // The unit in the last place of this number is that of the subnormal ones.
  double unit = std::ldexp(1.0, 24 - format.bias - format.mantissa);
  Num sum = Num(b, magnitude.bitcast(b.f32Type()).v) + unit;
  Bits subnormal =
      magnitude.with(sum.bits()) - magnitude.with(sum.of(unit).bits());
  return normal.select(magnitude.atLeast((128 - format.bias) << 23), subnormal);
}

/// A rounded magnitude, or what stands for one that is too large.
static Bits limited(Bits rounded, const Format &format, bool saturate) {
  if (saturate || !format.hasNan())
    return rounded.atMost(format.largest);
  return rounded.of(format.infinity)
      .select(rounded.atLeast(format.largest + 1), rounded);
}

/// The byte, in the low bits, of the bits of an f32.
static Bits narrowSmall(KernelBuilder &b, Bits bits, Type to, bool saturate) {
  Format format = formatOf(to);
  Bits magnitude = bits & 0x7fffffff;
  Bits sign = (bits >> format.signShift()) & format.signMask();
  Bits number = limited(roundMagnitude(b, magnitude, format), format, saturate);
  Bits withSign = number | sign;
  Bits nan = bits.of(format.nan);
  Value isNan = magnitude.atLeast(infinityBits + 1);
  if (!format.hasNan()) // ONNX gives it as the zero of the other sign
    return (bits.of(format.signMask()) - sign).select(isNan, withSign);
  if (!format.oneNan)
    return (nan | sign).select(isNan, withSign);
  // The NaN has the place of -0.
  return nan.select(isNan, number.select(number.equals(0), withSign));
}

//===-- Integers ----------------------------------------------------------===//

/// As a byte, which holds all numbers of the type.
static Value widenInteger(KernelBuilder &b, Value value, Type from) {
  int64_t width = from.getIntOrFloatBitWidth();
  Bits bits{b, value};
  if (from.isUnsignedInteger())
    return (bits & ((1 << width) - 1)).v;
  return (bits << (8 - width)).apply<arith::ShRSIOp>(bits.of(8 - width)).v;
}

/// The low bits of the whole part; 0 where that does not fit 32 bits.
static Value wholePart(KernelBuilder &b, Value real) {
  Num x(b, real);
  Value fits = less(abs(x), x.of(0x1p31));
  Num limited = select(fits, x, x.of(0.0));
  OpBuilder &ob = b.builder();
  Type type = b.vectorType(ob.getI32Type(), lanesOf(real));
  Value whole = arith::FPToSIOp::create(ob, b.loc(), type, limited.get());
  return Bits{b, whole}.truncate(ob.getI8Type()).v;
}

static Value narrowToInteger(KernelBuilder &b, Value value, Type from,
                             Type to) {
  Value byte = isa<FloatType>(from)
                   ? wholePart(b, widenFloat(b, value))
                   : emitCast(b, value, from, b.builder().getI8Type());
  return (Bits{b, byte} & ((1 << to.getIntOrFloatBitWidth()) - 1)).v;
}

//===-- Dispatch ----------------------------------------------------------===//

/// To f32, rounded so that a second rounding to `to` is right.
static Value toSingle(KernelBuilder &b, Value value, Type from, Type to) {
  if (from.isF64() && !isPower(to))
    return narrowToOdd(b, value);
  return emitCast(b, value, from, b.f32Type());
}

Value tenon::codegen::emitSmallCast(KernelBuilder &b, Value value, Type from,
                                    Type to, bool saturate,
                                    graph::RoundMode mode) {
  OpBuilder &ob = b.builder();
  if (auto integer = dyn_cast<IntegerType>(from); graph::isSmall(from)) {
    if (integer) {
      value = widenInteger(b, value, from);
      from = IntegerType::get(ob.getContext(), 8, integer.getSignedness());
    } else {
      Bits byte = Bits{b, value}.extend(ob.getI32Type());
      value = widenSmall(b, byte, from).bitcast(b.f32Type()).v;
      from = b.f32Type();
    }
  }
  if (!graph::isSmall(to))
    return emitCast(b, value, from, to);
  if (!isa<FloatType>(to))
    return narrowToInteger(b, value, from, to);
  Bits bits = Bits{b, toSingle(b, value, from, to)}.bitcast(ob.getI32Type());
  Bits narrow = isPower(to) ? narrowPower(bits, saturate, mode)
                            : narrowSmall(b, bits, to, saturate);
  return narrow.truncate(ob.getI8Type()).v;
}
