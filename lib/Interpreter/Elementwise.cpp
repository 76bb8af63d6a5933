//===- Elementwise.cpp - one element in, one out --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what the element-wise operations of the graph dialect compute.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Map.h"
#include "lib/Interpreter/SmallElements.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/SmallTypes.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

//===-- Numbers -----------------------------------------------------------===//
// Integers wrap: they are added, subtracted and multiplied as their bits.

template <typename W> static constexpr bool kReal = std::is_same_v<W, double>;

template <typename W> static W add(W a, W b) {
  if constexpr (kReal<W>)
    return a + b;
  else
    return static_cast<W>(uint64_t(a) + uint64_t(b));
}

template <typename W> static W subtract(W a, W b) {
  if constexpr (kReal<W>)
    return a - b;
  else
    return static_cast<W>(uint64_t(a) - uint64_t(b));
}

template <typename W> static W multiply(W a, W b) {
  if constexpr (kReal<W>)
    return a * b;
  else
    return static_cast<W>(uint64_t(a) * uint64_t(b));
}

/// Integers truncate toward zero; x / 0 is 0.
template <typename W> static W divide(W a, W b) {
  if constexpr (kReal<W>)
    return a / b;
  else if (b == 0)
    return 0;
  else if (std::is_signed_v<W> && b == static_cast<W>(-1))
    return subtract<W>(0, a); // the smallest number has no negative: it wraps
  else
    return a / b;
}

/// What is left after truncating division, of a's sign; 0 for integers by 0.
template <typename W> static W truncatedRest(W a, W b) {
  if constexpr (kReal<W>)
    return std::fmod(a, b);
  else if (b == 0 || (std::is_signed_v<W> && b == static_cast<W>(-1)))
    return 0;
  else
    return a % b;
}

/// What is left after flooring division, of b's sign.
template <typename W> static W modulo(W a, W b) {
  W rest = truncatedRest(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? add(rest, b) : rest;
}

template <typename W> static bool isNan(W a) { return a != a; }

template <typename W> static W larger(W a, W b) {
  return isNan(a) || a > b ? a : b;
}

template <typename W> static W smaller(W a, W b) {
  return isNan(a) || a < b ? a : b;
}

template <typename W> static W absolute(W a) {
  if constexpr (kReal<W>)
    return std::fabs(a);
  else
    return a < 0 ? subtract<W>(0, a) : a;
}

template <typename W> static W signOf(W a) {
  if (isNan(a))
    return a;
  return static_cast<W>((a > 0) - (a < 0));
}

/// Integer power by squaring; a negative exponent gives the truncated inverse.
static int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == -1)
      return exponent % 2 ? -1 : 1;
    return base == 1;
  }
  int64_t result = 1;
  for (; exponent > 0; exponent >>= 1, base = multiply(base, base))
    if (exponent & 1)
      result = multiply(result, base);
  return result;
}

static double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

//===-- Operations with more to say -----------------------------------------//

static LogicalResult real(Call &call, double (*f)(double)) {
  return mapUnary<double, double>(call, f);
}

static LogicalResult isInf(Call &call) {
  auto op = cast<graph::IsInfOp>(call.op);
  bool negative = op.getDetectNegative(), positive = op.getDetectPositive();
  return mapUnary<double, uint64_t>(call, [=](double x) -> uint64_t {
    return std::isinf(x) && (x < 0 ? negative : positive);
  });
}

/// Of integers all bits, of i1 the truth value.
static LogicalResult logicalNot(Call &call) {
  bool isBool = call.result().getElementType().isInteger(1);
  return mapUnary<uint64_t, uint64_t>(
      call, [=](uint64_t x) { return isBool ? !x : ~x; });
}

/// Computed in reals when base or exponent is real.
static LogicalResult pow(Call &call) {
  if (isReal(call.operands[0].getElementType()) ||
      isReal(call.operands[1].getElementType()))
    return mapBinary<double, double>(
        call, [](double a, double b) { return std::pow(a, b); });
  return mapBinary<int64_t, int64_t>(call, power);
}

static LogicalResult mod(Call &call) {
  if (cast<graph::ModOp>(call.op).getFmod())
    return mapNumbers(call, [](auto a, auto b) { return truncatedRest(a, b); });
  return mapNumbers(call, [](auto a, auto b) { return modulo(a, b); });
}

static LogicalResult bits(Call &call, uint64_t (*f)(uint64_t, uint64_t)) {
  return mapBinary<uint64_t, uint64_t>(call, f);
}

template <typename F> static LogicalResult compare(Call &call, F f) {
  return withNumbersOf(call.operands[0].getElementType(), [&](auto kind) {
    using W = decltype(kind);
    return mapBinary<W, uint64_t>(
        call, [f](W a, W b) -> uint64_t { return f(a, b); });
  });
}

/// Numbers of either branch pass through unchanged.
template <typename W> static LogicalResult selectNumbers(Call &call) {
  Tensor &result = call.result();
  SmallVector<Strides> strides;
  for (const Tensor &operand : call.operands)
    strides.push_back(broadcastStrides(operand.getShape(), result.getRank()));
  std::array<uint64_t, kMaxRun> condition;
  std::array<W, kMaxRun> yes, no;
  forEachRun(result.getShape(), strides, [&](const Run &run) {
    size_t size = run.size;
    load<uint64_t>(call.operands[0], run.offsets[0], run.strides[0],
                   {condition.data(), size});
    load<W>(call.operands[1], run.offsets[1], run.strides[1],
            {yes.data(), size});
    load<W>(call.operands[2], run.offsets[2], run.strides[2],
            {no.data(), size});
    for (size_t i = 0; i < size; ++i)
      yes[i] = condition[i] ? yes[i] : no[i];
    store<W>(result, run.first, {yes.data(), size});
  });
  return success();
}

/// Runs `f` with the result seen as bytes, for elements of one byte.
template <typename F> static LogicalResult intoBytes(Call &call, F f) {
  RankedTensorType type = call.result().getType();
  auto byte = IntegerType::get(type.getContext(), 8, IntegerType::Unsigned);
  call.result() =
      call.result().withType(RankedTensorType::get(type.getShape(), byte));
  LogicalResult result = f();
  call.result() = call.result().withType(type);
  return result;
}

/// Bits pass unchanged, those of a NaN too.
static LogicalResult selectBytes(Call &call) {
  SmallVector<Tensor> operands(call.operands);
  auto byte = IntegerType::get(call.op->getContext(), 8, IntegerType::Unsigned);
  for (Tensor &operand : MutableArrayRef(operands).drop_front())
    operand = operand.withType(RankedTensorType::get(operand.getShape(), byte));
  ArrayRef<Tensor> given = std::exchange(call.operands, operands);
  LogicalResult result =
      intoBytes(call, [&] { return selectNumbers<uint64_t>(call); });
  call.operands = given;
  return result;
}

static LogicalResult select(Call &call) {
  Type element = call.result().getElementType();
  if (graph::isSmall(element))
    return selectBytes(call);
  return withNumbersOf(call.result().getElementType(), [&](auto kind) {
    return selectNumbers<decltype(kind)>(call);
  });
}

static LogicalResult castElements(Call &call) {
  auto op = cast<graph::CastOp>(call.op);
  auto small = dyn_cast<FloatType>(call.result().getElementType());
  if (!small || !graph::isSmall(small))
    return mapNumber(call, [](auto x) { return x; });
  Narrowing narrowing{op.getSaturate(), op.getRoundMode()};
  return withNumbersOf(call.operands[0].getElementType(), [&](auto kind) {
    using W = decltype(kind);
    return intoBytes(call, [&] {
      return mapUnary<W, uint64_t>(call, [&](W x) -> uint64_t {
        // Powers of two come from f32; a second rounding would show.
        if (isa<Float8E8M0FNUType>(small))
          return encodeFloat(small, static_cast<float>(x), narrowing);
        return encodeFloat(small, static_cast<double>(x), narrowing);
      });
    });
  });
}

//===-- The table -----------------------------------------------------------//

static const Entry kEntries[] = {
    {"graph.abs",
     [](Call &c) { return mapNumber(c, [](auto x) { return absolute(x); }); }},
    {"graph.neg",
     [](Call &c) {
       return mapNumber(c, [](auto x) -> decltype(x) {
         if constexpr (kReal<decltype(x)>)
           return -x;
         else
           return subtract<decltype(x)>(0, x);
       });
     }},
    {"graph.sign",
     [](Call &c) { return mapNumber(c, [](auto x) { return signOf(x); }); }},
    {"graph.relu",
     [](Call &c) {
       return mapNumber(c, [](auto x) { return x < 0 ? decltype(x)(0) : x; });
     }},
    {"graph.exp", [](Call &c) { return real(c, std::exp); }},
    {"graph.log", [](Call &c) { return real(c, std::log); }},
    {"graph.sqrt", [](Call &c) { return real(c, std::sqrt); }},
    {"graph.rsqrt",
     [](Call &c) {
       return real(c, [](double x) { return 1.0 / std::sqrt(x); });
     }},
    {"graph.reciprocal",
     [](Call &c) { return real(c, [](double x) { return 1.0 / x; }); }},
    {"graph.ceil", [](Call &c) { return real(c, std::ceil); }},
    {"graph.floor", [](Call &c) { return real(c, std::floor); }},
    {"graph.round", [](Call &c) { return real(c, std::nearbyint); }},
    {"graph.sin", [](Call &c) { return real(c, std::sin); }},
    {"graph.cos", [](Call &c) { return real(c, std::cos); }},
    {"graph.tan", [](Call &c) { return real(c, std::tan); }},
    {"graph.asin", [](Call &c) { return real(c, std::asin); }},
    {"graph.acos", [](Call &c) { return real(c, std::acos); }},
    {"graph.atan", [](Call &c) { return real(c, std::atan); }},
    {"graph.sinh", [](Call &c) { return real(c, std::sinh); }},
    {"graph.cosh", [](Call &c) { return real(c, std::cosh); }},
    {"graph.asinh", [](Call &c) { return real(c, std::asinh); }},
    {"graph.acosh", [](Call &c) { return real(c, std::acosh); }},
    {"graph.atanh", [](Call &c) { return real(c, std::atanh); }},
    {"graph.tanh", [](Call &c) { return real(c, std::tanh); }},
    {"graph.erf", [](Call &c) { return real(c, std::erf); }},
    {"graph.sigmoid", [](Call &c) { return real(c, sigmoid); }},
    {"graph.not", logicalNot},
    {"graph.is_nan",
     [](Call &c) {
       return mapUnary<double, uint64_t>(
           c, [](double x) -> uint64_t { return std::isnan(x); });
     }},
    {"graph.is_inf", isInf},
    {"graph.add",
     [](Call &c) {
       return mapNumbers(c, [](auto a, auto b) { return add(a, b); });
     }},
    {"graph.sub",
     [](Call &c) {
       return mapNumbers(c, [](auto a, auto b) { return subtract(a, b); });
     }},
    {"graph.mul",
     [](Call &c) {
       return mapNumbers(c, [](auto a, auto b) { return multiply(a, b); });
     }},
    {"graph.div",
     [](Call &c) {
       return mapNumbers(c, [](auto a, auto b) { return divide(a, b); });
     }},
    {"graph.max",
     [](Call &c) {
       return mapNumbers(c, [](auto a, auto b) { return larger(a, b); });
     }},
    {"graph.min",
     [](Call &c) {
       return mapNumbers(c, [](auto a, auto b) { return smaller(a, b); });
     }},
    {"graph.pow", pow},
    {"graph.mod", mod},
    {"graph.and",
     [](Call &c) {
       return bits(c, [](uint64_t a, uint64_t b) { return a & b; });
     }},
    {"graph.or",
     [](Call &c) {
       return bits(c, [](uint64_t a, uint64_t b) { return a | b; });
     }},
    {"graph.xor",
     [](Call &c) {
       return bits(c, [](uint64_t a, uint64_t b) { return a ^ b; });
     }},
    {"graph.shift_left",
     [](Call &c) {
       return bits(c,
                   [](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; });
     }},
    {"graph.shift_right",
     [](Call &c) {
       return bits(c,
                   [](uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; });
     }},
    {"graph.equal",
     [](Call &c) { return compare(c, [](auto a, auto b) { return a == b; }); }},
    {"graph.less",
     [](Call &c) { return compare(c, [](auto a, auto b) { return a < b; }); }},
    {"graph.less_equal",
     [](Call &c) { return compare(c, [](auto a, auto b) { return a <= b; }); }},
    {"graph.greater",
     [](Call &c) { return compare(c, [](auto a, auto b) { return a > b; }); }},
    {"graph.greater_equal",
     [](Call &c) { return compare(c, [](auto a, auto b) { return a >= b; }); }},
    {"graph.select", select},
    {"graph.cast", castElements},
};

ArrayRef<Entry> tenon::interp::elementwiseEntries() { return kEntries; }
