//===- Activations.cpp - activations made of a few primitives -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes each activation as ONNX defines it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

#include <numbers>

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// Arithmetic between values and numbers, so that formulas read as formulas.
class Formula {
public:
  explicit Formula(NormalizeContext &ctx) : ctx(ctx) {}
  Value add(Value a, Value b) { return ctx.create<graph::AddOp>(a, b); }
  Value sub(Value a, Value b) { return ctx.create<graph::SubOp>(a, b); }
  Value mul(Value a, Value b) { return ctx.create<graph::MulOp>(a, b); }
  Value div(Value a, Value b) { return ctx.create<graph::DivOp>(a, b); }
  Value max(Value a, Value b) { return ctx.create<graph::MaxOp>(a, b); }
  Value min(Value a, Value b) { return ctx.create<graph::MinOp>(a, b); }
  Value add(Value a, double b) { return add(a, ctx.scalarLike(b, a)); }
  Value sub(Value a, double b) { return sub(a, ctx.scalarLike(b, a)); }
  Value mul(Value a, double b) { return mul(a, ctx.scalarLike(b, a)); }
  Value div(Value a, double b) { return div(a, ctx.scalarLike(b, a)); }
  Value max(Value a, double b) { return max(a, ctx.scalarLike(b, a)); }
  Value min(Value a, double b) { return min(a, ctx.scalarLike(b, a)); }
  Value exp(Value a) { return ctx.create<graph::ExpOp>(a); }
  Value log(Value a) { return ctx.create<graph::LogOp>(a); }
  Value abs(Value a) { return ctx.create<graph::AbsOp>(a); }
  Value neg(Value a) { return ctx.create<graph::NegOp>(a); }
  Value tanh(Value a) { return ctx.create<graph::TanhOp>(a); }
  Value sigmoid(Value a) { return ctx.create<graph::SigmoidOp>(a); }
  /// x < limit ? below : above
  Value split(Value x, double limit, Value below, Value above) {
    Value isBelow = ctx.create<graph::LessOp>(x, ctx.scalarLike(limit, x));
    return ctx.create<graph::SelectOp>(isBelow, below, above);
  }
  /// scale * (e^x - 1) for x < 0; the exponent is capped so that the half that
  /// is not chosen does not overflow.
  Value expBelowZero(Value x, double scale) {
    return mul(sub(exp(min(x, 0.0)), 1.0), scale);
  }
  Value softplus(Value x) {
    return add(max(x, 0.0), log(add(exp(neg(abs(x))), 1.0)));
  }

private:
  NormalizeContext &ctx;
};
} // namespace

static Lowered lowerCelu(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  double alpha = node.real("alpha", 1.0f);
  Value x = node.operand(0);
  return f.split(x, 0.0, f.expBelowZero(f.div(x, alpha), alpha), x);
}

static Lowered lowerElu(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  Value x = node.operand(0);
  return f.split(x, 0.0, f.expBelowZero(x, node.real("alpha", 1.0f)), x);
}

static Lowered lowerSelu(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  double alpha = node.real("alpha", 1.67326319217681884765625f);
  double gamma = node.real("gamma", 1.05070102214813232421875f);
  Value x = node.operand(0);
  return f.split(x, 0.0, f.expBelowZero(x, alpha * gamma), f.mul(x, gamma));
}

static Lowered lowerGelu(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  Value x = node.operand(0), half = f.mul(x, 0.5);
  StringRef approximate = node.string("approximate", "none");
  if (approximate == "none") {
    Value scaled = f.mul(x, 1.0 / std::numbers::sqrt2);
    Value erf = ctx.create<graph::ErfOp>(scaled);
    return f.mul(half, f.add(erf, 1.0));
  }
  if (approximate != "tanh")
    return ctx.unsupported("'approximate' is neither none nor tanh");
  Value cube = f.mul(f.mul(x, x), x);
  Value inner = f.add(x, f.mul(cube, 0.044715));
  double scale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return f.mul(half, f.add(f.tanh(f.mul(inner, scale)), 1.0));
}

static Value hardSigmoid(Formula &f, Value x, double alpha, double beta) {
  return f.max(f.min(f.add(f.mul(x, alpha), beta), 1.0), 0.0);
}

static Lowered lowerHardSigmoid(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  return hardSigmoid(f, node.operand(0), node.real("alpha", 0.2f),
                     node.real("beta", 0.5f));
}

static Lowered lowerHardSwish(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  Value x = node.operand(0);
  return f.mul(x, hardSigmoid(f, x, 1.0 / 6.0, 0.5));
}

static Lowered lowerLeakyRelu(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  double alpha = node.real("alpha", 0.01f);
  Value x = node.operand(0), scaled = f.mul(x, alpha);
  if (alpha >= 0.0 && alpha <= 1.0)
    return f.max(x, scaled);
  return f.split(x, 0.0, scaled, x);
}

static Lowered lowerMish(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  // tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2) and e = e^x, where
  // nothing cancels. At the limit it is 1 to the last bit, and n is finite.
  Value x = node.operand(0);
  double limit = getElementTypeOrSelf(x.getType()).isF16() ? 5.5 : 20.0;
  Value e = f.exp(f.min(x, limit));
  Value n = f.mul(e, f.add(e, 2.0));
  return f.mul(x, f.div(n, f.add(n, 2.0)));
}

static Lowered lowerPRelu(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  Value x = node.operand(0);
  return f.split(x, 0.0, f.mul(x, node.operand(1)), x);
}

static Lowered lowerShrink(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  double bias = node.real("bias", 0.0f), lambda = node.real("lambd", 0.5f);
  Value x = node.operand(0), zero = ctx.scalarLike(0.0, x);
  Value isAbove = ctx.create<graph::GreaterOp>(x, ctx.scalarLike(lambda, x));
  Value above = ctx.create<graph::SelectOp>(isAbove, f.sub(x, bias), zero);
  return f.split(x, -lambda, f.add(x, bias), above);
}

static Lowered lowerSoftplus(NormalizeContext &ctx, const Node &node) {
  return Formula(ctx).softplus(node.operand(0));
}

static Lowered lowerSoftsign(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  Value x = node.operand(0);
  return f.div(x, f.add(f.abs(x), 1.0));
}

static Lowered lowerSwish(NormalizeContext &ctx, const Node &node) {
  Formula f(ctx);
  double alpha = node.real("alpha", 1.0f);
  Value x = node.operand(0);
  return f.mul(x, f.sigmoid(alpha == 1.0 ? x : f.mul(x, alpha)));
}

static Lowered lowerThresholdedRelu(NormalizeContext &ctx, const Node &node) {
  Value x = node.operand(0);
  Value limit = ctx.scalarLike(node.real("alpha", 1.0f), x);
  Value isAbove = ctx.create<graph::GreaterOp>(x, limit);
  return ctx.create<graph::SelectOp>(isAbove, x, ctx.scalarLike(0.0, x));
}

void normalize::populateActivationLowerings(LoweringTable &table) {
  table.add("Celu", lowerCelu);
  table.add("Elu", lowerElu);
  table.add("Gelu", lowerGelu);
  table.add("HardSigmoid", lowerHardSigmoid);
  table.add("HardSwish", lowerHardSwish);
  table.add("LeakyRelu", lowerLeakyRelu);
  table.add("Mish", lowerMish);
  table.add("PRelu", lowerPRelu);
  table.add("Selu", lowerSelu);
  table.add("Shrink", lowerShrink);
  table.add("Softplus", lowerSoftplus);
  table.add("Softsign", lowerSoftsign);
  table.add("Swish", lowerSwish);
  table.add("ThresholdedRelu", lowerThresholdedRelu);
}
