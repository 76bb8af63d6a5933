//===- VectorMath.h - elementary functions on registers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares elementary functions made of a few dozen instructions on
// native vectors (or scalars), and the small expression type they are written
// in. No function calls a library.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BUILDER_VECTORMATH_H
#define TENON_PASSES_CODEGEN_BUILDER_VECTORMATH_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// An f32 or f64 register value with arithmetic operators, so that formulas
/// read as formulas: `Num y = 1.0 / (1.0 + exp(-x))`.
class Num {
public:
  Num(KernelBuilder &b, Value value) : builder(&b), value(value) {}

  KernelBuilder &b() const { return *builder; }
  Value get() const { return value; }
  Type type() const { return value.getType(); }
  bool isDouble() const;
  int64_t lanes() const;
  /// A constant of the same type.
  Num of(double constant) const;
  /// The integer type of the same width and lanes.
  Type bitsType() const;
  Value bits() const;
  Num fromBits(Value bits) const;
  Num with(Value v) const { return Num(*builder, v); }

private:
  KernelBuilder *builder;
  Value value;
};

Num operator+(Num x, Num y);
Num operator-(Num x, Num y);
Num operator*(Num x, Num y);
Num operator/(Num x, Num y);
Num operator-(Num x);
inline Num operator+(Num x, double y) { return x + x.of(y); }
inline Num operator-(Num x, double y) { return x - x.of(y); }
inline Num operator*(Num x, double y) { return x * x.of(y); }
inline Num operator/(Num x, double y) { return x / x.of(y); }
inline Num operator-(double x, Num y) { return y.of(x) - y; }
inline Num operator/(double x, Num y) { return y.of(x) / y; }

/// Comparisons give i1 lanes and are false on NaN (`notEqual` is true).
Value less(Num x, Num y);
Value lessEqual(Num x, Num y);
Value equal(Num x, Num y);
Value notEqual(Num x, Num y);
Value isNan(Num x);
Value andOf(KernelBuilder &b, Value x, Value y);
Value orOf(KernelBuilder &b, Value x, Value y);
Value notOf(KernelBuilder &b, Value x);
Num select(Value condition, Num x, Num y);

Num fma(Num x, Num y, Num z);
Num abs(Num x);
Num copySign(Num magnitude, Num sign);
Num sqrt(Num x);
Num floor(Num x);
Num ceil(Num x);
Num trunc(Num x);
Num roundEven(Num x);
/// The larger and the smaller; NaN wins. One instruction when `y` is a
/// constant.
Num maximum(Num x, Num y);
Num minimum(Num x, Num y);
/// Limits x to [low, high]; NaN stays.
Num clamp(Num x, double low, double high);

/// The largest error in f32 in units in the last place. Subnormal numbers,
/// zeros with their signs, infinities and NaN come out right. The bounds are
/// those of test/accuracy/Functions.cpp, which tests hold the code to; the
/// README there says what was measured over all arguments. f64 is good to
/// about 1e-14 relative, erf to 1e-13.
Num exp(Num x);     ///< 1.05
Num expm1(Num x);   ///< for x <= 0 only; measured through tanh and erf
Num log(Num x);     ///< 0.85
Num tanh(Num x);    ///< 2.55
Num erf(Num x);     ///< 3.2
Num sigmoid(Num x); ///< 2.55

/// exp for x <= 0 where what would be subnormal may be 0, as in a softmax.
Num expOfNegative(Num x);

/// Computed in f64 for both types: at most 0.51 in f32, pow 1 in f64. The
/// trigonometric functions reduce the argument with a three-part pi/2, which
/// is exact enough for |x| <= 2^50 (2^20 on targets without fused
/// multiplication); beyond that they give some finite number.
Num pow(Num x, Num y);
Num sin(Num x);
Num cos(Num x);
Num tan(Num x);
Num asin(Num x);
Num acos(Num x);
Num atan(Num x);
Num sinh(Num x);
Num cosh(Num x);
Num asinh(Num x);
Num acosh(Num x);
Num atanh(Num x);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_VECTORMATH_H
