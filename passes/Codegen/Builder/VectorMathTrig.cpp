//===- VectorMathTrig.cpp - the rarer elementary functions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds functions that are computed in f64 whatever the operand, so
// that one short identity each is accurate enough for f32 and good for f64.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/Codegen/Builder/VectorPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon::codegen;

namespace tenon::codegen {

static Num toDouble(Num x) {
  if (x.isDouble())
    return x;
  KernelBuilder &b = x.b();
  Type wide = b.vectorType(b.builder().getF64Type(), x.lanes());
  return x.with(arith::ExtFOp::create(b.builder(), b.loc(), wide, x.get()));
}

static Num fromDouble(Num wide, Num like) {
  if (like.isDouble())
    return wide;
  KernelBuilder &b = like.b();
  return like.with(
      arith::TruncFOp::create(b.builder(), b.loc(), like.type(), wide.get()));
}

static Num inDouble(Num x, llvm::function_ref<Num(Num)> f) {
  return fromDouble(f(toDouble(x)), x);
}

//===-- sin, cos, tan -----------------------------------------------------===//

// (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4 in r^2, |r| <= pi / 4.
static constexpr double sinTail[] = {1.0 / 355687428096000,
                                     -1.0 / 1307674368000,
                                     1.0 / 6227020800,
                                     -1.0 / 39916800,
                                     1.0 / 362880,
                                     -1.0 / 5040,
                                     1.0 / 120,
                                     -1.0 / 6};
static constexpr double cosTail[] = {
    1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
    1.0 / 40320,          -1.0 / 720,         1.0 / 24};

namespace {
struct SinCos {
  Num sin, cos;
};
} // namespace

/// Swaps and negates by the quadrant, read off the low bits of `quadrant`.
static SinCos turn(SinCos v, Value quadrant) {
  KernelBuilder &b = v.sin.b();
  auto bit = [&](Value x, int64_t mask) {
    Value masked = andOf(b, x, b.constantInt(x.getType(), mask));
    return arith::CmpIOp::create(b.builder(), b.loc(), arith::CmpIPredicate::ne,
                                 masked, b.constantInt(x.getType(), 0))
        .getResult();
  };
  Value odd = bit(quadrant, 1);
  Num sin = select(odd, v.cos, v.sin), cos = select(odd, v.sin, v.cos);
  Value next = arith::AddIOp::create(b.builder(), b.loc(), quadrant,
                                     b.constantInt(quadrant.getType(), 1));
  return {select(bit(quadrant, 2), -sin, sin), select(bit(next, 2), -cos, cos)};
}

static SinCos sinCos(Num x) {
  Num magic = x.of(0x1.8p52);
  Num shifted = fma(x, x.of(0.63661977236758134), magic);
  Num n = shifted - magic;
  // pi / 2 in three parts of 33 bits: n times each of the first two is exact.
  Num r = fma(n, x.of(-0x1.921fb544p0), x);
  r = fma(n, x.of(-0x1.0b4611a6p-34), r);
  r = fma(n, x.of(-0x1.3198a2e037073p-69), r);
  // Where n has lost its last bits, the result is still a small number.
  r = clamp(r, -1.0, 1.0);
  Num square = r * r;
  Num sin = fma(square * r, polynomial(square, sinTail), r);
  Num cos =
      fma(square * square, polynomial(square, cosTail), 1.0 - square * 0.5);
  return turn({sin, cos}, shifted.bits());
}

/// The sums above lose the sign of zero.
static Num keepZero(Num x, Num result) {
  return select(equal(x, x.of(0.0)), x, result);
}

Num sin(Num x) {
  return keepZero(x, inDouble(x, [](Num v) { return sinCos(v).sin; }));
}

Num cos(Num x) {
  return inDouble(x, [](Num v) { return sinCos(v).cos; });
}

Num tan(Num x) {
  return keepZero(x, inDouble(x, [](Num v) {
                    SinCos parts = sinCos(v);
                    return parts.sin / parts.cos;
                  }));
}

//===-- Inverse trigonometric ---------------------------------------------===//

static constexpr double halfPi = 1.5707963267948966;

/// The odd Taylor series for |x| <= tan(pi / 8).
static Num atanSeries(Num x) {
  SmallVector<double> tail;
  for (int k = 20; k >= 1; --k)
    tail.push_back((k % 2 ? -1.0 : 1.0) / (2 * k + 1));
  Num square = x * x;
  return fma(x * square, polynomial(square, tail), x);
}

static Num atan64(Num x) {
  Num a = abs(x);
  Value above = less(a.of(1.0), a);
  Num inner = select(above, 1.0 / a, a);
  Value middle = less(a.of(0.41421356237309503), inner);
  Num reduced = select(middle, (inner - 1.0) / (inner + 1.0), inner);
  Num angle = atanSeries(reduced);
  angle = select(middle, angle + halfPi / 2, angle);
  angle = select(above, halfPi - angle, angle);
  return copySign(angle, x);
}

Num atan(Num x) { return inDouble(x, atan64); }

Num asin(Num x) {
  return inDouble(
      x, [](Num v) { return atan64(v / sqrt((1.0 - v) * (v + 1.0))); });
}

Num acos(Num x) {
  return inDouble(
      x, [](Num v) { return atan64(sqrt((1.0 - v) / (v + 1.0))) * 2.0; });
}

//===-- Hyperbolic --------------------------------------------------------===//

/// log(1 + x) for x >= 0 or x > -1 without loss for small x.
static Num log1p(Num x) {
  Num u = x + 1.0;
  Num corrected = log(u) + (x - (u - 1.0)) / u;
  return select(less(abs(x), x.of(INFINITY)), corrected, log(u));
}

/// e^x / 2, which overflows later than e^x.
static Num halfExp(Num x) {
  Num root = exp(x * 0.5);
  return root * 0.5 * root;
}

Num sinh(Num x) {
  return inDouble(x, [](Num v) {
    Num a = abs(v);
    // e^-a - 1 = -t gives sinh without loss for small a.
    Num t = -expm1(-a);
    Num small = (t + t / (1.0 - t)) * 0.5;
    Num large = halfExp(a);
    large = large - 0.25 / large;
    return copySign(select(less(a, a.of(1.0)), small, large), v);
  });
}

Num cosh(Num x) {
  return inDouble(x, [](Num v) {
    Num half = halfExp(abs(v));
    return half + 0.25 / half;
  });
}

Num asinh(Num x) {
  return inDouble(x, [](Num v) {
    Num a = abs(v);
    Num square = a * a;
    Num small = log1p(a + square / (sqrt(square + 1.0) + 1.0));
    Num large = log(a) + 0.6931471805599453;
    return copySign(select(less(a, a.of(1e8)), small, large), v);
  });
}

Num acosh(Num x) {
  return inDouble(x, [](Num v) {
    Num t = v - 1.0;
    Num small = log1p(t + sqrt(t * (t + 2.0)));
    Num large = log(v) + 0.6931471805599453;
    Num result = select(less(v, v.of(1e8)), small, large);
    return select(less(v, v.of(1.0)), v.of(NAN), result);
  });
}

Num atanh(Num x) {
  return inDouble(x, [](Num v) {
    Num a = abs(v);
    return copySign(log1p(a * 2.0 / (1.0 - a)) * 0.5, v);
  });
}

//===-- pow ---------------------------------------------------------------===//

/// x^y for x >= 0 such that a result that has no rounding error is exact:
/// integers are truncated after this.
static Num precisePower(Num x, Num y) {
  Precise logarithm = preciseLog(x);
  Num rough = select(less(x, x.of(INFINITY)), logarithm.high, x);
  rough = select(equal(x, x.of(0.0)), x.of(-INFINITY), rough);
  Num exponent = y * rough;
  Num limited = clamp(y, -0x1p70, 0x1p70);
  Num low =
      fma(limited, logarithm.low, exactProduct(limited, logarithm.high).low);
  // Where the result overflows, the low part means nothing.
  Value sound = less(abs(exponent), x.of(740.0));
  return preciseExp({exponent, select(sound, low, x.of(0.0))});
}

static Num pow64(Num x, Num y, bool precise) {
  KernelBuilder &b = x.b();
  Num zero = x.of(0.0), one = x.of(1.0);
  Num magnitude = precise ? precisePower(abs(x), y) : exp(y * log(abs(x)));
  // |x| = 1 has no exponent that matters, not even an infinite one.
  magnitude = select(equal(abs(x), one), select(isNan(y), y, one), magnitude);
  Value integer = equal(roundEven(y), y);
  Num halved = y * 0.5;
  Value odd = andOf(b, integer, notEqual(roundEven(halved), halved));
  Num result = select(odd, copySign(magnitude, x), magnitude);
  Value finite = less(abs(x), x.of(INFINITY));
  Value undefined = andOf(b, andOf(b, less(x, zero), finite),
                          andOf(b, notOf(b, integer), notOf(b, isNan(y))));
  result = select(undefined, x.of(NAN), result);
  Value trivial = orOf(b, equal(y, zero), equal(x, one));
  return select(trivial, one, result);
}

Num pow(Num x, Num y) {
  return fromDouble(pow64(toDouble(x), toDouble(y), x.isDouble()), x);
}

} // namespace tenon::codegen
