//===- ElementwiseCast.cpp - conversions between element types ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file converts register values. Conversions that a target would leave to
// a run-time library (16-bit floats) are done with integer instructions.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/ElementwiseCast.h"
#include "dialects/Graph/SmallTypes.h"
#include "passes/Codegen/Builder/Bits.h"
#include "passes/Codegen/Builder/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static unsigned widthOf(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
}

//===-- 16-bit floats -----------------------------------------------------===//

static Value widenBrain(KernelBuilder &b, Value value) {
  OpBuilder &ob = b.builder();
  Bits bits = Bits{b, value}.bitcast(ob.getI16Type()).extend(ob.getI32Type());
  return (bits << 16).bitcast(ob.getF32Type()).v;
}

/// Not by vcvtneps2bf16, which takes subnormal numbers for zero.
static Value narrowBrain(KernelBuilder &b, Value value) {
  OpBuilder &ob = b.builder();
  Bits bits = Bits{b, value}.bitcast(ob.getI32Type());
  Bits rounded = (bits + bits.of(0x7fff) + ((bits >> 16) & 1)) >> 16;
  Value nan = isNan(Num(b, value));
  Bits quiet = (bits >> 16) | bits.of(0x40);
  return quiet.select(nan, rounded)
      .truncate(ob.getI16Type())
      .bitcast(ob.getBF16Type())
      .v;
}

static Value widenHalfByBits(KernelBuilder &b, Value value) {
  OpBuilder &ob = b.builder();
  Bits bits = Bits{b, value}.bitcast(ob.getI16Type()).extend(ob.getI32Type());
  Bits shifted = (bits & 0x7fff) << 13;
  // The multiplication also normalises subnormal numbers.
  Num scaled = Num(b, shifted.bitcast(ob.getF32Type()).v) * 0x1p112;
  Bits finite = bits.with(scaled.bits());
  Bits special = shifted | bits.of(0x7f800000);
  Bits magnitude = special.select((bits & 0x7fff).atLeast(0x7c00), finite);
  Bits sign = (bits & 0x8000) << 16;
  return (magnitude | sign).bitcast(ob.getF32Type()).v;
}

static Value narrowHalfByBits(KernelBuilder &b, Value value) {
  OpBuilder &ob = b.builder();
  Bits bits = Bits{b, value}.bitcast(ob.getI32Type());
  Bits magnitude = bits & 0x7fffffff;
  Bits normal = (magnitude + bits.of(0xfff) + ((magnitude >> 13) & 1) -
                 bits.of(112 << 23)) >>
                13;
  // The unit in the last place of 0.5 is that of the subnormal halves.
  Num half = Num(b, magnitude.bitcast(ob.getF32Type()).v) + 0.5;
  Bits subnormal = bits.with(half.bits()) - bits.of(0x3f000000);
  Bits finite = normal.select(magnitude.atLeast(0x38800000), subnormal);
  Bits large = bits.of(0x7c00).select(magnitude.atLeast(0x477ff000), finite);
  Bits result = bits.of(0x7e00).select(magnitude.atLeast(0x7f800001), large);
  Bits signedResult = result | ((bits >> 16) & 0x8000);
  return signedResult.truncate(ob.getI16Type()).bitcast(ob.getF16Type()).v;
}

Value tenon::codegen::widenFloat(KernelBuilder &b, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (element.isBF16())
    return widenBrain(b, value);
  if (!element.isF16())
    return value;
  if (b.target().name == "baseline")
    return widenHalfByBits(b, value);
  Type wide = b.vectorType(b.f32Type(), lanesOf(value));
  return arith::ExtFOp::create(b.builder(), b.loc(), wide, value);
}

Value tenon::codegen::narrowFloat(KernelBuilder &b, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  if (element.isBF16())
    return narrowBrain(b, value);
  if (b.target().name == "baseline")
    return narrowHalfByBits(b, value);
  Type narrow = b.vectorType(element, lanesOf(value));
  return arith::TruncFOp::create(b.builder(), b.loc(), narrow, value);
}

//===-- Between floats ----------------------------------------------------===//

Value tenon::codegen::narrowToOdd(KernelBuilder &b, Value wide) {
  Type type = b.vectorType(b.f32Type(), lanesOf(wide));
  Num x(b, wide);
  Num rounded(b, arith::TruncFOp::create(b.builder(), b.loc(), type, wide));
  Num back(b, arith::ExtFOp::create(b.builder(), b.loc(), wide.getType(),
                                    rounded.get()));
  Bits bits{b, rounded.bits()};
  Bits towardZero = (bits - bits.of(1)).select(less(abs(x), abs(back)), bits);
  Value inexact = andOf(b, notEqual(x, back), notOf(b, isNan(x)));
  Bits odd = (towardZero | bits.of(1)).select(inexact, bits);
  return rounded.fromBits(odd.v).get();
}

static Value castFloat(KernelBuilder &b, Value value, Type to) {
  Value wide = widenFloat(b, value);
  unsigned have = widthOf(wide.getType()), want = widthOf(to);
  if (want < 32)
    return narrowFloat(b, have == 64 ? narrowToOdd(b, wide) : wide, to);
  Type type = b.vectorType(to, lanesOf(value));
  if (have < want)
    return arith::ExtFOp::create(b.builder(), b.loc(), type, wide);
  if (have > want)
    return arith::TruncFOp::create(b.builder(), b.loc(), type, wide);
  return wide;
}

//===-- Floats and integers -----------------------------------------------===//

/// Truncates; out of range saturates and NaN gives 0.
static Value floatToInt(KernelBuilder &b, Value value, Type to) {
  OpBuilder &ob = b.builder();
  Num x(b, widenFloat(b, value));
  bool isUnsigned = to.isUnsignedInteger();
  unsigned width = widthOf(to);
  double low = isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  Type type = b.vectorType(to, lanesOf(value));
  // Narrow integers go through 32 bits, which have an instruction.
  bool narrow = width < 32;
  Type through = narrow ? b.vectorType(ob.getI32Type(), lanesOf(value)) : type;
  Num limited = maximum(x, x.of(low));
  Value converted;
  if (isUnsigned && !narrow)
    converted = arith::FPToUIOp::create(ob, b.loc(), through, limited.get());
  else
    converted = arith::FPToSIOp::create(
        ob, b.loc(), through,
        narrow ? minimum(limited, x.of(high - 1)).get() : limited.get());
  if (narrow)
    converted = arith::TruncIOp::create(ob, b.loc(), type, converted);
  Value largest = b.constantInt(
      type, isUnsigned
                ? -1
                : (width == 64 ? INT64_MAX : (int64_t(1) << (width - 1)) - 1));
  Value result = arith::SelectOp::create(ob, b.loc(), less(x, x.of(high)),
                                         converted, largest);
  return arith::SelectOp::create(ob, b.loc(), isNan(x), b.constantInt(type, 0),
                                 result);
}

/// An integer that f32 holds and bf16 rounds to the same: low bits, of which
/// only whether any is set matters, become one.
static Value foldLowBits(KernelBuilder &b, Value value, bool isUnsigned) {
  Bits x{b, value};
  Value result = value;
  unsigned width = widthOf(value.getType());
  // Ties of numbers from 2^(low + 8) on are multiples of 2^low.
  for (unsigned low = 16; low + 8 < width; low += 15) {
    int64_t least = int64_t(1) << (low + 8), mask = (int64_t(1) << low) - 1;
    Value isLarge = isUnsigned ? x.atLeast(least)
                               : (x + x.of(least - 1)).atLeast(2 * least - 1);
    Bits sticky =
        x.of(int64_t(1) << (low - 1)).select((x & mask).atLeast(1), x.of(0));
    result = ((x & ~mask) | sticky).select(isLarge, x.with(result)).v;
  }
  return result;
}

static Value intToFloat(KernelBuilder &b, Value value, Type from, Type to) {
  OpBuilder &ob = b.builder();
  Type target = widthOf(to) < 32 ? Type(ob.getF32Type()) : to;
  Type type = b.vectorType(target, lanesOf(value));
  bool isUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  if (to.isBF16())
    value = foldLowBits(b, value, isUnsigned);
  Value converted;
  if (isUnsigned)
    converted = arith::UIToFPOp::create(ob, b.loc(), type, value);
  else
    converted = arith::SIToFPOp::create(ob, b.loc(), type, value);
  return narrowFloat(b, converted, to);
}

static Value intToInt(KernelBuilder &b, Value value, Type from, Type to) {
  unsigned have = widthOf(from), want = widthOf(to);
  Type type = b.vectorType(to, lanesOf(value));
  if (have == want)
    return value;
  if (have > want)
    return arith::TruncIOp::create(b.builder(), b.loc(), type, value);
  if (from.isUnsignedInteger() || have == 1)
    return arith::ExtUIOp::create(b.builder(), b.loc(), type, value);
  return arith::ExtSIOp::create(b.builder(), b.loc(), type, value);
}

Value tenon::codegen::emitCast(KernelBuilder &b, Value value, Type from,
                               Type to) {
  if (from == to)
    return value;
  if (graph::isSmall(from) || graph::isSmall(to))
    return emitSmallCast(b, value, from, to, /*saturate=*/true,
                         graph::RoundMode::Nearest);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (to.isInteger(1)) {
    if (fromFloat) {
      Num x(b, widenFloat(b, value));
      return notEqual(x, x.of(0.0));
    }
    return arith::CmpIOp::create(b.builder(), b.loc(), arith::CmpIPredicate::ne,
                                 value, b.constantInt(value.getType(), 0));
  }
  if (fromFloat)
    return toFloat ? castFloat(b, value, to) : floatToInt(b, value, to);
  return toFloat ? intToFloat(b, value, from, to)
                 : intToInt(b, value, from, to);
}
