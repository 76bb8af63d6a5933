//===- WinogradMatrices.cpp - transforms of Winograd convolutions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Pack/WinogradMatrices.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace tenon::tile;

/// All but the last point, which is infinity.
static std::vector<double> finitePoints(int64_t points) {
  switch (points) {
  case 4:
    return {0, 1, -1};
  case 6:
    return {0, 0.625, -0.625, 1.5, -1.5};
  default:
    return {0, 0.5, -0.5, 1, -1, 1.75, -1.75};
  }
}

/// Coefficients of the product of (x - root), the constant first.
static std::vector<double> polynomial(const std::vector<double> &roots) {
  std::vector<double> coefficients = {1};
  for (double root : roots) {
    coefficients.insert(coefficients.begin(), 0);
    for (size_t i = 0; i + 1 < coefficients.size(); ++i)
      coefficients[i] -= root * coefficients[i + 1];
  }
  return coefficients;
}

/// The rows of one finite point.
static void fillPoint(WinogradMatrices &matrices,
                      const std::vector<double> &points, size_t j) {
  std::vector<double> others = points;
  others.erase(others.begin() + std::ptrdiff_t(j));
  double scale = 1;
  for (double other : others)
    scale *= points[j] - other;
  for (size_t i = 0; i < size_t(matrices.m); ++i)
    matrices.outputs[i][j] = std::pow(points[j], double(i));
  for (size_t k = 0; k < size_t(matrices.taps); ++k)
    matrices.filters[j][k] = std::pow(points[j], double(k)) / scale;
  std::vector<double> row = polynomial(others);
  std::copy(row.begin(), row.end(), matrices.inputs[j].begin());
}

/// `matrix * x` for a matrix x with that many columns.
static std::vector<double> times(const Matrix &matrix,
                                 const std::vector<double> &x, size_t columns) {
  std::vector<double> result(matrix.size() * columns, 0);
  for (size_t i = 0; i < matrix.size(); ++i)
    for (size_t k = 0; k < matrix[i].size(); ++k)
      for (size_t j = 0; j < columns; ++j)
        result[i * columns + j] += matrix[i][k] * x[k * columns + j];
  return result;
}

/// Sums of as few points as taps, by which odd and even taps fall apart: of
/// 0, of infinity, of the sums and of the differences of pairs.
static Matrix separation(const WinogradMatrices &matrices) {
  auto points = size_t(matrices.points), taps = size_t(matrices.taps);
  Matrix sums(taps, std::vector<double>(points, 0));
  sums[0][0] = 1;
  sums[1][points - 1] = 1;
  for (size_t i = 2; i < taps; ++i) {
    size_t pair = (i - 2) / 2;
    sums[i][2 * pair + 1] = 1;
    sums[i][2 * pair + 2] = i % 2 ? 1 : -1;
  }
  return sums;
}

/// Solves `left * x = right` by elimination; both are used up.
static Matrix solve(Matrix left, Matrix right) {
  size_t size = left.size();
  auto subtract = [](std::vector<double> &from, const std::vector<double> &row,
                     double factor) {
    for (size_t j = 0; j < row.size(); ++j)
      from[j] -= factor * row[j];
  };
  for (size_t column = 0; column < size; ++column) {
    size_t pivot = column;
    for (size_t i = column; i < size; ++i)
      if (std::abs(left[i][column]) > std::abs(left[pivot][column]))
        pivot = i;
    std::swap(left[column], left[pivot]);
    std::swap(right[column], right[pivot]);
    double scale = left[column][column];
    for (double &x : left[column])
      x /= scale;
    for (double &x : right[column])
      x /= scale;
    for (size_t i = 0; i < size; ++i)
      if (double factor = left[i][column]; i != column && factor != 0) {
        subtract(left[i], left[column], factor);
        subtract(right[i], right[column], factor);
      }
  }
  return right;
}

static Matrix recoveryOf(const WinogradMatrices &matrices) {
  Matrix sums = separation(matrices);
  std::vector<double> filters;
  for (const std::vector<double> &row : matrices.filters)
    filters.insert(filters.end(), row.begin(), row.end());
  auto taps = size_t(matrices.taps);
  std::vector<double> product = times(sums, filters, taps);
  Matrix left(taps);
  for (size_t i = 0; i < taps; ++i)
    left[i].assign(product.begin() + std::ptrdiff_t(i * taps),
                   product.begin() + std::ptrdiff_t((i + 1) * taps));
  return solve(std::move(left), std::move(sums));
}

bool tenon::tile::hasWinograd(int64_t m, int64_t taps) {
  return m >= 2 && m <= 6 && m % 2 == 0 && taps >= 3 && taps % 2 == 1 &&
         taps <= 9 - m;
}

WinogradMatrices tenon::tile::winogradMatrices(int64_t m, int64_t taps) {
  auto count = size_t(m + taps - 1);
  std::vector<double> points = finitePoints(int64_t(count));
  WinogradMatrices matrices;
  matrices.m = m;
  matrices.taps = taps;
  matrices.points = int64_t(count);
  matrices.inputs.assign(count, std::vector<double>(count, 0));
  matrices.filters.assign(count, std::vector<double>(size_t(taps), 0));
  matrices.outputs.assign(size_t(m), std::vector<double>(count, 0));
  for (size_t j = 0; j < points.size(); ++j)
    fillPoint(matrices, points, j);
  matrices.outputs.back().back() = 1;
  matrices.filters.back().back() = 1;
  matrices.inputs.back() = polynomial(points);
  matrices.recovery = recoveryOf(matrices);
  return matrices;
}

int64_t tenon::tile::windowSize(int64_t side, int64_t rank) {
  return rank == 1 ? side : side * side;
}

int64_t tenon::tile::windowsAlong(int64_t side, int64_t taps) {
  return (side + taps - 1) / taps;
}

/// The points of one window, row-major.
static std::vector<double> transformWindow(const Matrix &g, int64_t rank,
                                           const std::vector<double> &window) {
  if (rank == 1)
    return times(g, window, 1);
  size_t taps = g.front().size();
  std::vector<double> half = times(g, window, taps), result;
  for (size_t i = 0; i < g.size(); ++i) {
    auto row = half.begin() + std::ptrdiff_t(i * taps);
    std::vector<double> line = times(g, {row, row + std::ptrdiff_t(taps)}, 1);
    result.insert(result.end(), line.begin(), line.end());
  }
  return result;
}

void tenon::tile::transformFilter(const WinogradMatrices &matrices,
                                  int64_t rank, int64_t side,
                                  const float *filter, double *result) {
  int64_t taps = matrices.taps, along = windowsAlong(side, taps);
  // In one dimension, of one row.
  int64_t height = rank == 1 ? 1 : side, rows = rank == 1 ? 1 : taps;
  std::vector<double> window(size_t(windowSize(taps, rank)));
  for (int64_t i = 0; i < windowSize(along, rank); ++i) {
    for (int64_t tap = 0; tap < windowSize(taps, rank); ++tap) {
      int64_t y = i / along * rows + tap / taps;
      int64_t x = i % along * taps + tap % taps;
      bool exists = y < height && x < side;
      window[size_t(tap)] = exists ? double(filter[y * side + x]) : 0;
    }
    std::vector<double> points =
        transformWindow(matrices.filters, rank, window);
    result = std::copy(points.begin(), points.end(), result);
  }
}

static double squaredNorm(const std::vector<double> &row) {
  double sum = 0;
  for (double x : row)
    sum += x * x;
  return sum;
}

/// Roundings of a transformed number in proportion to it, its weight's among
/// them: what measured errors come to (decision 0007).
static double transformRoundings(int64_t rank) { return 4 + 2 * double(rank); }

double tenon::tile::winogradErrorGrowth(int64_t m, int64_t taps, int64_t rank,
                                        int64_t depth) {
  WinogradMatrices matrices = winogradMatrices(m, taps);
  double variance = 0;
  for (const std::vector<double> &output : matrices.outputs)
    for (size_t j = 0; j < output.size(); ++j)
      variance += output[j] * output[j] * squaredNorm(matrices.filters[j]) *
                  squaredNorm(matrices.inputs[j]) / double(m);
  // A dimension multiplies the variance by variance / r, and the fewer terms
  // once more by 1 / r. That of a sum is depth / 2 times that of its terms.
  double ofSums = std::pow(variance / double(taps * taps), double(rank));
  return std::sqrt(ofSums * (1 + 2 * transformRoundings(rank) / double(depth)));
}
