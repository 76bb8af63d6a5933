//===- MatMulInteger.cpp - matrix product of bytes ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies in i32, zero points taken off before.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Quantization/Quantization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerMatMulInteger(NormalizeContext &ctx, const Node &node) {
  if (node.type(0).getRank() < 2 || node.type(1).getRank() < 2)
    return ctx.unsupported("both operands must be matrices");
  mlir::Type wide = ctx.builder().getI32Type();
  Value lhs = ctx.cast(node.operand(0), wide);
  Value rhs = ctx.cast(node.operand(1), wide);
  if (node.operand(2)) {
    if (!ctx.isStatic(node.operand(2)))
      return mlir::failure();
    // One zero point per row stands in a vector, which is a column here.
    Value zero = ctx.cast(node.operand(2), wide);
    if (node.type(2).getRank() == 1)
      zero = ctx.reshape(zero, {node.type(2).getNumElements(), 1});
    lhs = ctx.create<graph::SubOp>(lhs, zero);
  }
  if (node.operand(3))
    rhs = ctx.create<graph::SubOp>(rhs, ctx.cast(node.operand(3), wide));
  return ctx.create<graph::MatmulOp>(lhs, rhs, false, false);
}
