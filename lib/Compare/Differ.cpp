//===- Differ.cpp - how two tensors differ --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compare/Differ.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tenon;
using namespace tenon::compare;

static constexpr double infinity = std::numeric_limits<double>::infinity();

double Difference::relative() const {
  if (isOther)
    return infinity;
  if (largest == 0)
    return 0;
  return scale == 0 ? largest : largest / scale;
}

/// Bits behind the leading one; 0: integers.
static int fractionBits(tenon_dtype type) {
  if (type.code == TENON_BFLOAT)
    return 7;
  if (type.code != TENON_FLOAT && type.code != TENON_COMPLEX)
    return 0;
  int bits = type.code == TENON_COMPLEX ? type.bits / 2 : type.bits;
  return bits == 64 ? 52 : bits == 32 ? 23 : bits == 16 ? 10 : 2;
}

double tenon::compare::toleranceOf(tenon_dtype type) {
  // What long sums in another order take, from experience.
  switch (fractionBits(type)) {
  case 52:
    return 1e-12;
  case 23:
    return 2e-5;
  case 0:
    return 0;
  default:
    return std::ldexp(4, -fractionBits(type));
  }
}

/// The unit of the last place of `value`.
static double unitOf(double value, tenon_dtype type) {
  int fraction = fractionBits(type);
  if (!fraction)
    return 1;
  if (value == 0 || !std::isfinite(value))
    return std::ldexp(1, -fraction);
  return std::ldexp(1, std::ilogb(value) - fraction);
}

static double errorOf(double got, double expected) {
  if (std::isnan(got) && std::isnan(expected))
    return 0;
  if (got == expected)
    return 0;
  double error = std::abs(got - expected);
  return std::isnan(error) ? infinity : error;
}

static size_t bucketOf(double ulp, size_t count) {
  if (ulp == 0)
    return 0;
  double above = ulp <= 1 ? 1 : 1 + std::ceil(std::log2(ulp));
  return size_t(std::min(above, double(count - 1)));
}

static void add(Difference &difference, double error, double unit) {
  difference.largest = std::max(difference.largest, error);
  difference.ulp = std::max(difference.ulp, error / unit);
  auto &histogram = difference.histogram;
  ++histogram[bucketOf(error / unit, histogram.size())];
}

/// Elements that at() rounds, or of which it tells a part: of two that look
/// equal only the bytes say whether they are.
static bool hidesInDouble(tenon_dtype type) {
  bool isInteger = type.code == TENON_INT || type.code == TENON_UINT;
  return (isInteger && type.bits == 64) || type.code == TENON_COMPLEX;
}

static bool areSameBytes(const run::Tensor &a, const run::Tensor &b,
                         int64_t i) {
  size_t bytes = a.spec.type.bits / 8;
  return !std::memcmp(a.data() + bytes * i, b.data() + bytes * i, bytes);
}

Difference tenon::compare::differ(const run::Tensor &got,
                                  const run::Tensor &expected) {
  Difference difference;
  difference.elements = expected.elements;
  difference.isOther = got.spec.shape != expected.spec.shape ||
                       !run::sameType(got.spec.type, expected.spec.type);
  if (difference.isOther)
    return difference;
  for (int64_t i = 0; i < expected.elements; ++i) {
    if (expected.isOfStrings()) {
      add(difference, got.strings[i] != expected.strings[i], 1);
      continue;
    }
    double value = expected.at(i);
    if (std::isfinite(value))
      difference.scale = std::max(difference.scale, std::abs(value));
    double error = errorOf(got.at(i), value);
    if (error == 0 && hidesInDouble(expected.spec.type) &&
        !areSameBytes(got, expected, i))
      error = 1;
    add(difference, error, unitOf(value, expected.spec.type));
  }
  return difference;
}
