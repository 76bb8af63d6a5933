//===- Size.h - numbers that are known when a program runs ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the number that extents, strides and counts of tiles are
// for code generation: an integer, or an expression of the program's symbols.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_SIZE_H
#define TENON_DIALECTS_GRAPH_SIZE_H

#include "dialects/Graph/DimExpr.h"

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tenon::graph {

/// A *fixed* number is known now, all others when the program gets its inputs.
/// Equal sizes are equal for any values of their symbols; unequal ones may be
/// equal for some.
///
///   Size rows = sizesOf(type)[0] * 12;
///   if (rows.isFixed()) ... rows.fixed() ...
class Size {
public:
  Size(int64_t number = 0) : number(number) {}
  /// A dimension that is known, not null.
  explicit Size(mlir::Attribute dim);

  bool isFixed() const { return !expr; }
  bool is(int64_t value) const { return isFixed() && number == value; }
  /// The number. It must be fixed.
  int64_t fixed() const;
  /// The dimension; null of a fixed one.
  mlir::Attribute symbolic() const { return expr; }
  mlir::Attribute dim(mlir::MLIRContext *context) const;
  /// Whether it is one for any values of its symbols.
  bool isMultipleOf(int64_t divisor) const;

  Size floorDiv(int64_t divisor) const;
  Size ceilDiv(int64_t divisor) const;

  bool operator==(const Size &other) const = default;
  Size &operator+=(const Size &other) { return *this = *this + other; }
  Size &operator*=(const Size &other) { return *this = *this * other; }
  friend Size operator+(const Size &a, const Size &b);
  friend Size operator-(const Size &a, const Size &b);
  friend Size operator*(const Size &a, const Size &b);

private:
  int64_t number = 0;
  mlir::Attribute expr; ///< null: it is `number`
};

using Sizes = llvm::SmallVector<Size>;

/// What `divisor` is to be multiplied with for `size`, if that is known for any
/// values of their symbols.
std::optional<Size> quotientOf(const Size &size, const Size &divisor);

/// The product of all; 1 of none.
Size productOf(llvm::ArrayRef<Size> sizes);

/// The dimensions of a tensor, all of which must be known.
Sizes sizesOf(mlir::Type tensor);

/// What elements are apart along a dimension of `size` that is as large as
/// `extent` or repeated to it: of one element, nothing, which may be found out
/// in the run.
Size broadcastStride(const Size &size, const Size &extent, const Size &stride);

/// What the elements of a dense tensor are apart, in row-major order.
Sizes denseStrides(llvm::ArrayRef<Size> shape);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_SIZE_H
