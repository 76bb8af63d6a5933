//===- Build.h - graph operations in few words ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a builder of graph operations for arithmetic that is
// written as formulas. All shapes are static, and types are inferred.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_DIFFERENTIATE_BUILD_H
#define TENON_PASSES_DIFFERENTIATE_BUILD_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/Builders.h"

namespace tenon::differentiate {

using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Value;
using Shape = SmallVector<int64_t>;

RankedTensorType typeOf(Value value);
ArrayRef<int64_t> shapeOf(Value value);
int64_t rankOf(Value value);

class Build {
public:
  Build(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  template <typename Op, typename... Args> Value make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }

  //===-- Constants, in the element type of `like` ------------------------===//

  /// Of rank 0.
  Value number(double value, Value like);
  /// All elements equal.
  Value filled(double value, RankedTensorType type);
  /// As many as `type` has elements.
  Value numbers(ArrayRef<double> values, RankedTensorType type);
  /// Of rank 1, i64.
  Value integers(ArrayRef<int64_t> values);
  /// 0, 1, 2, ... along `axis`, i64; the other extents are 1.
  Value counter(int64_t rank, int64_t axis, int64_t extent);

  //===-- Element by element, operands broadcast --------------------------===//

  Value add(Value a, Value b) { return make<graph::AddOp>(a, b); }
  Value sub(Value a, Value b) { return make<graph::SubOp>(a, b); }
  Value mul(Value a, Value b) { return make<graph::MulOp>(a, b); }
  Value div(Value a, Value b) { return make<graph::DivOp>(a, b); }
  Value neg(Value a) { return make<graph::NegOp>(a); }
  Value square(Value a) { return mul(a, a); }
  Value scaled(Value a, double factor) {
    return factor == 1 ? a : mul(a, number(factor, a));
  }
  Value plus(Value a, double term) { return add(a, number(term, a)); }
  Value equal(Value a, Value b) { return make<graph::EqualOp>(a, b); }
  Value greater(Value a, Value b) { return make<graph::GreaterOp>(a, b); }
  Value isPositive(Value a) { return greater(a, number(0, a)); }
  Value select(Value condition, Value a, Value b) {
    return make<graph::SelectOp>(condition, a, b);
  }
  /// In another element type.
  Value castTo(Value a, mlir::Type element);
  /// `a` where the condition holds, else 0. Never a product: 0 * inf is NaN.
  Value where(Value condition, Value a) {
    return select(condition, a, number(0, a));
  }

  //===-- Sums and shapes -------------------------------------------------===//

  Value sum(Value a, ArrayRef<int64_t> axes);  ///< extents of 1 remain
  Value mean(Value a, ArrayRef<int64_t> axes); ///< likewise
  Value reshape(Value a, ArrayRef<int64_t> shape);
  Value broadcast(Value a, ArrayRef<int64_t> shape);
  Value transpose(Value a, ArrayRef<int64_t> permutation);
  /// The inverse of transpose().
  Value transposeBack(Value a, ArrayRef<int64_t> permutation);
  Value slice(Value a, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> steps);
  /// `size` elements from `start` on, along `axis` only.
  Value part(Value a, int64_t axis, int64_t start, int64_t size);
  Value reverse(Value a, int64_t axis);
  /// Zeros around, or a border less.
  Value pad(Value a, ArrayRef<int64_t> low, ArrayRef<int64_t> high);

  /// The adjoint of a broadcast: `a` summed up to `shape`.
  Value sumTo(Value a, ArrayRef<int64_t> shape);
  /// The adjoint of a slice: the elements of `a` at start + i * step of each
  /// dimension of a tensor of `shape`, zeros elsewhere.
  Value place(Value a, ArrayRef<int64_t> starts, ArrayRef<int64_t> steps,
              ArrayRef<int64_t> shape);
  /// The same along one axis, without steps.
  Value placePart(Value a, int64_t axis, int64_t start, int64_t extent);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  /// Zeros between the elements of dimensions with a step.
  Value spread(Value a, ArrayRef<int64_t> steps);
};

} // namespace tenon::differentiate

#endif // TENON_PASSES_DIFFERENTIATE_BUILD_H
