//===- VectorMath.cpp - arithmetic of the expression type -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tenon::codegen;

//===-- Num ---------------------------------------------------------------===//

bool Num::isDouble() const { return getElementTypeOrSelf(type()).isF64(); }

int64_t Num::lanes() const {
  auto vector = dyn_cast<VectorType>(type());
  return vector ? vector.getNumElements() : 1;
}

Num Num::of(double constant) const {
  return with(builder->constantOf(type(), constant));
}

Type Num::bitsType() const {
  Type integer = builder->builder().getIntegerType(isDouble() ? 64 : 32);
  return builder->vectorType(integer, lanes());
}

Value Num::bits() const {
  return arith::BitcastOp::create(builder->builder(), builder->loc(),
                                  bitsType(), value);
}

Num Num::fromBits(Value bits) const {
  return with(arith::BitcastOp::create(builder->builder(), builder->loc(),
                                       type(), bits));
}

namespace tenon::codegen {

template <typename Op> static Num binary(Num x, Num y) {
  KernelBuilder &b = x.b();
  return x.with(b.builder().createOrFold<Op>(b.loc(), x.get(), y.get()));
}

Num operator+(Num x, Num y) { return binary<arith::AddFOp>(x, y); }
Num operator-(Num x, Num y) { return binary<arith::SubFOp>(x, y); }
Num operator*(Num x, Num y) { return binary<arith::MulFOp>(x, y); }
Num operator/(Num x, Num y) { return binary<arith::DivFOp>(x, y); }

Num operator-(Num x) {
  KernelBuilder &b = x.b();
  return x.with(arith::NegFOp::create(b.builder(), b.loc(), x.get()));
}

//===-- Comparisons -------------------------------------------------------===//

static Value compare(arith::CmpFPredicate predicate, Num x, Num y) {
  KernelBuilder &b = x.b();
  return arith::CmpFOp::create(b.builder(), b.loc(), predicate, x.get(),
                               y.get());
}

Value less(Num x, Num y) { return compare(arith::CmpFPredicate::OLT, x, y); }
Value lessEqual(Num x, Num y) {
  return compare(arith::CmpFPredicate::OLE, x, y);
}
Value equal(Num x, Num y) { return compare(arith::CmpFPredicate::OEQ, x, y); }
Value notEqual(Num x, Num y) {
  return compare(arith::CmpFPredicate::UNE, x, y);
}
Value isNan(Num x) { return compare(arith::CmpFPredicate::UNO, x, x); }

Value andOf(KernelBuilder &b, Value x, Value y) {
  return arith::AndIOp::create(b.builder(), b.loc(), x, y);
}

Value orOf(KernelBuilder &b, Value x, Value y) {
  return arith::OrIOp::create(b.builder(), b.loc(), x, y);
}

Value notOf(KernelBuilder &b, Value x) {
  Value ones = b.constantInt(x.getType(), -1);
  return arith::XOrIOp::create(b.builder(), b.loc(), x, ones);
}

Num select(Value condition, Num x, Num y) {
  KernelBuilder &b = x.b();
  return x.with(arith::SelectOp::create(b.builder(), b.loc(), condition,
                                        x.get(), y.get()));
}

//===-- Single instructions -----------------------------------------------===//

Num fma(Num x, Num y, Num z) {
  return x.with(x.b().fma(x.get(), y.get(), z.get()));
}

template <typename Op> static Num unary(Num x) {
  KernelBuilder &b = x.b();
  return x.with(Op::create(b.builder(), b.loc(), x.type(), x.get()));
}

Num abs(Num x) { return unary<LLVM::FAbsOp>(x); }
Num sqrt(Num x) { return unary<LLVM::SqrtOp>(x); }

Num copySign(Num magnitude, Num sign) {
  KernelBuilder &b = magnitude.b();
  return magnitude.with(LLVM::CopySignOp::create(
      b.builder(), b.loc(), magnitude.type(), magnitude.get(), sign.get()));
}

/// Without a rounding instruction LLVM would call libm; adding and subtracting
/// the smallest number without fraction bits rounds as well.
static bool canRound(Num x) { return x.b().target().name != "baseline"; }

Num roundEven(Num x) {
  if (canRound(x))
    return unary<LLVM::RoundEvenOp>(x);
  Num limit = x.of(x.isDouble() ? 0x1p52 : 0x1p23);
  Num magnitude = abs(x);
  Num rounded = copySign((magnitude + limit) - limit, x);
  return select(less(magnitude, limit), rounded, x);
}

Num floor(Num x) {
  if (canRound(x))
    return unary<LLVM::FFloorOp>(x);
  Num rounded = roundEven(x);
  Num lower = select(less(x, rounded), rounded - 1.0, rounded);
  return copySign(lower, x);
}

Num ceil(Num x) { return -floor(-x); }

Num trunc(Num x) { return copySign(floor(abs(x)), x); }

static bool isConstantNumber(Num x) {
  DenseElementsAttr vector;
  FloatAttr scalar;
  if (matchPattern(x.get(), m_Constant(&vector)))
    return vector.isSplat() && !vector.getSplatValue<APFloat>().isNaN();
  return matchPattern(x.get(), m_Constant(&scalar)) &&
         !scalar.getValue().isNaN();
}

Num maximum(Num x, Num y) {
  if (isConstantNumber(x))
    std::swap(x, y);
  // An ordered comparison takes its second operand on NaN.
  Num larger = select(less(x, y), y, x);
  if (isConstantNumber(y))
    return larger;
  return select(isNan(y), y, larger);
}

Num minimum(Num x, Num y) {
  if (isConstantNumber(x))
    std::swap(x, y);
  Num smaller = select(less(y, x), y, x);
  if (isConstantNumber(y))
    return smaller;
  return select(isNan(y), y, smaller);
}

Num clamp(Num x, double low, double high) {
  return minimum(maximum(x, x.of(low)), x.of(high));
}

} // namespace tenon::codegen
