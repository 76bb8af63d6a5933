//===- Conversions.cpp - cvt ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file converts between types in two steps: a loader brings all lanes to
// double or to 64 bits, a storer rounds them to the type that is wanted.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"
#include "lib/Emulate/Rounding.h"

#include <algorithm>

using namespace tenon;
using namespace tenon::emulate;

namespace {
/// Op::flags.
enum Flag : uint8_t { saturates = 1, flushes = 2, clips = 4 };
} // namespace

template <typename R>
static void loadBits(const Warp &warp, Ref ref, uint64_t *to) {
  const R *from = warp.from<R>(ref);
  for (unsigned i = 0; i < lanes; ++i)
    to[i] = from[i];
}

/// Integers of op.type in registers of aBytes, as 64 bits.
static void loadIntegers(const Warp &warp, const Op &op, uint64_t *to) {
  if (op.aBytes == 2)
    loadBits<uint16_t>(warp, op.a, to);
  else if (op.aBytes == 4)
    loadBits<uint32_t>(warp, op.a, to);
  else
    loadBits<uint64_t>(warp, op.a, to);
  unsigned unused = 64 - bytesOf(op.type) * 8;
  if (isSigned(op.type))
    for (unsigned i = 0; i < lanes; ++i)
      to[i] = uint64_t(int64_t(to[i] << unused) >> unused);
  else
    for (unsigned i = 0; i < lanes; ++i)
      to[i] = to[i] << unused >> unused;
}

template <typename R, typename F>
static void loadAs(const Warp &warp, Ref ref, double *to, const F &value) {
  const R *from = warp.from<R>(ref);
  for (unsigned i = 0; i < lanes; ++i)
    to[i] = value(from[i]);
}

static void loadFloats(const Warp &warp, const Op &op, double *to) {
  if (op.type == Type::f16)
    loadAs<uint16_t>(warp, op.a, to, HalfFloat::widen);
  else if (op.type == Type::bf16)
    loadAs<uint16_t>(warp, op.a, to, BrainFloat::widen);
  else if (op.type == Type::f32)
    loadAs<float>(warp, op.a, to, [&](float x) {
      bool flush = op.flags & flushes && std::fabs(x) < 0x1p-126f;
      return flush ? std::copysign(0.0f, x) : x;
    });
  else
    loadAs<double>(warp, op.a, to, [](double x) { return x; });
}

template <typename R, typename F>
static void storeAs(Warp &warp, const Op &op, Mask mask, const F &value) {
  forLanes(mask, warp.at<R>(op.d), [&](unsigned i) { return R(value(i)); });
}

/// Integers into a register of dBytes, which has the sign if the type has one.
template <typename F>
static void storeIntegers(Warp &warp, const Op &op, Mask mask, const F &bits) {
  Type to = Type(op.count);
  unsigned unused = 64 - bytesOf(to) * 8;
  bool hasSign = isSigned(to);
  auto extended = [&](unsigned i) {
    uint64_t up = uint64_t(bits(i)) << unused;
    return hasSign ? uint64_t(int64_t(up) >> unused) : up >> unused;
  };
  if (op.dBytes == 2)
    storeAs<uint16_t>(warp, op, mask, extended);
  else if (op.dBytes == 4)
    storeAs<uint32_t>(warp, op, mask, extended);
  else
    storeAs<uint64_t>(warp, op, mask, extended);
}

static void storeFloats(Warp &warp, const Op &op, Mask mask, double *values) {
  Rounding mode = Rounding(op.kind);
  for (unsigned i = 0; i < lanes; ++i) {
    if (op.flags & (saturates | clips))
      values[i] = values[i] > 0 ? values[i] : 0;
    if (op.flags & saturates)
      values[i] = values[i] < 1 ? values[i] : 1;
  }
  switch (Type(op.count)) {
  case Type::f64:
    return storeAs<double>(warp, op, mask,
                           [&](unsigned i) { return values[i]; });
  case Type::f32:
    return storeAs<float>(warp, op, mask, [&](unsigned i) {
      float x = toFloat(values[i], mode);
      bool flush = op.flags & flushes && std::fabs(x) < 0x1p-126f;
      return flush ? std::copysign(0.0f, x) : x;
    });
  case Type::tf32:
    return storeAs<uint32_t>(warp, op, mask, [&](unsigned i) {
      return toTf32(float(values[i]), mode);
    });
  case Type::f16:
    return storeAs<uint16_t>(
        warp, op, mask, [&](unsigned i) { return toHalf(values[i], mode); });
  default:
    return storeAs<uint16_t>(
        warp, op, mask, [&](unsigned i) { return toBrain(values[i], mode); });
  }
}

static Step integerToInteger(Warp &warp, const Op &op, Mask mask) {
  uint64_t values[lanes];
  loadIntegers(warp, op, values);
  if (op.flags & saturates)
    for (uint64_t &value : values)
      value = clampInteger(value, isSigned(op.type), Type(op.count));
  storeIntegers(warp, op, mask, [&](unsigned i) { return values[i]; });
  return Step::next;
}

static Step integerToFloat(Warp &warp, const Op &op, Mask mask) {
  uint64_t bits[lanes];
  double values[lanes];
  loadIntegers(warp, op, bits);
  bool hasSign = isSigned(op.type);
  // From 64 bits to f32 there must be one rounding only: keep what is lost.
  for (unsigned i = 0; i < lanes; ++i)
    values[i] = hasSign ? oddDouble(int64_t(bits[i])) : oddDouble(bits[i]);
  if (Type(op.count) == Type::f64)
    for (unsigned i = 0; i < lanes; ++i)
      values[i] = hasSign ? double(int64_t(bits[i])) : double(bits[i]);
  storeFloats(warp, op, mask, values);
  return Step::next;
}

static Step floatToInteger(Warp &warp, const Op &op, Mask mask) {
  double values[lanes];
  loadFloats(warp, op, values);
  Type to = Type(op.count);
  storeIntegers(warp, op, mask, [&](unsigned i) {
    return floatToBits(roundToInteger(values[i], Rounding(op.kind)), to);
  });
  return Step::next;
}

static Step floatToFloat(Warp &warp, const Op &op, Mask mask) {
  double values[lanes];
  loadFloats(warp, op, values);
  if (op.value) // .rni and its like: to whole numbers
    for (double &value : values)
      value = roundToInteger(value, Rounding(op.kind));
  storeFloats(warp, op, mask, values);
  return Step::next;
}

/// Two f32 to a pair; the first one becomes the upper half.
template <typename T>
static Step pairStep(Warp &warp, const Op &op, Mask mask) {
  const float *a = warp.from<float>(op.a), *b = warp.from<float>(op.b);
  bool clip = op.flags & clips;
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned i) {
    float high = clip && !(a[i] > 0) ? 0 : a[i];
    float low = clip && !(b[i] > 0) ? 0 : b[i];
    return uint32_t(T::of(high).bits) << 16 | T::of(low).bits;
  });
  return Step::next;
}

static Step truncatedPairStep(Warp &warp, const Op &op, Mask mask) {
  const float *a = warp.from<float>(op.a), *b = warp.from<float>(op.b);
  bool isHalf = Type(op.count) == Type::f16x2;
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned i) {
    uint32_t high =
        isHalf ? toHalf(a[i], Rounding::zero) : toBrain(a[i], Rounding::zero);
    uint32_t low =
        isHalf ? toHalf(b[i], Rounding::zero) : toBrain(b[i], Rounding::zero);
    return high << 16 | low;
  });
  return Step::next;
}

static void pair(Decoder &decoder, Op &op, Type to) {
  decoder.needOperands(3, 3);
  op.d = decoder.destination(0, 4);
  op.a = decoder.source(1, 4);
  op.b = decoder.source(2, 4);
  if (op.type != Type::f32)
    return;
  op.run = to == Type::f16x2 ? pairStep<Half> : pairStep<Brain>;
  if (Rounding(op.kind) == Rounding::zero)
    op.run = truncatedPairStep;
}

static void cvt(Decoder &decoder, Op &op) {
  int whole = decoder.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  int round = decoder.takeOneOf({"rn", "rz", "rm", "rp", "rna"});
  op.kind = std::max({whole, round, 0});
  op.value = whole >= 0;
  op.flags |= decoder.take("sat") ? saturates : 0;
  op.flags |= decoder.take("ftz") ? flushes : 0;
  op.flags |= decoder.take("relu") ? clips : 0;
  Type to = decoder.takeType();
  op.type = decoder.takeType();
  op.count = unsigned(to);
  if (to == Type::f16x2 || to == Type::bf16x2) {
    pair(decoder, op, to);
    return;
  }
  bool fromFloat = isFloat(op.type), toFloat = isFloat(to);
  if ((fromFloat || isInteger(op.type)) && (toFloat || isInteger(to)) &&
      op.type != Type::f16x2 && op.type != Type::bf16x2)
    op.run = fromFloat ? (toFloat ? floatToFloat : floatToInteger)
                       : (toFloat ? integerToFloat : integerToInteger);
  decoder.needOperands(2, 2);
  op.d = decoder.wideDestination(decoder.operand(0), bytesOf(to), op.dBytes);
  op.a = decoder.wideSource(decoder.operand(1), bytesOf(op.type), op.aBytes);
  if ((toFloat && op.dBytes != bytesOf(to)) ||
      (fromFloat && op.aBytes != bytesOf(op.type)))
    decoder.fail("floats need registers of their size");
}

void tenon::emulate::addConversions(DecodeTable &table) { table["cvt"] = cvt; }
