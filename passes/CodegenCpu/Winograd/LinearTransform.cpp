//===- LinearTransform.cpp - a constant matrix times vectors --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Winograd/LinearTransform.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::Matrix;

namespace {
using Row = std::vector<double>;

/// What remains of a product once columns are paired.
struct Paired {
  Matrix matrix;
  Values inputs;
};
} // namespace

static Value subtract(KernelBuilder &b, Value x, Value y) {
  return arith::SubFOp::create(b.builder(), b.loc(), x, y);
}

static Row columnOf(const Matrix &matrix, size_t j) {
  Row column;
  for (const Row &row : matrix)
    column.push_back(row[j]);
  return column;
}

/// Equal up to signs, with some signs equal and some not.
static bool isPair(const Row &x, const Row &y) {
  bool same = false, opposite = false;
  for (auto [a, c] : llvm::zip_equal(x, y)) {
    if (std::abs(a) != std::abs(c))
      return false;
    same |= a != 0 && a == c;
    opposite |= a != 0 && a == -c;
  }
  return same && opposite;
}

/// The part of `x` where `y` has the same sign, or the opposite one.
static Row shared(const Row &x, const Row &y, double sign) {
  Row part;
  for (auto [a, c] : llvm::zip_equal(x, y))
    part.push_back(a == sign * c ? a : 0);
  return part;
}

static void appendColumn(Matrix &matrix, const Row &column) {
  for (auto [row, x] : llvm::zip_equal(matrix, column))
    row.push_back(x);
}

static size_t findPair(ArrayRef<Row> rows, size_t first,
                       const std::vector<bool> &done) {
  for (size_t i = first + 1; i < rows.size(); ++i)
    if (!done[i] && isPair(rows[first], rows[i]))
      return i;
  return first;
}

static Paired pairColumns(KernelBuilder &b, const Matrix &matrix,
                          ValueRange inputs) {
  Matrix columns;
  for (size_t j = 0; j < inputs.size(); ++j)
    columns.push_back(columnOf(matrix, j));
  Paired result{Matrix(matrix.size()), {}};
  std::vector<bool> done(columns.size());
  for (size_t j = 0; j < columns.size(); ++j) {
    if (done[j])
      continue;
    size_t other = findPair(columns, j, done);
    if (other == j) {
      appendColumn(result.matrix, columns[j]);
      result.inputs.push_back(inputs[j]);
      continue;
    }
    done[other] = true;
    appendColumn(result.matrix, shared(columns[j], columns[other], 1));
    appendColumn(result.matrix, shared(columns[j], columns[other], -1));
    result.inputs.push_back(b.plus(inputs[j], inputs[other]));
    result.inputs.push_back(subtract(b, inputs[j], inputs[other]));
  }
  return result;
}

/// The sum of one row; terms that need no factor come first.
static Value combine(KernelBuilder &b, const Row &row, ValueRange inputs) {
  Value sum;
  auto type = inputs.front().getType();
  for (bool plain : {true, false})
    for (auto [factor, input] : llvm::zip_equal(row, inputs)) {
      if (factor == 0 || plain != (factor == 1))
        continue;
      if (sum && plain)
        sum = b.plus(sum, input);
      else if (sum)
        sum = b.fma(input, b.constantOf(type, factor), sum);
      else
        sum = plain ? input
                    : arith::MulFOp::create(b.builder(), b.loc(), input,
                                            b.constantOf(type, factor))
                          .getResult();
    }
  return sum ? sum : b.constantOf(type, 0);
}

Values codegen::applyMatrix(KernelBuilder &b, const Matrix &matrix,
                            ValueRange inputs) {
  Paired paired = pairColumns(b, matrix, inputs);
  const Matrix &rows = paired.matrix;
  Values results(rows.size());
  std::vector<bool> done(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (done[i])
      continue;
    size_t other = findPair(rows, i, done);
    if (other == i) {
      results[i] = combine(b, rows[i], paired.inputs);
      continue;
    }
    done[other] = true;
    Value same = combine(b, shared(rows[i], rows[other], 1), paired.inputs);
    Value opposite =
        combine(b, shared(rows[i], rows[other], -1), paired.inputs);
    results[i] = b.plus(same, opposite);
    results[other] = subtract(b, same, opposite);
  }
  return results;
}

Values codegen::applyToSquare(KernelBuilder &b, const Matrix &matrix,
                              ValueRange inputs) {
  size_t from = matrix.front().size(), to = matrix.size();
  Values half(to * from);
  for (size_t x = 0; x < from; ++x) {
    Values column;
    for (size_t y = 0; y < from; ++y)
      column.push_back(inputs[y * from + x]);
    for (auto [y, value] : llvm::enumerate(applyMatrix(b, matrix, column)))
      half[y * from + x] = value;
  }
  Values result;
  for (size_t y = 0; y < to; ++y)
    llvm::append_range(
        result, applyMatrix(b, matrix, ArrayRef(half).slice(y * from, from)));
  return result;
}
