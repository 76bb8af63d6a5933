//===- Cast.cpp - conversion of the element type --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads ONNX's number of the target type and what is said about
// numbers that it does not hold.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::castAsStated(NormalizeContext &ctx, const Node &node,
                                mlir::Type element) {
  auto mode = graph::symbolizeRoundMode(node.string("round_mode", "up"));
  if (!mode)
    return ctx.unsupported("'round_mode' is none of up, down, nearest");
  // Written down where it says something, so that equal casts look equal.
  bool saturate = true;
  if (auto small = mlir::dyn_cast<mlir::FloatType>(element);
      small && small.getWidth() == 8)
    saturate = node.flag("saturate", true);
  if (!mlir::isa<mlir::Float8E8M0FNUType>(element))
    mode = graph::RoundMode::Nearest;
  RankedTensorType type = node.type(0);
  if (type.getElementType() == element)
    return node.operand(0);
  return ctx.createTyped<graph::CastOp>(type.clone(element), node.operand(0),
                                        saturate, *mode);
}

Lowered normalize::lowerCast(NormalizeContext &ctx, const Node &node) {
  mlir::Type element = onnx::elementType(node.integer("to", 0), node.context());
  if (!element)
    return ctx.unsupported("'to' names no element type");
  return castAsStated(ctx, node, element);
}
