//===- Bits.h - integer arithmetic on bits ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the expression type that conversions between floats are
// written in.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BUILDER_BITS_H
#define TENON_PASSES_CODEGEN_BUILDER_BITS_H

#include "passes/Codegen/Builder/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tenon::codegen {

inline int64_t lanesOf(Value value) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}

/// Integer arithmetic on bits, with constants written in place.
struct Bits {
  KernelBuilder &b;
  Value v;

  Bits with(Value x) const { return {b, x}; }
  Bits of(int64_t c) const { return {b, b.constantInt(v.getType(), c)}; }
  template <typename Op> Bits apply(Bits y) const {
    return with(Op::create(b.builder(), b.loc(), v, y.v));
  }
  Bits operator+(Bits y) const { return apply<mlir::arith::AddIOp>(y); }
  Bits operator-(Bits y) const { return apply<mlir::arith::SubIOp>(y); }
  Bits operator&(int64_t c) const { return apply<mlir::arith::AndIOp>(of(c)); }
  Bits operator|(Bits y) const { return apply<mlir::arith::OrIOp>(y); }
  Bits operator<<(int64_t c) const { return apply<mlir::arith::ShLIOp>(of(c)); }
  Bits operator>>(int64_t c) const {
    return apply<mlir::arith::ShRUIOp>(of(c));
  }
  Bits atMost(int64_t c) const { return apply<mlir::arith::MinUIOp>(of(c)); }
  Value atLeast(int64_t c) const {
    return compare(mlir::arith::CmpIPredicate::uge, c);
  }
  Value equals(int64_t c) const {
    return compare(mlir::arith::CmpIPredicate::eq, c);
  }
  /// This where the condition holds, else y.
  Bits select(Value condition, Bits y) const {
    return with(
        mlir::arith::SelectOp::create(b.builder(), b.loc(), condition, v, y.v));
  }
  Type typeOf(Type element) const { return b.vectorType(element, lanesOf(v)); }
  Bits bitcast(Type element) const {
    return convert<mlir::arith::BitcastOp>(element);
  }
  Bits extend(Type element) const {
    return convert<mlir::arith::ExtUIOp>(element);
  }
  Bits truncate(Type element) const {
    return convert<mlir::arith::TruncIOp>(element);
  }

private:
  Value compare(mlir::arith::CmpIPredicate predicate, int64_t c) const {
    return mlir::arith::CmpIOp::create(b.builder(), b.loc(), predicate, v,
                                       of(c).v);
  }
  template <typename Op> Bits convert(Type element) const {
    return with(Op::create(b.builder(), b.loc(), typeOf(element), v));
  }
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_BITS_H
