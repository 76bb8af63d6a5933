//===- Concat.cpp - joining along an axis ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file passes a single operand through.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerConcat(NormalizeContext &ctx, const Node &node) {
  auto axis = ctx.axis(node.integer("axis", 0), node.type(0).getRank());
  if (!axis)
    return mlir::failure();
  if (node.allOperands().size() == 1)
    return node.operand(0);
  return ctx.create<graph::ConcatOp>(SmallVector<Value>(node.allOperands()),
                                     *axis);
}
