//===- Fourier.cpp - discrete Fourier transforms of rows ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds transforms. Complex rows lie in two planes, so that real and
// imaginary parts of many elements fill vectors, and all that moves is the
// transposition of matrices.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Signal/Fourier.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <complex>

using namespace tenon;
using namespace tenon::normalize;

using Complex = std::complex<double>;

static ArrayRef<int64_t> shapeOf(Value value) {
  return mlir::cast<RankedTensorType>(value.getType()).getShape();
}

/// e^(2 pi i k / length) for all k.
static std::vector<Complex> rootsOf(int64_t length) {
  std::vector<Complex> roots(length);
  for (int64_t k = 0; k < length; ++k)
    roots[k] = std::polar(1.0, 2 * M_PI * double(k) / double(length));
  return roots;
}

Value Fourier::matrix(int64_t planes, int64_t length, int64_t count,
                      bool pairsIn, bool pairsOut, double scale) {
  std::vector<Complex> roots = rootsOf(length);
  std::vector<double> table(planes * length * 2 * count);
  for (int64_t j = 0; j < length; ++j)
    for (int64_t k = 0; k < count; ++k) {
      Complex root = scale * roots[j * k % length];
      double sine = double(sign) * root.imag();
      // What each part of element j adds to each part of element k.
      const double shares[2][2] = {{root.real(), sine}, {-sine, root.real()}};
      for (int64_t in = 0; in < planes; ++in)
        for (int64_t out = 0; out < 2; ++out) {
          int64_t row = pairsOut ? k * 2 + out : out * count + k;
          int64_t column = pairsIn ? j * planes + in : in * length + j;
          table[row * planes * length + column] = shares[in][out];
        }
    }
  return numbers(ctx, table, {2 * count, planes * length}, element);
}

Value Fourier::direct(Value rows, int64_t planes, int64_t length, int64_t count,
                      bool pairsIn, bool pairsOut, double scale) {
  int64_t m = shapeOf(rows).front();
  Value product = ctx.create<graph::MatmulOp>(
      ctx.reshape(rows, {m, planes * length}),
      matrix(planes, length, count, pairsIn, pairsOut, scale), false, true);
  return pairsOut ? ctx.reshape(product, {m, count, 2})
                  : ctx.reshape(product, {m, 2, count});
}

/// Multiplies `[..., 2 (or 1), n]` by complex numbers, given as `[..., n]` of
/// `shape` with a 1 in the place of the planes.
Value Fourier::multiply(Value rows, ArrayRef<double> real,
                        ArrayRef<double> imaginary, ArrayRef<int64_t> shape) {
  if (!rows)
    return {};
  int64_t inner = shape.back(), outer = int64_t(real.size()) / inner;
  ArrayRef<int64_t> all = shapeOf(rows);
  bool isReal = all[all.size() - 2] == 1;
  // Of each row for both planes: what stays, and what comes from the other.
  std::vector<double> stays, comes;
  for (int64_t i = 0; i < outer; ++i) {
    ArrayRef<double> re = real.slice(i * inner, inner);
    ArrayRef<double> im = imaginary.slice(i * inner, inner);
    llvm::append_range(stays, re);
    if (isReal) {
      llvm::append_range(stays, im);
      continue;
    }
    llvm::append_range(comes, llvm::map_range(im, std::negate<double>()));
    llvm::append_range(comes, im);
  }
  SmallVector<int64_t> both(shape);
  both[both.size() - 2] = 2;
  if (isReal)
    return ctx.create<graph::MulOp>(rows, numbers(ctx, stays, both, element));
  SmallVector<int64_t> starts(all.size(), 0), steps(all.size(), 1);
  starts[all.size() - 2] = 1;
  steps[all.size() - 2] = -1;
  Value swapped = ctx.create<graph::SliceOp>(rows, starts, all, steps);
  return ctx.create<graph::AddOp>(
      ctx.create<graph::MulOp>(rows, numbers(ctx, stays, shape, element)),
      ctx.create<graph::MulOp>(swapped, numbers(ctx, comes, both, element)));
}

/// Multiplies by scale * e^(i * angle).
Value Fourier::turn(Value rows, ArrayRef<double> angles,
                    ArrayRef<int64_t> shape, double scale) {
  std::vector<double> real, imaginary;
  for (double angle : angles) {
    real.push_back(scale * std::cos(angle));
    imaginary.push_back(scale * std::sin(angle));
  }
  return multiply(rows, real, imaginary, shape);
}

/// With j = j1 * columns + j2 and k = k2 * a + k1, where a * columns is the
/// length: e^(jk) is e^(j1 k1 / a) e^(j2 k1 / length) e^(j2 k2 / columns).
Value Fourier::split(Value rows, const TransformPlan &plan, int64_t count,
                     bool pairs, double scale) {
  ArrayRef<int64_t> shape = shapeOf(rows);
  int64_t m = shape[0], planes = shape[1], length = shape[2];
  int64_t columns = plan.columns, a = length / columns;
  int64_t wanted = llvm::divideCeil(count, a);
  // Along the columns: the matrix stands on the left.
  Value turned = ctx.create<graph::MatmulOp>(
      matrix(planes, a, a, false, true),
      ctx.reshape(rows, {m, planes * a, columns}), false, false);
  SmallVector<double> angles;
  for (int64_t k1 = 0; k1 < a; ++k1)
    for (int64_t j2 = 0; j2 < columns; ++j2)
      angles.push_back(2 * M_PI * double(sign * k1 * j2) / double(length));
  turned =
      turn(ctx.reshape(turned, {m, a, 2, columns}), angles, {a, 1, columns});
  Value done = transform(ctx.reshape(turned, {m * a, 2, columns}), wanted,
                         /*pairs=*/false, scale);
  if (pairs) {
    done = ctx.transpose(ctx.reshape(done, {m, a * 2, wanted}), {0, 2, 1});
    return resizeWithZeros(ctx, ctx.reshape(done, {m, wanted * a, 2}), 1,
                           count);
  }
  done = ctx.transpose(ctx.reshape(done, {m, a, 2 * wanted}), {0, 2, 1});
  return resizeWithZeros(ctx, ctx.reshape(done, {m, 2, wanted * a}), 2, count);
}

/// The transform of a power of two, for tables.
static void transformInPlace(std::vector<Complex> &values) {
  size_t n = values.size(), half = n / 2;
  if (n == 1)
    return;
  std::vector<Complex> even(half), odd(half);
  for (size_t i = 0; i < half; ++i) {
    even[i] = values[2 * i];
    odd[i] = values[2 * i + 1];
  }
  transformInPlace(even);
  transformInPlace(odd);
  for (size_t k = 0; k < half; ++k) {
    Complex turned =
        std::polar(1.0, -2 * M_PI * double(k) / double(n)) * odd[k];
    values[k] = even[k] + turned;
    values[k + half] = even[k] - turned;
  }
}

/// jk is (j^2 + k^2 - (k - j)^2) / 2, so that the sum over j is a convolution.
Value Fourier::chirp(Value rows, const TransformPlan &plan, int64_t count,
                     bool pairs, double scale) {
  int64_t m = shapeOf(rows)[0], length = shapeOf(rows)[2];
  int64_t padded = plan.padded;
  SmallVector<double> angles;
  for (int64_t j = 0; j < std::max(length, count); ++j)
    angles.push_back(double(sign) * M_PI * double(j * j % (2 * length)) /
                     double(length));
  std::vector<Complex> filter(padded);
  for (int64_t j = 0; j < length; ++j) {
    Complex value = std::polar(1.0, -angles[j]);
    filter[(padded - j) % padded] = value;
    if (j < count)
      filter[j] = value;
  }
  transformInPlace(filter);
  std::vector<double> real, imaginary;
  for (Complex value : filter) {
    real.push_back(value.real());
    imaginary.push_back(value.imag());
  }
  Value value = turn(rows, ArrayRef(angles).take_front(length), {1, length});
  value = resizeWithZeros(ctx, value, 2, padded);
  value = Fourier(ctx, element, false).transform(value, padded, false);
  value = multiply(value, real, imaginary, {1, padded});
  value = value ? Fourier(ctx, element, true)
                      .transform(value, count, false, 1.0 / double(padded))
                : Value();
  value = turn(value, ArrayRef(angles).take_front(count), {1, count}, scale);
  if (!pairs || !value)
    return value;
  return ctx.reshape(ctx.transpose(value, {0, 2, 1}), {m, count, 2});
}

Value Fourier::transform(Value rows, int64_t count, bool pairs, double scale) {
  if (!rows)
    return {};
  ArrayRef<int64_t> shape = shapeOf(rows);
  TransformPlan plan = planTransform(shape[1], shape[2], count);
  switch (plan.kind) {
  case TransformPlan::Direct:
    return direct(rows, shape[1], shape[2], count, false, pairs, scale);
  case TransformPlan::Split:
    return split(rows, plan, count, pairs, scale);
  case TransformPlan::Chirp:
    return chirp(rows, plan, count, pairs, scale);
  }
  llvm_unreachable("unknown kind of plan");
}

Value Fourier::transformPairs(Value rows, int64_t count, double scale) {
  if (!rows)
    return {};
  ArrayRef<int64_t> shape = shapeOf(rows);
  int64_t m = shape[0], length = shape[1], planes = shape[2];
  if (planTransform(planes, length, count).kind == TransformPlan::Direct)
    return direct(rows, planes, length, count, true, true, scale);
  return inBlocks(
      ctx, m, rowBytes(length), 0, [&](int64_t first, int64_t size) {
        Value block = ctx.slice(rows, 0, first, size);
        Value apart = planes == 1 ? ctx.reshape(block, {size, 1, length})
                                  : ctx.transpose(block, {0, 2, 1});
        return transform(apart, count, true, scale);
      });
}
