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

/// How many rows there are.
static mlir::Attribute rowsOf(Value value) { return dimsOf(value).front(); }

Value Fourier::shaped(Value rows, mlir::Attribute first,
                      ArrayRef<int64_t> others) {
  Dims dims{first};
  for (int64_t size : others)
    dims.push_back(sizeDim(first.getContext(), size));
  return ctx.reshapeTo(rows, typeFromDims(dims, element));
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
  mlir::Attribute m = rowsOf(rows);
  Value product = ctx.create<graph::MatmulOp>(
      shaped(rows, m, planes * length),
      matrix(planes, length, count, pairsIn, pairsOut, scale), false, true);
  return pairsOut ? shaped(product, m, {count, 2})
                  : shaped(product, m, {2, count});
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
  mlir::Attribute m = rowsOf(rows), many;
  int64_t planes = shape[1], length = shape[2];
  int64_t columns = plan.columns, a = length / columns;
  many = graph::affineDim(m, a, 0);
  int64_t wanted = llvm::divideCeil(count, a);
  // Along the columns: the matrix stands on the left.
  Value turned = ctx.create<graph::MatmulOp>(
      matrix(planes, a, a, false, true), shaped(rows, m, {planes * a, columns}),
      false, false);
  SmallVector<double> angles;
  for (int64_t k1 = 0; k1 < a; ++k1)
    for (int64_t j2 = 0; j2 < columns; ++j2)
      angles.push_back(2 * M_PI * double(sign * k1 * j2) / double(length));
  turned = turn(shaped(turned, m, {a, 2, columns}), angles, {a, 1, columns});
  Value done = transform(shaped(turned, many, {2, columns}), wanted,
                         /*pairs=*/false, scale);
  mlir::Attribute size = sizeDim(m.getContext(), count);
  if (pairs) {
    done = ctx.transpose(shaped(done, m, {a * 2, wanted}), {0, 2, 1});
    return resizeWithZeros(ctx, shaped(done, m, {wanted * a, 2}), 1, size);
  }
  done = ctx.transpose(shaped(done, m, {a, 2 * wanted}), {0, 2, 1});
  return resizeWithZeros(ctx, shaped(done, m, {2, wanted * a}), 2, size);
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
  mlir::Attribute m = rowsOf(rows);
  int64_t length = shapeOf(rows)[2];
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
  value = resizeWithZeros(ctx, value, 2, sizeDim(m.getContext(), padded));
  value = Fourier(ctx, element, false).transform(value, padded, false);
  value = multiply(value, real, imaginary, {1, padded});
  value = value ? Fourier(ctx, element, true)
                      .transform(value, count, false, 1.0 / double(padded))
                : Value();
  value = turn(value, ArrayRef(angles).take_front(count), {1, count}, scale);
  if (!pairs || !value)
    return value;
  return shaped(ctx.transpose(value, {0, 2, 1}), m, {count, 2});
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
  int64_t length = shape[1], planes = shape[2];
  if (planTransform(planes, length, count).kind == TransformPlan::Direct)
    return direct(rows, planes, length, count, true, true, scale);
  auto some = [&](mlir::Attribute first, mlir::Attribute size) {
    Value block = ctx.slice(rows, 0, first, size);
    Value apart = planes == 1 ? shaped(block, size, {1, length})
                              : ctx.transpose(block, {0, 2, 1});
    return transform(apart, count, true, scale);
  };
  return inBlocks(ctx, rowsOf(rows), rowBytes(length), 0, some);
}

/// The same matrix as matrix() makes for pairs. Of whole numbers of turns,
/// which are exact in double, nothing is left.
Value Fourier::openMatrix(int64_t planes, mlir::Attribute length,
                          mlir::Attribute count) {
  mlir::MLIRContext *context = ctx.builder().getContext();
  mlir::Type f64 = ctx.builder().getF64Type();
  mlir::Attribute one = sizeDim(context, 1), two = sizeDim(context, 2);
  mlir::Attribute in = sizeDim(context, planes);
  // Along dimension `axis` of [count, 2, length, planes].
  auto numbers = [&](int64_t axis, mlir::Attribute size, double step) {
    Dims shape(4, one);
    shape[axis] = size;
    return ctx.createTyped<graph::IotaOp>(typeFromDims(shape, f64), axis,
                                          llvm::APFloat(0.0),
                                          llvm::APFloat(step));
  };
  Value steps = ctx.create<graph::MulOp>(numbers(0, count, 1.0),
                                         numbers(2, length, double(sign)));
  Value whole = sizeScalar(ctx, length, f64);
  Value turns = ctx.create<graph::DivOp>(steps, whole);
  Value rest = ctx.create<graph::SubOp>(
      steps,
      ctx.create<graph::MulOp>(ctx.create<graph::FloorOp>(turns), whole));
  // A sine is the cosine of a quarter less.
  Value quarters =
      ctx.create<graph::SubOp>(numbers(3, in, 0.25), numbers(1, two, 0.25));
  turns =
      ctx.create<graph::AddOp>(ctx.create<graph::DivOp>(rest, whole), quarters);
  turns = ctx.create<graph::SubOp>(turns, ctx.create<graph::RoundOp>(turns));
  Value angle = ctx.create<graph::MulOp>(turns, ctx.scalar(2.0 * M_PI, f64));
  return ctx.reshapeTo(ctx.cast(ctx.create<graph::CosOp>(angle), element),
                       typeFromDims({graph::multiplyDims(count, two),
                                     graph::multiplyDims(length, in)},
                                    element));
}

Value Fourier::transformOpen(Value rows, mlir::Attribute length,
                             mlir::Attribute count) {
  if (!rows)
    return {};
  int64_t planes = shapeOf(rows).back();
  mlir::MLIRContext *context = rows.getContext();
  mlir::Attribute m = rowsOf(rows), two = sizeDim(context, 2);
  Value flat = ctx.reshapeTo(
      rows, typeFromDims({m, graph::affineDim(length, planes, 0)}, element));
  Value product = ctx.create<graph::MatmulOp>(
      flat, openMatrix(planes, length, count), false, true);
  return ctx.reshapeTo(product, typeFromDims({m, count, two}, element));
}
