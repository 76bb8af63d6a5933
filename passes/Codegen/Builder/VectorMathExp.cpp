//===- VectorMathExp.cpp - exponentials and what follows from them --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the functions that networks use, in f32 with minimax
// polynomials (highest degree first) and in f64 with longer ones.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/Codegen/Builder/VectorPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon::codegen;

namespace tenon::codegen {

Num polynomial(Num x, ArrayRef<double> coefficients) {
  Num sum = x.of(coefficients.front());
  ArrayRef<double> pairs = coefficients.drop_front().drop_back();
  if (pairs.size() % 2 == 1) {
    sum = fma(sum, x, x.of(pairs.front()));
    pairs = pairs.drop_front();
  }
  Num square = x * x;
  for (; !pairs.empty(); pairs = pairs.drop_front(2))
    sum = fma(sum, square, fma(x.of(pairs[0]), x, x.of(pairs[1])));
  return fma(sum, x, x.of(coefficients.back()));
}

//===-- exp ---------------------------------------------------------------===//

static constexpr double log2e = 1.4426950408889634;
static constexpr double ln2 = 0.6931471805599453;

// (e^r - 1 - r) / r^2 on |r| <= ln2 / 2.
static constexpr double expTail32[] = {
    0.0013814339717174087, 0.0083688511969111334, 0.041668400765883855,
    0.16666519523233839, 0.49999993374218011};
static constexpr double expTail64[] = {
    1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
    1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
    1.0 / 120,        1.0 / 24,        1.0 / 6,        0.5};

/// Adding 1.5 * 2^mantissa rounds to an integer that can be read off the bits,
/// without a conversion; a part of that, to as large a step.
ExpParts splitExp(Num x, int64_t steps) {
  bool wide = x.isDouble();
  Num magic = x.of((wide ? 0x1.8p52 : 0x1.8p23) / double(steps));
  Num shifted = fma(x, x.of(log2e), magic);
  Num n = shifted - magic;
  // ln 2 in two parts: n times the first one is exact.
  double high = wide ? 0x1.62e42fefap-1 : 0x1.62e4p-1;
  double low = wide ? 0x1.cf79abc9e3b3ap-40 : ln2 - 0x1.62e4p-1;
  Num r = fma(n, x.of(-low), fma(n, x.of(-high), x));
  return {shifted, n, r};
}

/// Horner's scheme has the fewest instructions, which is what counts where
/// several chains take turns. Where products are rounded, too, it errs more.
Num ExpParts::expRest() const {
  if (r.isDouble() || !r.b().target().fma)
    return expm1Rest() + 1.0;
  Num sum = r.of(expTail32[0]), one = r.of(1.0);
  for (double coefficient : ArrayRef(expTail32).drop_front())
    sum = fma(sum, r, r.of(coefficient));
  return fma(fma(sum, r, one), r, one);
}

Num ExpParts::expm1Rest() const {
  Num tail = r.isDouble() ? polynomial(r, expTail64) : polynomial(r, expTail32);
  return fma(r * r, tail, r);
}

static Value shift(KernelBuilder &b, Value x, int64_t left) {
  Value amount = b.constantInt(x.getType(), left < 0 ? -left : left);
  if (left < 0)
    return arith::ShRSIOp::create(b.builder(), b.loc(), x, amount);
  return arith::ShLIOp::create(b.builder(), b.loc(), x, amount);
}

static Value addBits(KernelBuilder &b, Value x, Value y) {
  return arith::AddIOp::create(b.builder(), b.loc(), x, y);
}

Num powerOfTwo(Num shifted, Num one, int64_t steps) {
  KernelBuilder &b = one.b();
  int64_t left = (one.isDouble() ? 52 : 23) - llvm::Log2_64(uint64_t(steps));
  Value n = shift(b, shifted.bits(), left);
  return one.fromBits(addBits(b, n, one.bits()));
}

/// Whether the sign bit is set. Selecting by it takes no comparison on x86.
static Value isNegative(Num x) {
  KernelBuilder &b = x.b();
  Value bits = x.bits();
  return arith::CmpIOp::create(b.builder(), b.loc(), arith::CmpIPredicate::slt,
                               bits, b.constantInt(bits.getType(), 0));
}

static int64_t bitsOf(Num x) { return x.lanes() * (x.isDouble() ? 64 : 32); }

/// Whether one instruction scales by a power of two.
static bool hasScale(Num x) {
  return x.b().target().avx512 && bitsOf(x) >= 128 && bitsOf(x) <= 512;
}

/// x * 2^n by that instruction.
static Num scaleNative(Num x, Num n) {
  KernelBuilder &b = x.b();
  OpBuilder &builder = b.builder();
  std::string name = "llvm.x86.avx512.mask.scalef." +
                     std::string(x.isDouble() ? "pd." : "ps.") +
                     std::to_string(bitsOf(x));
  int64_t maskBits = std::max<int64_t>(8, x.lanes());
  Value all = b.constantInt(builder.getIntegerType(maskBits), -1);
  Values operands = {x.get(), n.get(), x.get(), all};
  if (bitsOf(x) == 512) // rounded as the control register says
    operands.push_back(LLVM::ConstantOp::create(
        builder, b.loc(), builder.getI32Type(), builder.getI32IntegerAttr(4)));
  auto call = LLVM::CallIntrinsicOp::create(
      builder, b.loc(), x.type(), builder.getStringAttr(name), operands);
  return x.with(call.getResult(0));
}

/// x * 2^n for any n of a finite result, in two steps that are powers of two:
/// one less than the largest n is normal, too.
static Num scale(Num x, const ExpParts &parts) {
  if (hasScale(x))
    return scaleNative(x, parts.n);
  Value down = isNegative(parts.n);
  Num one = select(down, x.of(0x1p64), x.of(0.5));
  Num rest = select(down, x.of(0x1p-64), x.of(2.0));
  return x * powerOfTwo(parts.shifted, one) * rest;
}

/// e^x for a limited x, where one instruction scales.
static Num expNative(Num x) {
  if (!hasTables(x)) {
    ExpParts parts = splitExp(x);
    return scaleNative(parts.expRest(), parts.n);
  }
  TabledExp tabled = splitByTable(x);
  Num fraction = tabled.fraction();
  return scaleNative(fma(fraction, tabled.exactRest(), fraction),
                     tabled.parts.n);
}

/// e^x for a limited x where it is a normal number.
static Num expNormal(Num x) {
  TabledExp tabled = splitByTable(x);
  Num power = tabled.power(1);
  return fma(power, tabled.expm1Rest(), power);
}

/// 0 below the limit: a lane that is switched off costs no microcode for a
/// result that is no normal number.
static Num zeroBelow(Num x, double limit, Num power) {
  return select(less(x, x.of(limit)), x.of(0.0), power);
}

Num exp(Num x) {
  bool wide = x.isDouble();
  double high = wide ? 710.0 : 89.0;
  if (hasScale(x)) {
    Num limited = minimum(x, x.of(high));
    return zeroBelow(limited, wide ? -746.0 : -104.0, expNative(limited));
  }
  // There, the first of the two powers is a zero that costs no microcode.
  ExpParts parts = splitExp(clamp(x, wide ? -753.5 : -132.4, high));
  return scale(parts.expRest(), parts);
}

Num expOfNegative(Num x) {
  bool wide = x.isDouble();
  if (hasScale(x))
    return zeroBelow(x, wide ? -708.396 : -87.3365,
                     hasTables(x) ? expNormal(x) : expNative(x));
  // There, the power is zero.
  ExpParts parts = splitExp(maximum(x, x.of(wide ? -709.1 : -88.0)));
  return parts.expRest() * powerOfTwo(parts.shifted, x.of(1.0));
}

/// e^x - 1 for x <= 0 that is far above the limits of the power.
static Num expm1Limited(Num x) {
  ExpParts parts = splitExp(x);
  Num power = powerOfTwo(parts.shifted, x.of(1.0));
  return fma(power, parts.expm1Rest(), power - 1.0);
}

Num expm1(Num x) {
  // Below the limit the result is -1 to the last bit.
  return expm1Limited(maximum(x, x.of(x.isDouble() ? -50.0 : -25.0)));
}

//===-- log ---------------------------------------------------------------===//

// (log(1 + f) - f + f^2 / 2) / f^3 for 1 + f in [sqrt(1/2), sqrt(2)].
static constexpr double logTail32[] = {
    0.06747242238443866,  -0.11675913060550287, 0.11888040027270382,
    -0.12405538368374314, 0.14219561438721643,  -0.16667998919686437,
    0.20002118370787101,  -0.25000009543737653, 0.33333312606991774};
// 2 atanh(s) / s - 2 in s^2, without its factor s^2.
static constexpr double logTail64[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17,
                                       2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9,
                                       2.0 / 7,  2.0 / 5,  2.0 / 3};

/// The logarithm of 1 + f plus e ln 2.
static Num logOf(Num f, Num e) {
  if (!f.isDouble()) {
    Num square = f * f;
    Num tail = fma(square * f, polynomial(f, logTail32), square * -0.5);
    Num low = fma(e, f.of(ln2 - 0x1.62e4p-1), tail);
    return fma(e, f.of(0x1.62e4p-1), f + low);
  }
  // log(1 + f) = 2 atanh(s), written as f - s (f - s^2 ...) to keep f exact.
  Num s = f / (f + 2.0);
  Num square = s * s;
  Num half = f * f * 0.5;
  Num tail = s * (half + square * polynomial(square, logTail64));
  Num low = fma(e, f.of(0x1.cf79abc9e3b3ap-40), tail);
  return fma(e, f.of(0x1.62e42fefap-1), f - (half - low));
}

namespace {
/// x = 2^e (1 + f).
struct LogParts {
  Num f, e;
};
} // namespace

static LogParts splitLog(Num x) {
  KernelBuilder &b = x.b();
  bool wide = x.isDouble();
  Num smallest = x.of(wide ? 0x1p-1022 : 0x1p-126);
  Value subnormal = less(x, smallest);
  Num scaled = select(subnormal, x * (wide ? 0x1p54 : 0x1p25), x);
  // The exponent counts from sqrt(1/2), so that the mantissa is around 1.
  Value bits = scaled.bits();
  Value base = x.of(wide ? 0x1.6a09e667f3bcdp-1 : 0x1.6a09e6p-1).bits();
  int64_t mantissaBits = wide ? 52 : 23;
  Value above = arith::SubIOp::create(b.builder(), b.loc(), bits, base);
  Value exponent = shift(b, above, -mantissaBits);
  Value mantissa = arith::SubIOp::create(b.builder(), b.loc(), bits,
                                         shift(b, exponent, mantissaBits));
  Num magic = x.of(wide ? 0x1.8p52 : 0x1.8p23);
  Num e = x.fromBits(addBits(b, exponent, magic.bits())) - magic;
  e = select(subnormal, e - (wide ? 54.0 : 25.0), e);
  return {x.fromBits(mantissa) - 1.0, e};
}

Num log(Num x) {
  LogParts parts = splitLog(x);
  Num result = logOf(parts.f, parts.e);
  Num infinity = x.of(INFINITY);
  result = select(less(x, infinity), result, x); // infinity and NaN stay
  result = select(less(x, x.of(0.0)), x.of(NAN), result);
  return select(equal(x, x.of(0.0)), -infinity, result);
}

//===-- Two numbers for one -----------------------------------------------===//

/// The upper half of a number's bits, so that products of halves are exact.
static Num upperHalf(Num x) {
  Num spread = x * 134217729.0; // 2^27 + 1
  return spread - (spread - x);
}

Precise exactProduct(Num x, Num y) {
  Num product = x * y;
  if (x.b().target().fma)
    return {product, fma(x, y, -product)};
  Num a = upperHalf(x), c = upperHalf(y);
  Num b = x - a, d = y - c;
  return {product, ((a * c - product) + a * d + b * c) + b * d};
}

/// high + low for |high| >= |low|, or high = 0.
static Precise renormalise(Num high, Num low) {
  Num sum = high + low;
  return {sum, low - (sum - high)};
}

Precise preciseLog(Num x) {
  LogParts parts = splitLog(x);
  // log(1 + f) = 2 atanh(f / d).
  Precise d = renormalise(x.of(2.0), parts.f);
  Num s = parts.f / d.high;
  Precise product = exactProduct(s, d.high);
  Num rest = parts.f - product.high - product.low - s * d.low;
  Num square = s * s;
  Num tail = s * square * polynomial(square, logTail64);
  Precise lead = renormalise(parts.e * 0x1.62e42fefap-1, s * 2.0);
  Num low = fma(parts.e, x.of(0x1.cf79abc9e3b3ap-40),
                fma(rest / d.high, x.of(2.0), tail));
  return renormalise(lead.high, lead.low + low);
}

Num preciseExp(Precise x) {
  Num limited = clamp(x.high, -746.0, 710.0);
  Num magic = limited.of(0x1.8p52);
  Num shifted = fma(limited, limited.of(log2e), magic);
  Num n = shifted - magic;
  Num high = fma(n, n.of(-0x1.62e42fefap-1), limited);
  Precise r = renormalise(high, fma(n, n.of(-0x1.cf79abc9e3b3ap-40), x.low));
  Num tail = polynomial(r.high, expTail64);
  Num curved = fma(r.high * r.high, tail, fma(r.low, r.high, r.low));
  Precise m = renormalise(r.high.of(1.0), r.high);
  return scale(m.high + (m.low + curved), {shifted, n, r.high});
}

//===-- tanh, sigmoid, erf ------------------------------------------------===//

Num tanh(Num x) {
  Num t = expm1(abs(x) * -2.0);
  return copySign(-t / (t + 2.0), x);
}

/// s / (s + s e^-x): with s = 1 the power would overflow before the quotient is
/// zero. Where e^-x is at its least the result is 1 to the last bit.
Num sigmoid(Num x) {
  bool wide = x.isDouble();
  double small = wide ? 0x1p-60 : 0x1p-24;
  Num s = x.of(small);
  Num negative = clamp(-x, wide ? -40.0 : -20.0, wide ? 746.0 : 104.0);
  auto quotient = [&](Num power, Num expm1Rest) {
    return s / fma(power, expm1Rest, power + s);
  };
  if (hasTables(x)) {
    TabledExp tabled = splitByTable(negative);
    return quotient(tabled.power(float(small)), tabled.exactRest());
  }
  ExpParts parts = splitExp(negative);
  return quotient(powerOfTwo(parts.shifted, s), parts.expm1Rest());
}

// log(erfc(a)) / a on [0, 3.95].
static constexpr double erfLog32[] = {
    9.2626424856244402e-6,  -0.00011770104122243028, 0.0006330618193580429,
    -0.0016674654541865959, 0.00016086948750984328,  0.019152780682580051,
    -0.10277774253768599,   -0.63661939411262051,    -1.1283791711080345};
// erf(a) / a in a^2 on [0, 1].
static constexpr double erfSmall64[] = {
    5.9452395962971869e-11, -1.1365651822813835e-9,  1.4657875873345629e-8,
    -1.6350024579040201e-7, 1.6460972750428167e-6,   -1.4925593502307645e-5,
    0.00012055331036687666, -0.00085483269787356978, 0.005223977624780739,
    -0.02686617064507288,   0.11283791670954857,     -0.37612638903183748,
    1.1283791670955126};
// e^(a^2) erfc(a) in (a - 3) / (a + 3) on [1, 6.1].
static constexpr double erfLarge64[] = {
    3.2767965694506156e-8,  2.3590553029172822e-8,  -2.291995304874062e-7,
    -2.9126911297090702e-7, 1.251526989725179e-6,   2.1194297122750835e-6,
    -7.9780322015458532e-6, -1.2860431015821821e-5, 6.4056548203423152e-5,
    4.5255294255938401e-5,  -0.0005970619481156962, 0.00070774643907325146,
    0.0042691363328229013,  -0.024392499318674616,  0.071665837197978511,
    -0.15011593650077719,   0.24560380171233088,    -0.32623356004303723,
    0.17900115118138995};

static Num erf64(Num a) {
  Num small = a * polynomial(a * a, erfSmall64);
  Num limited = minimum(a, a.of(6.1));
  Num t = (limited - 3.0) / (limited + 3.0);
  Num large = 1.0 - exp(-(limited * limited)) * polynomial(t, erfLarge64);
  return select(less(a, a.of(1.0)), small, large);
}

Num erf(Num x) {
  Num a = abs(x);
  if (x.isDouble())
    return copySign(erf64(a), x);
  if (hasTables(x))
    return copySign(erfFromTables(a), x);
  a = minimum(a, a.of(3.95));
  return copySign(-expm1Limited(a * polynomial(a, erfLog32)), x);
}

} // namespace tenon::codegen
