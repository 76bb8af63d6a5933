//===- Binary.cpp - gradients of functions of several elements ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoint::give() sums over what was broadcast.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Rules.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::differentiate;

static LogicalResult addRule(Adjoint &g) {
  g.give(0, g.dy());
  g.give(1, g.dy());
  return success();
}

static LogicalResult subRule(Adjoint &g) {
  g.give(0, g.dy());
  if (g.wants(1))
    g.give(1, g.neg(g.dy()));
  return success();
}

static LogicalResult mulRule(Adjoint &g) {
  if (g.wants(0))
    g.give(0, g.mul(g.dy(), g.x(1)));
  if (g.wants(1))
    g.give(1, g.mul(g.dy(), g.x(0)));
  return success();
}

static LogicalResult divRule(Adjoint &g) {
  Value quotient = g.div(g.dy(), g.x(1));
  g.give(0, quotient);
  if (g.wants(1))
    g.give(1, g.neg(g.mul(quotient, g.y())));
  return success();
}

/// Equal operands share; beside one without a gradient, as a clip's bound,
/// they get nothing: a bound belongs to the outside.
template <typename Better> static LogicalResult extremeRule(Adjoint &g) {
  bool isClip = !g.wants(0) || !g.wants(1);
  for (unsigned i : {0u, 1u}) {
    if (!g.wants(i))
      continue;
    Value a = g.x(i), b = g.x(1 - i), rest = g.number(0, g.dy());
    if (!isClip)
      rest = g.where(g.equal(a, b), g.scaled(g.dy(), 0.5));
    g.give(i, g.select(g.make<Better>(a, b), g.dy(), rest));
  }
  return success();
}

/// The number that all elements of a constant are; none of anything else.
static std::optional<double> splatOf(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().convertToDouble();
  APInt integer = elements.getSplatValue<APInt>();
  return elements.getElementType().isUnsignedInteger()
             ? double(integer.getZExtValue())
             : double(integer.getSExtValue());
}

/// d a^b / d a, without a power of 0 where b is 0.
static Value slopeOfBase(Adjoint &g) {
  if (auto constant = splatOf(g.x(1))) {
    if (*constant == 2)
      return g.scaled(g.x(0), 2);
    Value less = g.number(*constant - 1, g.x(0));
    return *constant == 0 ? g.number(0, g.x(0))
                          : g.scaled(g.make<PowOp>(g.x(0), less), *constant);
  }
  Value exponent = g.castTo(g.x(1), typeOf(g.x(0)).getElementType());
  Value slope = g.mul(exponent, g.make<PowOp>(g.x(0), g.plus(exponent, -1)));
  Value isZero = g.equal(exponent, g.number(0, exponent));
  return g.select(isZero, g.number(0, slope), slope);
}

/// The logarithm of a base that has none counts as 0.
static LogicalResult powRule(Adjoint &g) {
  if (g.wants(0))
    g.give(0, g.mul(g.dy(), slopeOfBase(g)));
  if (!g.wants(1))
    return success();
  Value isPositive = g.isPositive(g.x(0));
  Value base = g.select(isPositive, g.x(0), g.number(1, g.x(0)));
  Value slope = g.where(isPositive, g.mul(g.y(), g.make<LogOp>(base)));
  g.give(1, g.castTo(g.mul(g.dy(), slope), typeOf(g.x(1)).getElementType()));
  return success();
}

/// y = a - n * b, with n a whole number.
static LogicalResult modRule(Adjoint &g) {
  g.give(0, g.dy());
  if (!g.wants(1))
    return success();
  Value times = g.make<RoundOp>(g.div(g.sub(g.x(0), g.y()), g.x(1)));
  g.give(1, g.neg(g.mul(g.dy(), times)));
  return success();
}

/// Zero is chosen, not multiplied: NaN of the branch not taken stays out.
static LogicalResult selectRule(Adjoint &g) {
  Value zero = g.number(0, g.dy());
  if (g.wants(1))
    g.give(1, g.select(g.x(0), g.dy(), zero));
  if (g.wants(2))
    g.give(2, g.select(g.x(0), zero, g.dy()));
  return success();
}

static const RuleEntry kRules[] = {
    {"graph.add", addRule},
    {"graph.sub", subRule},
    {"graph.mul", mulRule},
    {"graph.div", divRule},
    {"graph.max", extremeRule<GreaterOp>},
    {"graph.min", extremeRule<LessOp>},
    {"graph.pow", powRule},
    {"graph.mod", modRule},
    {"graph.and", isConstant},
    {"graph.or", isConstant},
    {"graph.xor", isConstant},
    {"graph.shift_left", isConstant},
    {"graph.shift_right", isConstant},
    {"graph.equal", isConstant},
    {"graph.less", isConstant},
    {"graph.less_equal", isConstant},
    {"graph.greater", isConstant},
    {"graph.greater_equal", isConstant},
    {"graph.select", selectRule},
};

ArrayRef<RuleEntry> tenon::differentiate::binaryRules() { return kRules; }
