//===- Unary.cpp - gradients of functions of one element ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives are written in results rather than operands where they can be,
// so that operands need not be kept.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Rules.h"

#include <numbers>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// dx = dy * factor.
template <auto factor> static LogicalResult times(Adjoint &g) {
  g.give(0, g.mul(g.dy(), factor(g)));
  return success();
}

/// dx = dy / divisor.
template <auto divisor> static LogicalResult over(Adjoint &g) {
  g.give(0, g.div(g.dy(), divisor(g)));
  return success();
}

static LogicalResult negRule(Adjoint &g) {
  g.give(0, g.neg(g.dy()));
  return success();
}

/// 0 at 0, as torch has it.
static LogicalResult reluRule(Adjoint &g) {
  g.give(0, g.where(g.isPositive(g.y()), g.dy()));
  return success();
}

static LogicalResult castRule(Adjoint &g) {
  g.give(0, g.castTo(g.dy(), typeOf(g.x()).getElementType()));
  return success();
}

static Value oneMinusSquare(Adjoint &g, Value a) {
  return g.sub(g.number(1, a), g.square(a));
}

static Value rsqrt(Adjoint &g, Value a) { return g.make<RsqrtOp>(a); }

static Value erfSlope(Adjoint &g) {
  Value bell = g.make<ExpOp>(g.neg(g.square(g.x())));
  return g.scaled(bell, 2 / std::sqrt(std::numbers::pi));
}

static const RuleEntry kRules[] = {
    {"graph.abs", times<[](Adjoint &g) { return g.make<SignOp>(g.x()); }>},
    {"graph.neg", negRule},
    {"graph.sign", isConstant},
    {"graph.relu", reluRule},
    {"graph.exp", times<[](Adjoint &g) { return g.y(); }>},
    {"graph.log", over<[](Adjoint &g) { return g.x(); }>},
    {"graph.sqrt", over<[](Adjoint &g) { return g.scaled(g.y(), 2); }>},
    {"graph.rsqrt", times<[](Adjoint &g) {
       return g.scaled(g.mul(g.y(), g.square(g.y())), -0.5);
     }>},
    {"graph.reciprocal",
     times<[](Adjoint &g) { return g.neg(g.square(g.y())); }>},
    {"graph.ceil", isConstant},
    {"graph.floor", isConstant},
    {"graph.round", isConstant},
    {"graph.sin", times<[](Adjoint &g) { return g.make<CosOp>(g.x()); }>},
    {"graph.cos",
     times<[](Adjoint &g) { return g.neg(g.make<SinOp>(g.x())); }>},
    {"graph.tan", times<[](Adjoint &g) { return g.plus(g.square(g.y()), 1); }>},
    {"graph.asin",
     times<[](Adjoint &g) { return rsqrt(g, oneMinusSquare(g, g.x())); }>},
    {"graph.acos", times<[](Adjoint &g) {
       return g.neg(rsqrt(g, oneMinusSquare(g, g.x())));
     }>},
    {"graph.atan", over<[](Adjoint &g) { return g.plus(g.square(g.x()), 1); }>},
    {"graph.sinh", times<[](Adjoint &g) { return g.make<CoshOp>(g.x()); }>},
    {"graph.cosh", times<[](Adjoint &g) { return g.make<SinhOp>(g.x()); }>},
    {"graph.asinh",
     times<[](Adjoint &g) { return rsqrt(g, g.plus(g.square(g.x()), 1)); }>},
    {"graph.acosh",
     times<[](Adjoint &g) { return rsqrt(g, g.plus(g.square(g.x()), -1)); }>},
    {"graph.atanh", over<[](Adjoint &g) { return oneMinusSquare(g, g.x()); }>},
    {"graph.tanh", times<[](Adjoint &g) { return oneMinusSquare(g, g.y()); }>},
    {"graph.erf", times<erfSlope>},
    {"graph.sigmoid", times<[](Adjoint &g) {
       return g.mul(g.y(), g.sub(g.number(1, g.y()), g.y()));
     }>},
    {"graph.not", isConstant},
    {"graph.is_nan", isConstant},
    {"graph.is_inf", isConstant},
    {"graph.cast", castRule},
};

ArrayRef<RuleEntry> tenon::differentiate::unaryRules() { return kRules; }
