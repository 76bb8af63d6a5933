//===- Clip.cpp - limits to a range ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes a maximum and a minimum of the bounds that are there.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

/// Bounds are scalars, but some exporters write vectors of one element, which
/// must not raise the rank of the result.
static Value bound(NormalizeContext &ctx, const Node &node, unsigned index) {
  if (node.type(index).getNumElements() != 1) {
    (void)ctx.unsupported("a bound is not a scalar");
    return {};
  }
  return ctx.reshape(node.operand(index), {});
}

Lowered normalize::lowerClip(NormalizeContext &ctx, const Node &node) {
  Value result = node.operand(0);
  if (node.operand(1) && ctx.isStatic(node.operand(1)))
    result = ctx.create<graph::MaxOp>(result, bound(ctx, node, 1));
  if (node.operand(2) && ctx.isStatic(node.operand(2)))
    result = ctx.create<graph::MinOp>(result, bound(ctx, node, 2));
  return result;
}
