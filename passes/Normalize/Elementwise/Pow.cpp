//===- Pow.cpp - powers ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies out small constant exponents.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

/// The exponent if it is a constant scalar that leaves the base's shape alone.
static std::optional<double> constantExponent(NormalizeContext &ctx,
                                              const Node &node) {
  auto exponent = ctx.constantReals(node.operand(1));
  if (!exponent || exponent->size() != 1 ||
      node.type(1).getRank() > node.type(0).getRank())
    return std::nullopt;
  return exponent->front();
}

Lowered normalize::lowerPow(NormalizeContext &ctx, const Node &node) {
  Value base = node.operand(0);
  auto exponent = constantExponent(ctx, node);
  if (exponent == 1.0)
    return base;
  if (exponent == 2.0)
    return ctx.create<graph::MulOp>(base, base);
  if (exponent == 3.0)
    return ctx.create<graph::MulOp>(ctx.create<graph::MulOp>(base, base), base);
  return ctx.create<graph::PowOp>(base, node.operand(1));
}
