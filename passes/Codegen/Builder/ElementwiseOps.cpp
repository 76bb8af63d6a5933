//===- ElementwiseOps.cpp - graph operations on registers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file maps each element-wise graph operation to instructions, floats
// here and integers in ElementwiseInt.cpp.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/SmallTypes.h"
#include "passes/Codegen/Builder/ElementwiseCast.h"
#include "passes/Codegen/Builder/ElementwiseInt.h"
#include "passes/Codegen/Builder/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static Type elementOf(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getElementType();
}

//===-- Unary -------------------------------------------------------------===//

static Num sign(Num x) {
  Num zero = x.of(0.0), one = x.of(1.0);
  Num negative = select(less(x, zero), -one, x); // zeros and NaN stay
  return select(less(zero, x), one, negative);
}

static FailureOr<Num> emitUnary(Operation *op, Num x) {
  using namespace tenon::graph;
  return llvm::TypeSwitch<Operation *, FailureOr<Num>>(op)
      .Case([&](AbsOp) { return abs(x); })
      .Case([&](NegOp) { return -x; })
      .Case([&](SignOp) { return sign(x); })
      .Case([&](ReluOp) { return maximum(x, x.of(0.0)); })
      .Case([&](ExpOp) { return exp(x); })
      .Case([&](LogOp) { return log(x); })
      .Case([&](SqrtOp) { return sqrt(x); })
      .Case([&](RsqrtOp) { return 1.0 / sqrt(x); })
      .Case([&](ReciprocalOp) { return 1.0 / x; })
      .Case([&](CeilOp) { return ceil(x); })
      .Case([&](FloorOp) { return floor(x); })
      .Case([&](RoundOp) { return roundEven(x); })
      .Case([&](SinOp) { return sin(x); })
      .Case([&](CosOp) { return cos(x); })
      .Case([&](TanOp) { return tan(x); })
      .Case([&](AsinOp) { return asin(x); })
      .Case([&](AcosOp) { return acos(x); })
      .Case([&](AtanOp) { return atan(x); })
      .Case([&](SinhOp) { return sinh(x); })
      .Case([&](CoshOp) { return cosh(x); })
      .Case([&](AsinhOp) { return asinh(x); })
      .Case([&](AcoshOp) { return acosh(x); })
      .Case([&](AtanhOp) { return atanh(x); })
      .Case([&](TanhOp) { return tanh(x); })
      .Case([&](ErfOp) { return erf(x); })
      .Case([&](SigmoidOp) { return sigmoid(x); })
      .Default([](Operation *) { return failure(); });
}

//===-- Binary ------------------------------------------------------------===//

static std::optional<double> splatOf(Value value) {
  DenseElementsAttr vector;
  FloatAttr scalar;
  if (matchPattern(value, m_Constant(&vector)) && vector.isSplat() &&
      isa<FloatType>(vector.getElementType()))
    return vector.getSplatValue<APFloat>().convertToDouble();
  if (matchPattern(value, m_Constant(&scalar)))
    return scalar.getValueAsDouble();
  return std::nullopt;
}

/// Frequent exponents are a multiplication or a root.
static Num power(Num x, Num y) {
  std::optional<double> exponent = splatOf(y.get());
  if (exponent == 2.0)
    return x * x;
  if (exponent == 3.0)
    return x * x * x;
  if (exponent == 1.0)
    return x;
  if (exponent == -1.0)
    return 1.0 / x;
  return pow(x, y);
}

/// The remainder x - y * trunc(x / y); with `floored` it takes y's sign. The
/// quotient is formed in f64, which is exact for f32 unless it is beyond 2^29.
static Num remainder(Num x, Num y, bool floored) {
  KernelBuilder &b = x.b();
  Num wideX(b, emitCast(b, x.get(), getElementTypeOrSelf(x.type()),
                        b.builder().getF64Type()));
  Num wideY(b, emitCast(b, y.get(), getElementTypeOrSelf(y.type()),
                        b.builder().getF64Type()));
  Num magnitude = abs(wideY), zero = wideX.of(0.0);
  Num quotient = trunc(abs(wideX) / magnitude);
  Num rest = fma(-quotient, magnitude, abs(wideX));
  rest = select(less(rest, zero), rest + magnitude, rest);
  rest = select(lessEqual(magnitude, rest), rest - magnitude, rest);
  // A finite x is unchanged by an infinite y.
  Value endless = andOf(b, equal(magnitude, zero.of(INFINITY)),
                        less(abs(wideX), zero.of(INFINITY)));
  rest = select(endless, abs(wideX), rest);
  rest = copySign(rest, wideX);
  if (floored) {
    Value opposite = less(rest * copySign(rest.of(1.0), wideY), zero);
    rest = select(opposite, rest + wideY, rest);
  }
  return x.with(emitCast(b, rest.get(), b.builder().getF64Type(),
                         getElementTypeOrSelf(x.type())));
}

static FailureOr<Num> emitBinary(Operation *op, Num x, Num y) {
  using namespace tenon::graph;
  return llvm::TypeSwitch<Operation *, FailureOr<Num>>(op)
      .Case([&](AddOp) { return x + y; })
      .Case([&](SubOp) { return x - y; })
      .Case([&](MulOp) { return x * y; })
      .Case([&](DivOp) { return x / y; })
      .Case([&](MaxOp) { return maximum(x, y); })
      .Case([&](MinOp) { return minimum(x, y); })
      .Case([&](PowOp) { return power(x, y); })
      .Case([&](ModOp mod) { return remainder(x, y, !mod.getFmod()); })
      .Default([](Operation *) { return failure(); });
}

//===-- Comparisons and predicates ----------------------------------------===//

static FailureOr<Value> emitPredicate(Operation *op, ArrayRef<Num> v) {
  using namespace tenon::graph;
  using Result = FailureOr<Value>;
  auto infinite = [&](IsInfOp isInf) {
    Num low = isInf.getDetectNegative() ? -v[0].of(INFINITY) : v[0].of(NAN);
    Num high = isInf.getDetectPositive() ? v[0].of(INFINITY) : v[0].of(NAN);
    return orOf(v[0].b(), equal(v[0], low), equal(v[0], high));
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](EqualOp) -> Result { return equal(v[0], v[1]); })
      .Case([&](LessOp) -> Result { return less(v[0], v[1]); })
      .Case([&](LessEqualOp) -> Result { return lessEqual(v[0], v[1]); })
      .Case([&](GreaterOp) -> Result { return less(v[1], v[0]); })
      .Case([&](GreaterEqualOp) -> Result { return lessEqual(v[1], v[0]); })
      .Case([&](IsNanOp) -> Result { return isNan(v[0]); })
      .Case([&](IsInfOp isInf) -> Result { return infinite(isInf); })
      .Default([](Operation *) { return failure(); });
}

//===-- Dispatch ----------------------------------------------------------===//

static FailureOr<Value> emitFloat(KernelBuilder &b, Operation *op,
                                  ValueRange operands) {
  SmallVector<Num> v;
  Type first = elementOf(op->getOperand(0));
  for (auto [tensor, value] : llvm::zip(op->getOperands(), operands)) {
    Value same = emitCast(b, value, elementOf(tensor), first);
    v.push_back(Num(b, widenFloat(b, same)));
  }
  if (elementOf(op->getResult(0)).isInteger(1))
    return emitPredicate(op, v);
  FailureOr<Num> result = v.size() == 1   ? emitUnary(op, v[0])
                          : v.size() == 2 ? emitBinary(op, v[0], v[1])
                                          : FailureOr<Num>(failure());
  if (failed(result))
    return failure();
  return narrowFloat(b, result->get(), elementOf(op->getResult(0)));
}

static Value emitCastOp(KernelBuilder &b, graph::CastOp op, Value value) {
  Type from = elementOf(op.getInput()), to = elementOf(op.getResult());
  if (from != to && graph::isSmall(to))
    return emitSmallCast(b, value, from, to, op.getSaturate(),
                         op.getRoundMode());
  return emitCast(b, value, from, to);
}

static FailureOr<Value> emitAny(KernelBuilder &b, Operation *op,
                                ValueRange operands) {
  if (isa<graph::SelectOp>(op))
    return Value(arith::SelectOp::create(b.builder(), b.loc(), operands[0],
                                         operands[1], operands[2]));
  Type from = elementOf(op->getOperand(0));
  if (auto cast = dyn_cast<graph::CastOp>(op))
    return emitCastOp(b, cast, operands[0]);
  if (isa<FloatType>(from))
    return emitFloat(b, op, operands);
  return emitInteger(b, op, operands);
}

FailureOr<Value> tenon::codegen::emitElementwise(KernelBuilder &b,
                                                 Operation *op,
                                                 ValueRange operands,
                                                 int64_t lanes) {
  FailureOr<Value> result = failure();
  if (isElementwise(op))
    result = emitAny(b, op, operands);
  if (failed(result))
    return op->emitError() << "'" << op->getName()
                           << "' has no element-wise code for "
                           << op->getOperand(0).getType();
  return result;
}

bool tenon::codegen::isElementwise(Operation *op) {
  return op->hasTrait<graph::Elementwise>();
}

int64_t tenon::codegen::elementwiseCost(Operation *op) {
  using namespace tenon::graph;
  if (isa<ExpOp, LogOp>(op))
    return 16;
  if (isa<TanhOp, ErfOp, SigmoidOp>(op))
    return 24;
  if (isa<PowOp, SinOp, CosOp, TanOp, AsinOp, AcosOp, AtanOp, SinhOp, CoshOp,
          AsinhOp, AcoshOp, AtanhOp, ModOp>(op))
    return 80;
  if (isa<DivOp, SqrtOp, ReciprocalOp>(op))
    return 6;
  if (isa<RsqrtOp>(op))
    return 12;
  return 1;
}
