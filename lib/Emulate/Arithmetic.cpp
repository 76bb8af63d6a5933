//===- Arithmetic.cpp - add, mul, mad, div and their like -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the arithmetic of integers. Names that floats share (add, mul,
// min...) come here first and are handed on by type.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Arithmetic.h"
#include "lib/Emulate/Lanes.h"

#include <algorithm>
#include <limits>

using namespace tenon::emulate;

namespace {

template <typename T> using Unsigned = std::make_unsigned_t<T>;
/// Wide enough not to overflow in promoted arithmetic.
template <typename T>
using Wrapping = std::conditional_t<sizeof(T) < 4, uint32_t, Unsigned<T>>;

struct Add {
  template <typename T> static T apply(T a, T b) {
    return T(Wrapping<T>(a) + Wrapping<T>(b));
  }
};
struct AddSaturating {
  template <typename T> static T apply(T a, T b) {
    return T(std::clamp<int64_t>(int64_t(a) + int64_t(b),
                                 std::numeric_limits<T>::min(),
                                 std::numeric_limits<T>::max()));
  }
};
struct Sub {
  template <typename T> static T apply(T a, T b) {
    return T(Wrapping<T>(a) - Wrapping<T>(b));
  }
};
struct SubSaturating {
  template <typename T> static T apply(T a, T b) {
    return T(std::clamp<int64_t>(int64_t(a) - int64_t(b),
                                 std::numeric_limits<T>::min(),
                                 std::numeric_limits<T>::max()));
  }
};
struct MulLow {
  template <typename T> static T apply(T a, T b) {
    return T(Wrapping<T>(a) * Wrapping<T>(b));
  }
};
struct MulHigh {
  template <typename T> static T apply(T a, T b) {
    using Wide =
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return T((Wide(a) * Wide(b)) >> (sizeof(T) * 8));
  }
};
struct MadLow {
  template <typename T> static T apply(T a, T b, T c) {
    return Add::apply(MulLow::apply(a, b), c);
  }
};
struct MadHigh {
  template <typename T> static T apply(T a, T b, T c) {
    return Add::apply(MulHigh::apply(a, b), c);
  }
};
/// What the GPU computes when it divides by zero: all ones.
struct Div {
  template <typename T> static T apply(T a, T b) {
    if (b == 0)
      return T(-1);
    if (std::is_signed_v<T> && b == T(-1))
      return T(0 - Wrapping<T>(a));
    return a / b;
  }
};
struct Rem {
  template <typename T> static T apply(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == T(-1))
      return 0;
    return a % b;
  }
};
struct Min {
  template <typename T> static T apply(T a, T b) { return b < a ? b : a; }
};
struct Max {
  template <typename T> static T apply(T a, T b) { return a < b ? b : a; }
};
struct Neg {
  template <typename T> static T apply(T a) { return T(0 - Wrapping<T>(a)); }
};
struct Abs {
  template <typename T> static T apply(T a) {
    return a < 0 ? Neg::apply(a) : a;
  }
};

/// The same for both halves of a word.
template <typename F> struct OfPair {
  template <typename T> static T apply(T a, T b) {
    return {F::apply(a.low, b.low), F::apply(a.high, b.high)};
  }
};
template <typename F>
constexpr bool hasPairs =
    std::is_same_v<F, Add> || std::is_same_v<F, Min> || std::is_same_v<F, Max>;

} // namespace

template <typename T, typename F> static Handler pairStepOf() {
  if constexpr (hasPairs<F>)
    return binaryStep<Pair<T>, OfPair<F>>;
  return nullptr;
}

template <typename F> static Handler binaryOf(Type type) {
  switch (type) {
  case Type::b16:
  case Type::u16:
    return binaryStep<uint16_t, F>;
  case Type::s16:
    return binaryStep<int16_t, F>;
  case Type::b32:
  case Type::u32:
    return binaryStep<uint32_t, F>;
  case Type::s32:
    return binaryStep<int32_t, F>;
  case Type::b64:
  case Type::u64:
    return binaryStep<uint64_t, F>;
  case Type::s64:
    return binaryStep<int64_t, F>;
  case Type::u16x2:
    return pairStepOf<uint16_t, F>();
  case Type::s16x2:
    return pairStepOf<int16_t, F>();
  default:
    return nullptr;
  }
}

template <typename F> static Handler ternaryOf(Type type) {
  switch (type) {
  case Type::u16:
    return ternaryStep<uint16_t, F>;
  case Type::s16:
    return ternaryStep<int16_t, F>;
  case Type::u32:
    return ternaryStep<uint32_t, F>;
  case Type::s32:
    return ternaryStep<int32_t, F>;
  case Type::u64:
    return ternaryStep<uint64_t, F>;
  case Type::s64:
    return ternaryStep<int64_t, F>;
  default:
    return nullptr;
  }
}

template <typename F> static Handler unaryOf(Type type) {
  switch (type) {
  case Type::s16:
    return unaryStep<int16_t, F>;
  case Type::s32:
    return unaryStep<int32_t, F>;
  case Type::s64:
    return unaryStep<int64_t, F>;
  default:
    return nullptr;
  }
}

/// d = a * b (+ c) in twice the bits.
template <typename Narrow, typename Wide, bool adds>
static Step wideStep(Warp &warp, const Op &op, Mask mask) {
  const Narrow *a = warp.from<Narrow>(op.a), *b = warp.from<Narrow>(op.b);
  const Wide *c = adds ? warp.from<Wide>(op.c) : nullptr;
  forLanes(mask, warp.at<Wide>(op.d), [=](unsigned i) {
    Wide product = Wide(a[i]) * Wide(b[i]);
    if constexpr (adds)
      product = Wide(Unsigned<Wide>(product) + Unsigned<Wide>(c[i]));
    return product;
  });
  return Step::next;
}

template <bool adds> static Handler wideOf(Type type) {
  switch (type) {
  case Type::u16:
    return wideStep<uint16_t, uint32_t, adds>;
  case Type::s16:
    return wideStep<int16_t, int32_t, adds>;
  case Type::u32:
    return wideStep<uint32_t, uint64_t, adds>;
  case Type::s32:
    return wideStep<int32_t, int64_t, adds>;
  default:
    return nullptr;
  }
}

/// Signed products of 24 bits: LLVM uses them for small indices.
template <typename T>
static Step mul24Step(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a), *b = warp.from<T>(op.b);
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned i) {
    T x = T(uint32_t(a[i]) << 8) >> 8, y = T(uint32_t(b[i]) << 8) >> 8;
    return uint32_t(int64_t(x) * int64_t(y));
  });
  return Step::next;
}

void tenon::emulate::decodeOperands(Decoder &decoder, Op &op, unsigned count,
                                    unsigned bytes) {
  decoder.needOperands(count + 1, count + 1);
  op.d = decoder.destination(0, bytes);
  Ref *sources[] = {&op.a, &op.b, &op.c};
  for (unsigned i = 0; i < count; ++i)
    *sources[i] = decoder.source(i + 1, bytes);
}

/// Decides between integers and floats.
template <typename Integer, typename Saturating>
static void addLike(Decoder &decoder, Op &op) {
  if (decodeFloat(decoder, op))
    return;
  bool isSaturating = decoder.take("sat");
  op.type = decoder.takeType();
  op.run =
      isSaturating
          ? (op.type == Type::s32 ? binaryStep<int32_t, Saturating> : nullptr)
          : binaryOf<Integer>(op.type);
  decodeOperands(decoder, op, 2, bytesOf(op.type));
}

template <typename F> static void plain(Decoder &decoder, Op &op) {
  if (decodeFloat(decoder, op))
    return;
  op.type = decoder.takeType();
  op.run = binaryOf<F>(op.type);
  decodeOperands(decoder, op, 2, bytesOf(op.type));
}

template <typename F> static void single(Decoder &decoder, Op &op) {
  if (decodeFloat(decoder, op))
    return;
  op.type = decoder.takeType();
  op.run = unaryOf<F>(op.type);
  decodeOperands(decoder, op, 1, bytesOf(op.type));
}

static void mul(Decoder &decoder, Op &op) {
  int half = decoder.takeOneOf({"lo", "hi", "wide"});
  if (half < 0 && decodeFloat(decoder, op))
    return;
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  op.run = half == 0   ? binaryOf<MulLow>(op.type)
           : half == 1 ? binaryOf<MulHigh>(op.type)
           : half == 2 ? wideOf<false>(op.type)
                       : nullptr;
  if (half != 2) {
    decodeOperands(decoder, op, 2, bytes);
    return;
  }
  decoder.needOperands(3, 3);
  op.d = decoder.destination(0, 2 * bytes);
  op.a = decoder.source(1, bytes);
  op.b = decoder.source(2, bytes);
}

static void mad(Decoder &decoder, Op &op) {
  int half = decoder.takeOneOf({"lo", "hi", "wide"});
  if (half < 0 && decodeFloat(decoder, op))
    return;
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  op.run = half == 0   ? ternaryOf<MadLow>(op.type)
           : half == 1 ? ternaryOf<MadHigh>(op.type)
           : half == 2 ? wideOf<true>(op.type)
                       : nullptr;
  if (half != 2) {
    decodeOperands(decoder, op, 3, bytes);
    return;
  }
  decoder.needOperands(4, 4);
  op.d = decoder.destination(0, 2 * bytes);
  op.a = decoder.source(1, bytes);
  op.b = decoder.source(2, bytes);
  op.c = decoder.source(3, 2 * bytes);
}

static void mul24(Decoder &decoder, Op &op) {
  decoder.take("lo");
  op.type = decoder.takeType();
  op.run = op.type == Type::u32   ? mul24Step<uint32_t>
           : op.type == Type::s32 ? mul24Step<int32_t>
                                  : nullptr;
  decodeOperands(decoder, op, 2, 4);
}

void tenon::emulate::addArithmetic(DecodeTable &table) {
  table["add"] = addLike<Add, AddSaturating>;
  table["sub"] = addLike<Sub, SubSaturating>;
  table["mul"] = mul;
  table["mad"] = mad;
  table["mul24"] = mul24;
  table["div"] = plain<Div>;
  table["rem"] = plain<Rem>;
  table["min"] = plain<Min>;
  table["max"] = plain<Max>;
  table["neg"] = single<Neg>;
  table["abs"] = single<Abs>;
}
