//===- DequantizeLinear.cpp - integers to real numbers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file subtracts the zero point and multiplies by the scale.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/SmallTypes.h"
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Quantization/Quantization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerDequantizeLinear(NormalizeContext &ctx,
                                         const Node &node) {
  mlir::Type element = node.type(1).getElementType();
  if (int64_t stated = node.integer("output_dtype", 0))
    element = onnx::elementType(stated, node.context());
  if (!element || !mlir::isa<mlir::FloatType>(element) ||
      graph::isSmall(element))
    return ctx.unsupported("'output_dtype' is not a floating-point type");
  mlir::Type real = ctx.builder().getF32Type();
  Value result = ctx.cast(node.operand(0), real);
  if (node.operand(2))
    result = ctx.create<graph::SubOp>(
        result, ctx.cast(quantizationParameter(ctx, node, 2), real));
  Value scale = ctx.cast(quantizationParameter(ctx, node, 1), real);
  return ctx.cast(ctx.create<graph::MulOp>(result, scale), element);
}
