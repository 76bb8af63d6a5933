//===- Cast.cpp - conversion of the element type --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads ONNX's number of the target type.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerCast(NormalizeContext &ctx, const Node &node) {
  mlir::Type element = onnx::elementType(node.integer("to", 0), node.context());
  if (!element)
    return ctx.unsupported("'to' names no element type");
  return ctx.cast(node.operand(0), element);
}
