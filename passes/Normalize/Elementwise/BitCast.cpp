//===- BitCast.cpp - bits under another element type ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes bool for the byte that it is in ONNX.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

static Value bitcast(NormalizeContext &ctx, Value input, mlir::Type element) {
  if (!input || mlir::getElementTypeOrSelf(input) == element)
    return input;
  auto type = mlir::cast<RankedTensorType>(input.getType());
  return ctx.createTyped<graph::BitcastOp>(type.clone(element), input);
}

Lowered normalize::lowerBitCast(NormalizeContext &ctx, const Node &node) {
  mlir::Type to = onnx::elementType(node.integer("to", 0), node.context());
  if (!to || !to.isIntOrFloat())
    return ctx.unsupported("'to' names no type of numbers");
  mlir::Type from = node.type(0).getElementType();
  mlir::Type byte = ctx.builder().getIntegerType(8, /*isSigned=*/false);
  auto asByte = [&](mlir::Type type) {
    return type.isInteger(1) ? byte : type;
  };
  if (asByte(from).getIntOrFloatBitWidth() !=
      asByte(to).getIntOrFloatBitWidth())
    return ctx.unsupported("the types of input and output differ in width");
  Value bits =
      bitcast(ctx, ctx.cast(node.operand(0), asByte(from)), asByte(to));
  return ctx.cast(bits, to);
}
