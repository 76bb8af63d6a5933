//===- QuantizeLinear.cpp - real numbers to integers ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file rounds to even where integers are wanted, and saturates.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/SmallTypes.h"
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

/// What is divided in: as stated, else the scale's type where it can divide.
static mlir::Type quotientElement(NormalizeContext &ctx, const Node &node) {
  mlir::Type element = node.type(1).getElementType();
  if (int64_t stated = node.integer("precision", 0))
    element = onnx::elementType(stated, node.context());
  if (element && element.isInteger(32))
    return ctx.builder().getF64Type();
  if (element && graph::isSmall(element))
    return ctx.builder().getF32Type();
  return element;
}

/// Floats keep their fractions, and have no zero point but 0 if they are f8.
static Value narrowed(NormalizeContext &ctx, const Node &node, Value quotient,
                      mlir::FloatType element) {
  if (!quotient)
    return {};
  auto zeros = ctx.constantReals(node.operand(2));
  bool isZero = zeros && llvm::all_of(*zeros, [](double z) { return z == 0; });
  if (node.operand(2) && element.getWidth() < 8 && !isZero)
    quotient = ctx.create<graph::AddOp>(
        quotient, ctx.cast(quantizationParameter(ctx, node, 2),
                           mlir::getElementTypeOrSelf(quotient)));
  if (!quotient)
    return {};
  auto type = mlir::cast<RankedTensorType>(quotient.getType()).clone(element);
  return ctx.createTyped<graph::CastOp>(type, quotient,
                                        node.flag("saturate", true));
}

Lowered normalize::lowerQuantizeLinear(NormalizeContext &ctx,
                                       const Node &node) {
  mlir::Type element = resultElement(node);
  auto floating = mlir::dyn_cast_or_null<mlir::FloatType>(element);
  bool isPower = mlir::isa_and_nonnull<mlir::Float8E8M0FNUType>(element);
  if (!element || isPower || (floating && !graph::isSmall(element)))
    return ctx.unsupported("the result has no type to quantise to");
  mlir::Type real = quotientElement(ctx, node);
  if (!real || !mlir::isa<mlir::FloatType>(real))
    return ctx.unsupported("'precision' is not a floating-point type");
  Value quotient = ctx.create<graph::DivOp>(
      ctx.cast(node.operand(0), real),
      ctx.cast(quantizationParameter(ctx, node, 1), real));
  if (floating)
    return narrowed(ctx, node, quotient, floating);
  // Sixteen bits would round the sum with a zero point.
  Value whole = ctx.create<graph::RoundOp>(quotient);
  if (real.getIntOrFloatBitWidth() < 32)
    whole = ctx.cast(whole, ctx.builder().getF32Type());
  Value zero;
  if (node.operand(2) && !(zero = quantizationParameter(ctx, node, 2)))
    return mlir::failure();
  return saturated(ctx, whole, zero, element);
}
