//===- VectorPolynomial.h - polynomials on registers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_BUILDER_VECTORPOLYNOMIAL_H
#define TENON_PASSES_CODEGEN_BUILDER_VECTORPOLYNOMIAL_H

#include "passes/Codegen/Builder/VectorMath.h"

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

/// The polynomial that meets f at the Chebyshev nodes of [low, high], its
/// constant term first.
llvm::SmallVector<double> interpolate(llvm::function_ref<double(double)> f,
                                      double low, double high, size_t count);

/// Whether a vector of f32 can look up its lanes in a table of as many entries.
bool hasTables(Num x);
/// Such a table, in a register.
Value tableOf(Num x, llvm::ArrayRef<float> entries);
/// The entry of each lane's index, of which the low bits count.
Num lookUp(Num x, Value table, Value index);

/// erf of a magnitude by such tables.
Num erfFromTables(Num magnitude);

/// e^x = 2^n e^r; `shifted` holds n in the low bits of its mantissa, counted in
/// steps.
struct ExpParts {
  Num shifted, n, r;

  Num expRest() const;   ///< e^r
  Num expm1Rest() const; ///< e^r - 1, as exact around zero as it is elsewhere
};
/// Splits a limited x; n is a multiple of 1 / steps, a power of two.
ExpParts splitExp(Num x, int64_t steps = 1);
/// `one` * 2^n for whole n; both `one`, a power of two, and the result are
/// normal. Of an n in steps, what is no whole power goes to the mantissa.
Num powerOfTwo(Num shifted, Num one, int64_t steps = 1);

/// e^x = 2^n e^r in f32, n in steps of one over the lanes, by a table of the
/// powers of two between 1 and 2.
struct TabledExp {
  ExpParts parts;

  /// 2^(n - floor(n)), rounded.
  Num fraction() const;
  /// `one` * 2^n, rounded; both `one`, a power of two, and the result are
  /// normal.
  Num power(float one) const;
  /// e^r - 1, and that with what rounding took from the power of two.
  Num expm1Rest() const;
  Num exactRest() const;
};
TabledExp splitByTable(Num x); ///< a limited x

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_VECTORPOLYNOMIAL_H
