//===- Fourier.h - discrete Fourier transforms of rows ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how transforms become matrix products. A short row is
// multiplied by the matrix of its length. A row of n = a * b is a matrix of a
// by b, whose columns are transformed, turned and transformed along rows
// (Cooley and Tukey), which takes n * (a + b) steps. What has no small divisor
// is a convolution with a chirp (Bluestein), by transforms of a power of two.
// Errors are those of sums of up to 1,024 terms, whatever the length: in single
// precision below 1.5e-6 of the largest number (test/run/check_spectra.py).
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_SIGNAL_FOURIER_H
#define TENON_PASSES_NORMALIZE_SIGNAL_FOURIER_H

#include "passes/Normalize/Signal/Signal.h"

namespace tenon::normalize {

/// Longer transforms are refused: their tables take 12 bytes for each element.
inline constexpr int64_t kMaxTransform = int64_t(1) << 20;

/// How a transform is done.
struct TransformPlan {
  enum Kind { Direct, Split, Chirp } kind;
  int64_t columns = 0; ///< of Split: the length of the inner transforms
  int64_t padded = 0;  ///< of Chirp: the length of the convolution
  double cost = 0;     ///< multiply-adds for each row
};

/// Chooses for rows of `length` elements of 1 or 2 `planes` (real, complex), of
/// whose transform the first `count` elements are wanted.
TransformPlan planTransform(int64_t planes, int64_t length, int64_t count);

/// Transforms rows of f32 or f64, of which there may be an open number. Tables
/// are computed in double.
///
///   Fourier fourier(ctx, f32, /*inverse=*/false);
///   Value spectra = fourier.transform(rows, 257, /*pairs=*/true);
class Fourier {
public:
  /// `inverse` is the sign of the exponent; there is no factor.
  Fourier(NormalizeContext &ctx, mlir::Type element, bool inverse)
      : ctx(ctx), element(element), sign(inverse ? 1 : -1) {}

  /// Rows `[m, planes, length]` to the first `count` elements of each spectrum,
  /// times `scale`: `[m, 2, count]`, or `[m, count, 2]` with `pairs`.
  Value transform(Value rows, int64_t count, bool pairs, double scale = 1);
  /// The same for rows of pairs, `[m, length, 1 or 2]`.
  Value transformPairs(Value rows, int64_t count, double scale = 1);
  /// The same where the run knows the length: by one matrix, which it computes.
  Value transformOpen(Value rows, mlir::Attribute length,
                      mlir::Attribute count);
  /// What a row of such length keeps in caches, in and out.
  int64_t rowBytes(int64_t length) const {
    return 4 * length * element.getIntOrFloatBitWidth() / 8;
  }
  /// The matrix of a transform, one row for each number of the result: `[2 *
  /// count, planes * length]`, each by planes or by pairs.
  Value matrix(int64_t planes, int64_t length, int64_t count, bool pairsIn,
               bool pairsOut, double scale = 1);

private:
  Value shaped(Value rows, mlir::Attribute first, ArrayRef<int64_t> others);
  Value openMatrix(int64_t planes, mlir::Attribute length,
                   mlir::Attribute count);
  Value direct(Value rows, int64_t planes, int64_t length, int64_t count,
               bool pairsIn, bool pairsOut, double scale);
  Value split(Value rows, const TransformPlan &plan, int64_t count, bool pairs,
              double scale);
  Value chirp(Value rows, const TransformPlan &plan, int64_t count, bool pairs,
              double scale);
  Value turn(Value rows, ArrayRef<double> angles, ArrayRef<int64_t> shape,
             double scale = 1);
  Value multiply(Value rows, ArrayRef<double> real, ArrayRef<double> imaginary,
                 ArrayRef<int64_t> shape);

  NormalizeContext &ctx;
  mlir::Type element;
  int64_t sign;
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_SIGNAL_FOURIER_H
