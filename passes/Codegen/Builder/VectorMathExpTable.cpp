//===- VectorMathExpTable.cpp - exponentials with a table -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file splits an argument into steps of ln 2 over the lanes of a vector,
// so that what is left takes a short polynomial: the power of two comes from a
// permutation of a register (P. T. P. Tang, Table-driven implementation of the
// exponential function in IEEE floating-point arithmetic, TOMS 15, 1989).
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/VectorPolynomial.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tenon::codegen;

static constexpr unsigned mantissaBits = 23;

TabledExp tenon::codegen::splitByTable(Num x) {
  return {splitExp(x, x.lanes())};
}

/// (e^r - 1) / r for r of half a step, the constant term, which is 1, last.
static Num quotient(Num r) {
  double half = std::numbers::ln2 / 2 / double(r.lanes());
  SmallVector<double> terms =
      interpolate([](double t) { return t == 0 ? 1 : std::expm1(t) / t; },
                  -half, half, r.lanes() == 16 ? 3 : 4);
  Num sum = r.of(terms.back());
  for (double term : llvm::reverse(ArrayRef(terms).drop_back()))
    sum = fma(sum, r, r.of(term));
  return sum;
}

static double exactPower(int64_t j, int64_t steps) {
  return std::exp2(double(j) / double(steps));
}

/// The number that a table has for each step.
static Num entryOf(const ExpParts &parts,
                   llvm::function_ref<float(int64_t j)> entry) {
  SmallVector<float> entries;
  for (int64_t j = 0; j < parts.n.lanes(); ++j)
    entries.push_back(entry(j));
  return lookUp(parts.n, tableOf(parts.n, entries), parts.shifted.bits());
}

Num TabledExp::expm1Rest() const { return quotient(parts.r) * parts.r; }

Num TabledExp::exactRest() const {
  Num lost = entryOf(parts, [&](int64_t j) {
    double exact = exactPower(j, parts.n.lanes());
    return float((exact - double(float(exact))) / exact);
  });
  return fma(quotient(parts.r), parts.r, lost);
}

Num TabledExp::fraction() const {
  return entryOf(
      parts, [&](int64_t j) { return float(exactPower(j, parts.n.lanes())); });
}

/// Entries lack what their step adds to the mantissa.
Num TabledExp::power(float one) const {
  int64_t steps = parts.n.lanes();
  unsigned left = mantissaBits - llvm::Log2_64(uint64_t(steps));
  Num entry = entryOf(parts, [&](int64_t j) {
    float power = one * float(exactPower(j, steps));
    uint32_t bits = llvm::bit_cast<uint32_t>(power) - (uint32_t(j) << left);
    return llvm::bit_cast<float>(bits);
  });
  return powerOfTwo(parts.shifted, entry, steps);
}
