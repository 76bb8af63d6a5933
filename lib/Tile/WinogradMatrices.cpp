//===- WinogradMatrices.cpp - transforms of minimal filtering -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/WinogradMatrices.h"

#include <algorithm>
#include <cmath>

using namespace tenon::tile;

/// All but the last point, which is infinity.
static std::vector<double> finitePoints(int64_t m) {
  switch (m) {
  case 2:
    return {0, 1, -1};
  case 4:
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
  for (size_t k = 0; k < 3; ++k)
    matrices.filters[j][k] = std::pow(points[j], double(k)) / scale;
  std::vector<double> row = polynomial(others);
  std::copy(row.begin(), row.end(), matrices.inputs[j].begin());
}

WinogradMatrices tenon::tile::winogradMatrices(int64_t m) {
  std::vector<double> points = finitePoints(m);
  size_t count = size_t(m) + 2;
  WinogradMatrices matrices;
  matrices.m = m;
  matrices.points = int64_t(count);
  matrices.inputs.assign(count, std::vector<double>(count, 0));
  matrices.filters.assign(count, std::vector<double>(3, 0));
  matrices.outputs.assign(size_t(m), std::vector<double>(count, 0));
  for (size_t j = 0; j < points.size(); ++j)
    fillPoint(matrices, points, j);
  matrices.outputs.back().back() = 1;
  matrices.filters.back().back() = 1;
  matrices.inputs.back() = polynomial(points);
  return matrices;
}

void tenon::tile::transformFilter(const WinogradMatrices &matrices,
                                  const float *window, double *result) {
  const Matrix &g = matrices.filters;
  for (const std::vector<double> &row : g) {
    double half[3];
    for (size_t j = 0; j < 3; ++j)
      half[j] = row[0] * double(window[j]) + row[1] * double(window[3 + j]) +
                row[2] * double(window[6 + j]);
    for (const std::vector<double> &column : g)
      *result++ =
          column[0] * half[0] + column[1] * half[1] + column[2] * half[2];
  }
}

static double squaredNorm(const std::vector<double> &row) {
  double sum = 0;
  for (double x : row)
    sum += x * x;
  return sum;
}

double tenon::tile::winogradErrorGrowth(int64_t m) {
  WinogradMatrices matrices = winogradMatrices(m);
  double variance = 0;
  for (const std::vector<double> &output : matrices.outputs)
    for (size_t j = 0; j < output.size(); ++j)
      variance += output[j] * output[j] * squaredNorm(matrices.filters[j]) *
                  squaredNorm(matrices.inputs[j]) / double(m);
  // One dimension's variance grows by variance / 3, two by the square of that;
  // its root and a ninth of the terms make variance / 9.
  return variance / 9;
}
