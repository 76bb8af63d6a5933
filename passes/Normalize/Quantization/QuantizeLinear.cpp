//===- QuantizeLinear.cpp - real numbers to integers ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file rounds to even and lets the cast saturate.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Quantization/Quantization.h"

using namespace tenon;
using namespace tenon::normalize;

/// The element type of the result: of the zero point, else as stated.
static mlir::Type resultElement(const Node &node) {
  if (node.operand(2))
    return node.type(2).getElementType();
  constexpr int64_t kUnsignedByte = 2;
  int64_t stated = node.integer("output_dtype", 0);
  return onnx::elementType(stated ? stated : kUnsignedByte, node.context());
}

Lowered normalize::lowerQuantizeLinear(NormalizeContext &ctx,
                                       const Node &node) {
  mlir::Type element = resultElement(node);
  if (!element || !mlir::isa<mlir::IntegerType>(element))
    return ctx.unsupported("only quantisation to integers is supported");
  mlir::Type real = ctx.builder().getF32Type();
  Value scale = ctx.cast(quantizationParameter(ctx, node, 1), real);
  Value result = ctx.create<graph::RoundOp>(
      ctx.create<graph::DivOp>(ctx.cast(node.operand(0), real), scale));
  if (node.operand(2))
    result = ctx.create<graph::AddOp>(
        result, ctx.cast(quantizationParameter(ctx, node, 2), real));
  return ctx.cast(result, element);
}
