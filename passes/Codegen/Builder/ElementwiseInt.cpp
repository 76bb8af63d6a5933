//===- ElementwiseInt.cpp - graph operations on integers ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes on integer and i1 registers. Divisions are guarded: a
// zero divisor gives 0, and the most negative number divided by -1 wraps.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/ElementwiseInt.h"
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Writes integer instructions on operands of one type.
struct Integers {
  KernelBuilder &b;
  Type element; ///< with signedness
  bool isUnsigned;

  template <typename Op> Value apply(Value x, Value y) {
    return Op::create(b.builder(), b.loc(), x, y);
  }
  Value of(Value like, int64_t c) { return b.constantInt(like.getType(), c); }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b.builder(), b.loc(), condition, x, y);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b.builder(), b.loc(), predicate, x, y);
  }
  Value equal(Value x, Value y) {
    return compare(arith::CmpIPredicate::eq, x, y);
  }
  Value less(Value x, Value y) {
    return compare(isUnsigned ? arith::CmpIPredicate::ult
                              : arith::CmpIPredicate::slt,
                   x, y);
  }
  Value negate(Value x) { return apply<arith::SubIOp>(of(x, 0), x); }
  Value max(Value x, Value y) {
    return isUnsigned ? apply<arith::MaxUIOp>(x, y)
                      : apply<arith::MaxSIOp>(x, y);
  }
  Value min(Value x, Value y) {
    return isUnsigned ? apply<arith::MinUIOp>(x, y)
                      : apply<arith::MinSIOp>(x, y);
  }

  Value abs(Value x) { return isUnsigned ? x : max(x, negate(x)); }
  Value sign(Value x);
  Value divide(Value x, Value y);
  Value remainder(Value x, Value y, bool floored);
  Value shift(Value x, Value y, bool left);
  Value power(Value x, Value y, bool exponentUnsigned);
};
} // namespace

Value Integers::sign(Value x) {
  Value zero = of(x, 0);
  Value negative = isUnsigned ? zero : select(less(x, zero), of(x, -1), zero);
  return select(less(zero, x), of(x, 1), negative);
}

Value Integers::divide(Value x, Value y) {
  Value none = equal(y, of(y, 0));
  if (isUnsigned) {
    Value safe = select(none, of(y, 1), y);
    return select(none, of(x, 0), apply<arith::DivUIOp>(x, safe));
  }
  Value minus = equal(y, of(y, -1));
  Value safe = select(orOf(b, none, minus), of(y, 1), y);
  Value quotient = apply<arith::DivSIOp>(x, safe);
  return select(none, of(x, 0), select(minus, negate(x), quotient));
}

Value Integers::remainder(Value x, Value y, bool floored) {
  Value rest = apply<arith::SubIOp>(x, apply<arith::MulIOp>(divide(x, y), y));
  rest = select(equal(y, of(y, 0)), of(x, 0), rest);
  if (isUnsigned || !floored)
    return rest;
  // The remainder takes the divisor's sign.
  Value zero = of(x, 0);
  Value differs =
      compare(arith::CmpIPredicate::slt, apply<arith::XOrIOp>(rest, y), zero);
  Value move = andOf(b, differs, notOf(b, equal(rest, zero)));
  return select(move, apply<arith::AddIOp>(rest, y), rest);
}

Value Integers::shift(Value x, Value y, bool left) {
  int64_t width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  Value inside = compare(arith::CmpIPredicate::ult, y, of(y, width));
  Value amount = select(inside, y, of(y, 0));
  Value shifted =
      left ? apply<arith::ShLIOp>(x, amount) : apply<arith::ShRUIOp>(x, amount);
  return select(inside, shifted, of(x, 0));
}

/// Square and multiply over all bits of the exponent; a negative exponent
/// leaves 1 / x^-y rounded to zero.
Value Integers::power(Value x, Value y, bool exponentUnsigned) {
  int64_t bits = getElementTypeOrSelf(y.getType()).getIntOrFloatBitWidth();
  Value one = of(x, 1), zero = of(x, 0);
  Value magnitude = exponentUnsigned ? y : apply<arith::MaxSIOp>(y, negate(y));
  Value result = one, base = x;
  for (int64_t bit = 0; bit < bits; ++bit) {
    Value masked = apply<arith::AndIOp>(magnitude, of(y, int64_t(1) << bit));
    Value unset = equal(masked, of(y, 0));
    result = select(unset, result, apply<arith::MulIOp>(result, base));
    base = apply<arith::MulIOp>(base, base);
  }
  if (exponentUnsigned)
    return result;
  Value negative = compare(arith::CmpIPredicate::slt, y, of(y, 0));
  Value unit = equal(x, one);
  if (!isUnsigned)
    unit = orOf(b, unit, equal(x, of(x, -1)));
  return select(andOf(b, negative, notOf(b, unit)), zero, result);
}

static Type elementOf(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getElementType();
}

static Value emitPower(Integers &i, Operation *op, ValueRange v) {
  Type exponent = elementOf(op->getOperand(1));
  if (!isa<FloatType>(exponent))
    return i.power(v[0], v[1], exponent.isUnsignedInteger());
  Type wide = i.b.builder().getF64Type();
  Num x(i.b, emitCast(i.b, v[0], i.element, wide));
  Num y(i.b, emitCast(i.b, v[1], exponent, wide));
  return emitCast(i.b, pow(x, y).get(), wide, i.element);
}

static FailureOr<Value> emitCompare(Integers &i, Operation *op, ValueRange v) {
  using namespace tenon::graph;
  using Result = FailureOr<Value>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](EqualOp) -> Result { return i.equal(v[0], v[1]); })
      .Case([&](LessOp) -> Result { return i.less(v[0], v[1]); })
      .Case(
          [&](LessEqualOp) -> Result { return notOf(i.b, i.less(v[1], v[0])); })
      .Case([&](GreaterOp) -> Result { return i.less(v[1], v[0]); })
      .Case([&](GreaterEqualOp) -> Result {
        return notOf(i.b, i.less(v[0], v[1]));
      })
      .Default([](Operation *) { return failure(); });
}

FailureOr<Value> tenon::codegen::emitInteger(KernelBuilder &b, Operation *op,
                                             ValueRange v) {
  using namespace tenon::graph;
  using Result = FailureOr<Value>;
  Type element = elementOf(op->getOperand(0));
  Integers i{b, element, element.isUnsignedInteger() || element.isInteger(1)};
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](AbsOp) -> Result { return i.abs(v[0]); })
      .Case([&](NegOp) -> Result { return i.negate(v[0]); })
      .Case([&](SignOp) -> Result { return i.sign(v[0]); })
      .Case([&](ReluOp) -> Result {
        return i.isUnsigned ? v[0] : i.max(v[0], i.of(v[0], 0));
      })
      .Case([&](NotOp) -> Result { return notOf(b, v[0]); })
      .Case([&](AddOp) -> Result { return i.apply<arith::AddIOp>(v[0], v[1]); })
      .Case([&](SubOp) -> Result { return i.apply<arith::SubIOp>(v[0], v[1]); })
      .Case([&](MulOp) -> Result { return i.apply<arith::MulIOp>(v[0], v[1]); })
      .Case([&](DivOp) -> Result { return i.divide(v[0], v[1]); })
      .Case([&](MaxOp) -> Result { return i.max(v[0], v[1]); })
      .Case([&](MinOp) -> Result { return i.min(v[0], v[1]); })
      .Case([&](PowOp) -> Result { return emitPower(i, op, v); })
      .Case([&](ModOp mod) -> Result {
        return i.remainder(v[0], v[1], !mod.getFmod());
      })
      .Case([&](AndOp) -> Result { return andOf(b, v[0], v[1]); })
      .Case([&](OrOp) -> Result { return orOf(b, v[0], v[1]); })
      .Case([&](XorOp) -> Result { return i.apply<arith::XOrIOp>(v[0], v[1]); })
      .Case([&](ShiftLeftOp) -> Result { return i.shift(v[0], v[1], true); })
      .Case([&](ShiftRightOp) -> Result { return i.shift(v[0], v[1], false); })
      .Default([&](Operation *) { return emitCompare(i, op, v); });
}
