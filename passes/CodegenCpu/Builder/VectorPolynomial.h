//===- VectorPolynomial.h - polynomials on registers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_BUILDER_VECTORPOLYNOMIAL_H
#define TENON_PASSES_CODEGENCPU_BUILDER_VECTORPOLYNOMIAL_H

#include "passes/CodegenCpu/Builder/VectorMath.h"

namespace tenon::codegen {

/// The highest coefficient comes first. Two steps of Horner's rule at a time,
/// so that half of the steps wait for each other.
Num polynomial(Num x, llvm::ArrayRef<double> coefficients);

/// An f64 number as a rounded part and what the rounding lost.
struct Precise {
  Num high, low;
};

/// x * y, exactly while nothing overflows.
Precise exactProduct(Num x, Num y);
/// The logarithm of a positive finite f64 number to about 2^-58.
Precise preciseLog(Num x);
/// e^(high + low) in f64, rounded nearly once.
Num preciseExp(Precise x);

/// Whether a vector of f32 can look up its lanes in a table of as many entries.
bool hasTables(Num x);
/// erf of a magnitude by such tables.
Num erfFromTables(Num magnitude);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_BUILDER_VECTORPOLYNOMIAL_H
