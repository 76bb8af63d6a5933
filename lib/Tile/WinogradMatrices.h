//===- WinogradMatrices.h - transforms of minimal filtering -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the three matrices of F(m, 3), by which m outputs of a
// filter with three taps cost m + 2 products instead of 3 m, and what they do
// to rounding errors. Source: Lavin, Gray, "Fast Algorithms for Convolutional
// Neural Networks", 2016, section 4; the matrices are those of Toom and Cook.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_WINOGRADMATRICES_H
#define TENON_LIB_TILE_WINOGRADMATRICES_H

#include <cstdint>
#include <vector>

namespace tenon::tile {

/// Row-major.
using Matrix = std::vector<std::vector<double>>;

/// In one dimension `y = outputs * ((filters * g) .* (inputs * d))` for m + 2
/// inputs d and three taps g; in two dimensions each matrix is applied to the
/// columns and to the rows.
struct WinogradMatrices {
  int64_t m = 0;      ///< outputs
  int64_t points = 0; ///< products: m + 2
  Matrix inputs;      ///< points x points, B^T in the paper
  Matrix filters;     ///< points x 3, G
  Matrix outputs;     ///< m x points, A^T
};

/// m is 2, 4 or 6.
///
/// The interpolation points decide how much errors grow. F(2) has 0, 1, -1.
/// F(4) has 0, +-5/8, +-3/2, with a third of the error of the usual 0, +-1,
/// +-2; F(6) has 0, +-1/2, +-1, +-7/4. All were the best of a search over
/// multiples of 1/8; all coefficients of `inputs` and `outputs` are exact.
WinogradMatrices winogradMatrices(int64_t m);

/// `filters * g * transposed(filters)` of a window of 3 x 3 taps, computed in
/// f64: writes points x points numbers, row-major.
void transformFilter(const WinogradMatrices &matrices, const float *window,
                     double *result);

/// The error expected of F(m x m, 3 x 3) over that of direct summation, both
/// relative to the result's standard deviation, for independent inputs and
/// weights. The model: each product sums over a ninth of direct summation's
/// terms, and sums differ by the norms of the transforms' rows.
double winogradErrorGrowth(int64_t m);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_WINOGRADMATRICES_H
