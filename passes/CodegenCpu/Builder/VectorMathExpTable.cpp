//===- VectorMathExpTable.cpp - exponentials with a table -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file splits an argument into steps of ln 2 over the lanes of a vector,
// so that what is left takes a short polynomial: the power of two comes from a
// permutation of a register (P. T. P. Tang, Table-driven implementation of the
// exponential function in IEEE floating-point arithmetic, TOMS 15, 1989).
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Builder/VectorPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tenon::codegen;

static constexpr unsigned mantissaBits = 23;

/// Adding 1.5 * 2^23 steps rounds to whole ones, whose number can be read off
/// the bits.
TabledExp tenon::codegen::splitByTable(Num x) {
  Num magic = x.of(0x1.8p23 / double(x.lanes()));
  Num shifted = fma(x, x.of(std::numbers::log2e), magic);
  Num n = shifted - magic;
  // ln 2 in two parts: the difference to n times the first one is exact.
  double high = 0x1.62e4p-1, low = std::numbers::ln2 - high;
  Num r = fma(n, x.of(-low), fma(n, x.of(-high), x));
  return {n, r, shifted.bits()};
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
static Num entryOf(const TabledExp &parts,
                   llvm::function_ref<float(int64_t j)> entry) {
  SmallVector<float> entries;
  for (int64_t j = 0; j < parts.n.lanes(); ++j)
    entries.push_back(entry(j));
  return lookUp(parts.n, tableOf(parts.n, entries), parts.steps);
}

Num TabledExp::expm1Rest() const { return quotient(r) * r; }

Num TabledExp::exactRest() const {
  Num lost = entryOf(*this, [&](int64_t j) {
    double exact = exactPower(j, n.lanes());
    return float((exact - double(float(exact))) / exact);
  });
  return fma(quotient(r), r, lost);
}

Num TabledExp::fraction() const {
  return entryOf(*this,
                 [&](int64_t j) { return float(exactPower(j, n.lanes())); });
}

/// Steps that are moved up to the exponent leave those that are no whole power
/// in the mantissa; the entries lack as much.
Num TabledExp::power(float one) const {
  KernelBuilder &b = n.b();
  unsigned left = mantissaBits - llvm::Log2_64(uint64_t(n.lanes()));
  Num entry = entryOf(*this, [&](int64_t j) {
    float power = one * float(exactPower(j, n.lanes()));
    uint32_t bits = llvm::bit_cast<uint32_t>(power) - (uint32_t(j) << left);
    return llvm::bit_cast<float>(bits);
  });
  Value moved = arith::ShLIOp::create(b.builder(), b.loc(), steps,
                                      b.constantInt(steps.getType(), left));
  return n.fromBits(
      arith::AddIOp::create(b.builder(), b.loc(), entry.bits(), moved));
}
