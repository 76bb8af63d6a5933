//===- WinogradMatrices.h - transforms of Winograd convolutions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the three matrices of F(m, r), by which m outputs of a
// filter with r taps cost m + r - 1 products instead of m r, and what they do
// to rounding errors. Source: Lavin, Gray, "Fast Algorithms for Convolutional
// Neural Networks", 2016, section 4; the matrices are those of Toom and Cook.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_PACK_WINOGRADMATRICES_H
#define TENON_LIB_PACK_WINOGRADMATRICES_H

#include <cstdint>
#include <vector>

namespace tenon::tile {

/// Row-major.
using Matrix = std::vector<std::vector<double>>;

/// In one dimension `y = outputs * ((filters * g) .* (inputs * d))` for as many
/// inputs d as points, and the taps g; in two dimensions each matrix is applied
/// to the columns and to the rows. Below, `rank` is the number of dimensions, 1
/// or 2.
struct WinogradMatrices {
  int64_t m = 0;      ///< outputs
  int64_t taps = 0;   ///< r
  int64_t points = 0; ///< products: m + r - 1
  Matrix inputs;      ///< points x points, B^T in the paper
  Matrix filters;     ///< points x taps, G
  Matrix outputs;     ///< m x points, A^T
  /// taps x points, by which transformed filters become what they were: `taps *
  /// filters` is the identity. A line whose odd taps, or even ones, are zeros
  /// comes back with exact zeros, as do single taps at its ends.
  Matrix recovery;
};

/// Whether there is F(m, r) here: r is 3, 5 or 7, with 4, 6 or 8 points.
bool hasWinograd(int64_t m, int64_t taps);

/// Of an F(m, r) that there is.
///
/// The interpolation points decide how much errors grow. Four are 0, 1, -1 and
/// infinity; six have 0, +-5/8, +-3/2, with a third of the error of the usual
/// 0, +-1, +-2; eight have 0, +-1/2, +-1, +-7/4. All were the best of a search
/// over multiples of 1/8; all coefficients of `inputs` and `outputs` are exact.
WinogradMatrices winogradMatrices(int64_t m, int64_t taps);

/// Elements of a line or square with that side.
int64_t windowSize(int64_t side, int64_t rank);

/// Windows of `taps` that a filter of so many taps is cut into along a side.
int64_t windowsAlong(int64_t side, int64_t taps);

/// Cuts a filter of side^rank taps, row-major, into windows, the last ones
/// padded with zeros, and computes `filters * g * transposed(filters)`, or
/// `filters * g` in one dimension, of each in f64: writes
/// windowSize(windowsAlong(side, taps), rank) times windowSize(points, rank)
/// numbers, row-major.
void transformFilter(const WinogradMatrices &matrices, int64_t rank,
                     int64_t side, const float *filter, double *result);

/// The error expected of F(m, r) in `rank` dimensions over that of direct
/// summation, both relative to the result's standard deviation, for independent
/// inputs and weights, where products sum over `depth` terms. The model: for
/// each dimension a product sums over 1 / r of direct summation's terms, and
/// sums differ by the norms of the transforms' rows. What rounds transformed
/// numbers does not grow with the sums, so that it counts for most where there
/// are few terms; it is measured without fused multiplication, where it is
/// largest.
double winogradErrorGrowth(int64_t m, int64_t taps, int64_t rank,
                           int64_t depth);

} // namespace tenon::tile

#endif // TENON_LIB_PACK_WINOGRADMATRICES_H
