//===- VectorMathErf.cpp - the error function from tables -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes erf in f32 from a polynomial for each of as many intervals
// as a vector has lanes: each coefficient is a permutation of a register. That
// takes half the instructions of erf by e^x.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/VectorPolynomial.h"

#include <cmath>

using namespace mlir;
using namespace tenon::codegen;

namespace {
/// Polynomials in the distance to the centres i * step, i < intervals. All
/// centres are exact in f32.
struct Pieces {
  int64_t intervals;
  double step;
  size_t coefficients;

  double centre(int64_t i) const { return double(i) * step; }
};
} // namespace

// From 3.95 on, erf is one in f32; the last interval contains that.
static constexpr double last = 3.95;
static constexpr Pieces narrow{8, 9.0 / 16, 8}, wide{16, 17.0 / 64, 6};

/// Around 0 the constant term is exactly 0, for the sake of relative errors.
static SmallVector<double> pieceOf(const Pieces &pieces, int64_t i) {
  double half = pieces.step / 2;
  if (i > 0)
    return interpolate([&](double t) { return std::erf(pieces.centre(i) + t); },
                       -half, half, pieces.coefficients);
  SmallVector<double> terms =
      interpolate([](double t) { return std::erf(t) / t; }, 0, half,
                  pieces.coefficients - 1);
  terms.insert(terms.begin(), 0);
  return terms;
}

/// Tables of all coefficients, the constant terms first.
static SmallVector<Value> tablesOf(Num x, const Pieces &pieces) {
  SmallVector<SmallVector<float>> tables(pieces.coefficients);
  for (int64_t i = 0; i < pieces.intervals; ++i)
    for (auto [table, term] : llvm::zip_equal(tables, pieceOf(pieces, i)))
      table.push_back(float(term));
  SmallVector<Value> constants;
  for (const SmallVector<float> &table : tables)
    constants.push_back(tableOf(x, table));
  return constants;
}

Num tenon::codegen::erfFromTables(Num magnitude) {
  const Pieces &pieces = magnitude.lanes() == narrow.intervals ? narrow : wide;
  SmallVector<Value> tables = tablesOf(magnitude, pieces);
  Num a = minimum(magnitude, magnitude.of(last));
  Num magic = a.of(0x1.8p23);
  Num shifted = fma(a, a.of(1 / pieces.step), magic);
  Num t = fma(shifted - magic, a.of(-pieces.step), a);
  Value index = shifted.bits();
  Num sum = lookUp(a, tables.back(), index);
  for (Value table : llvm::reverse(ArrayRef(tables).drop_back()))
    sum = fma(sum, t, lookUp(a, table, index));
  return sum;
}
