//===- Floats.cpp - arithmetic of floats ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the arithmetic of f32, f64, f16 and bf16, alone and in pairs.
// 16-bit operations are done in f32 and rounded, which is exact for them.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Arithmetic.h"
#include "lib/Emulate/Lanes.h"

#include <algorithm>
#include <limits>

using namespace tenon::emulate;

namespace {

enum Flag : uint8_t { flushes = 1, saturates = 2, clips = 4 };

struct FAdd {
  template <typename T> static T apply(T a, T b) { return a + b; }
};
struct FSub {
  template <typename T> static T apply(T a, T b) { return a - b; }
};
struct FMul {
  template <typename T> static T apply(T a, T b) { return a * b; }
};
struct FDiv {
  template <typename T> static T apply(T a, T b) { return a / b; }
};
template <typename T> T withBitsOf(T a, T b, bool either) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  Bits x = std::bit_cast<Bits>(a), y = std::bit_cast<Bits>(b);
  return std::bit_cast<T>(either ? Bits(x | y) : Bits(x & y));
}
/// A NaN loses against a number; -0 is less than 0.
struct FMin {
  template <typename T> static T apply(T a, T b) {
    T least = a < b || b != b ? a : b;
    return a == b ? withBitsOf(a, b, true) : least;
  }
};
struct FMax {
  template <typename T> static T apply(T a, T b) {
    T most = a > b || b != b ? a : b;
    return a == b ? withBitsOf(a, b, false) : most;
  }
};
struct FMinNaN {
  template <typename T> static T apply(T a, T b) {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN()
                            : FMin::apply(a, b);
  }
};
struct FMaxNaN {
  template <typename T> static T apply(T a, T b) {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN()
                            : FMax::apply(a, b);
  }
};
struct Fma {
  template <typename T> static T apply(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct FNeg {
  template <typename T> static T apply(T a) { return -a; }
};
struct FAbs {
  template <typename T> static T apply(T a) { return std::fabs(a); }
};
struct CopySign {
  template <typename T> static T apply(T a, T b) { return std::copysign(b, a); }
};
struct Exp2 {
  template <typename T> static T apply(T a) { return std::exp2(a); }
};
struct Log2 {
  template <typename T> static T apply(T a) { return std::log2(a); }
};
struct Sin {
  template <typename T> static T apply(T a) { return std::sin(a); }
};
struct Cos {
  template <typename T> static T apply(T a) { return std::cos(a); }
};
struct Tanh {
  template <typename T> static T apply(T a) { return std::tanh(a); }
};
struct Reciprocal {
  template <typename T> static T apply(T a) { return T(1) / a; }
};
struct Root {
  template <typename T> static T apply(T a) { return std::sqrt(a); }
};
struct ReciprocalRoot {
  template <typename T> static T apply(T a) {
    return T(1 / std::sqrt(double(a)));
  }
};

/// What 16-bit types are computed in: fused products need more than f32.
template <typename F>
using Work16 = std::conditional_t<std::is_same_v<F, Fma>, double, float>;

/// F on any representation.
template <typename F> struct On {
  template <typename T, typename... Rest> static T apply(T a, Rest... rest) {
    if constexpr (std::is_floating_point_v<T>)
      return F::template apply<T>(a, rest...);
    else
      return narrow(a, rest...);
  }
  template <typename T, typename... Rest> static T narrow(T a, Rest... rest) {
    using W = Work16<F>;
    return T::of(float(F::template apply<W>(W(a.value()), W(rest.value())...)));
  }
  template <typename T, typename... Rest>
  static Pair<T> narrow(Pair<T> a, Rest... rest) {
    return {narrow(a.low, rest.low...), narrow(a.high, rest.high...)};
  }
};

template <typename T> T flushed(T x) {
  if constexpr (std::is_same_v<T, float>)
    return std::fabs(x) < std::numeric_limits<float>::min()
               ? std::copysign(0.0f, x)
               : x;
  return x;
}

/// F between what flags ask for.
template <typename T, typename F, unsigned count>
Step modifiedStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  const T *b = count > 1 ? warp.from<T>(op.b) : a;
  const T *c = count > 2 ? warp.from<T>(op.c) : a;
  bool flush = op.flags & flushes, clamp = op.flags & saturates,
       clip = op.flags & clips;
  forLanes(mask, warp.at<T>(op.d), [=](unsigned i) {
    T x = flush ? flushed(a[i]) : a[i], y = flush ? flushed(b[i]) : b[i],
      z = flush ? flushed(c[i]) : c[i];
    T result;
    if constexpr (count == 1)
      result = F::template apply<T>(x);
    else if constexpr (count == 2)
      result = F::template apply<T>(x, y);
    else
      result = F::template apply<T>(x, y, z);
    if (clamp)
      result = result > T(0) ? std::min(result, T(1)) : T(0);
    if (clip)
      result = result > T(0) ? result : T(0);
    return flush ? flushed(result) : result;
  });
  return Step::next;
}

template <typename T, typename F, unsigned count> Handler plainOf() {
  if constexpr (count == 1)
    return unaryStep<T, On<F>>;
  else if constexpr (count == 2)
    return binaryStep<T, On<F>>;
  else
    return ternaryStep<T, On<F>>;
}

template <typename F, unsigned count>
Handler floatOf(Type type, uint8_t flags) {
  switch (type) {
  case Type::f32:
    return flags ? modifiedStep<float, F, count> : plainOf<float, F, count>();
  case Type::f64:
    return flags & ~flushes ? nullptr : plainOf<double, F, count>();
  case Type::f16:
    return flags & ~flushes ? nullptr : plainOf<Half, F, count>();
  case Type::bf16:
    return flags & ~flushes ? nullptr : plainOf<Brain, F, count>();
  case Type::f16x2:
    return flags & ~flushes ? nullptr : plainOf<Pair<Half>, F, count>();
  case Type::bf16x2:
    return flags & ~flushes ? nullptr : plainOf<Pair<Brain>, F, count>();
  default:
    return nullptr;
  }
}

} // namespace

#if defined(__x86_64__)
/// With the instruction of newer processors; std::fma is a call otherwise.
__attribute__((target("avx2,fma"))) static Step
fastFmaStep(Warp &warp, const Op &op, Mask mask) {
  const float *a = warp.from<float>(op.a), *b = warp.from<float>(op.b),
              *c = warp.from<float>(op.c);
  float *d = warp.at<float>(op.d);
  if (mask == allLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned i = 0; i < lanes; ++i)
      d[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return Step::next;
  }
  for (unsigned i = 0; i < lanes; ++i)
    if (mask >> i & 1)
      d[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return Step::next;
}
static bool hasFma() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static constexpr Handler fastFmaStep = nullptr;
static bool hasFma() { return false; }
#endif

template <typename F, unsigned count>
static void decodeAs(Decoder &decoder, Op &op) {
  op.flags |= decoder.take("ftz") ? flushes : 0;
  op.flags |= decoder.take("sat") ? saturates : 0;
  decoder.takeOneOf({"approx", "full", "rn"});
  op.type = decoder.takeType();
  op.run = floatOf<F, count>(op.type, op.flags);
  decodeOperands(decoder, op, count, bytesOf(op.type));
}

static void fma(Decoder &decoder, Op &op) {
  op.flags |= decoder.take("relu") ? clips : 0;
  decodeAs<Fma, 3>(decoder, op);
  if (op.type == Type::f32 && op.flags == 0 && hasFma())
    op.run = fastFmaStep;
}

template <typename Number, typename NaN>
static void least(Decoder &decoder, Op &op) {
  if (decoder.take("NaN"))
    decodeAs<NaN, 2>(decoder, op);
  else
    decodeAs<Number, 2>(decoder, op);
}

bool tenon::emulate::decodeFloat(Decoder &decoder, Op &op) {
  if (!isFloat(typeNamed(decoder.statement.opcode.back())))
    return false;
  static const std::pair<std::string_view, DecodeFunction> rows[] = {
      {"add", decodeAs<FAdd, 2>},
      {"sub", decodeAs<FSub, 2>},
      {"mul", decodeAs<FMul, 2>},
      {"div", decodeAs<FDiv, 2>},
      {"mad", fma},
      {"neg", decodeAs<FNeg, 1>},
      {"abs", decodeAs<FAbs, 1>},
      {"min", least<FMin, FMinNaN>},
      {"max", least<FMax, FMaxNaN>},
  };
  for (const auto &[name, function] : rows)
    if (decoder.statement.opcode[0] == name)
      function(decoder, op);
  return true;
}

/// testp: which of the kinds of numbers; op.kind counts as its names do.
template <typename T>
static Step testStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  setBits(mask, warp.predicate(op.d), [&](unsigned i) {
    switch (op.kind) {
    case 0:
      return bool(std::isfinite(a[i]));
    case 1:
      return bool(std::isinf(a[i]));
    case 2:
      return !std::isnan(a[i]);
    case 3:
      return bool(std::isnan(a[i]));
    case 4:
      return bool(std::isnormal(a[i]));
    default:
      return std::fpclassify(a[i]) == FP_SUBNORMAL;
    }
  });
  return Step::next;
}

static void testp(Decoder &decoder, Op &op) {
  int kind = decoder.takeOneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  op.kind = kind;
  op.type = decoder.takeType();
  if (kind >= 0 && op.type == Type::f32)
    op.run = testStep<float>;
  if (kind >= 0 && op.type == Type::f64)
    op.run = testStep<double>;
  decoder.needOperands(2, 2);
  op.d = decoder.predicate(decoder.operand(0));
  op.a = decoder.source(1, bytesOf(op.type));
}

void tenon::emulate::addFloats(DecodeTable &table) {
  table["fma"] = fma;
  table["copysign"] = decodeAs<CopySign, 2>;
  table["ex2"] = decodeAs<Exp2, 1>;
  table["lg2"] = decodeAs<Log2, 1>;
  table["sin"] = decodeAs<Sin, 1>;
  table["cos"] = decodeAs<Cos, 1>;
  table["tanh"] = decodeAs<Tanh, 1>;
  table["rcp"] = decodeAs<Reciprocal, 1>;
  table["sqrt"] = decodeAs<Root, 1>;
  table["rsqrt"] = decodeAs<ReciprocalRoot, 1>;
  table["testp"] = testp;
}
