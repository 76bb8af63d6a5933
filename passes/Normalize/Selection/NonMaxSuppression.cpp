//===- NonMaxSuppression.cpp - boxes that overlap no better one -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file passes operands that are left out.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "passes/Normalize/Selection/Selection.h"

using namespace tenon;
using namespace tenon::normalize;

/// What stands for an operand that is left out before others.
static Value absent(NormalizeContext &ctx, mlir::Type element) {
  return ctx.call(
      "optional", {}, {},
      control::OptionalType::get(element.getContext(),
                                 RankedTensorType::get({}, element)));
}

Lowered normalize::lowerNonMaxSuppression(NormalizeContext &ctx,
                                          const Node &node) {
  if (node.type(0).getRank() != 3 || node.type(1).getRank() != 3)
    return ctx.unsupported("boxes and scores do not fit");
  mlir::Type i64 = ctx.builder().getI64Type();
  auto most = node.operand(2) ? ctx.constantInts(node.operand(2))
                              : SmallVector<int64_t>{0};
  // ONNX chooses none where nobody says how many.
  if (most && most->size() == 1 && most->front() <= 0)
    return ctx.splat(0.0, RankedTensorType::get({0, 3}, i64));
  SmallVector<Value> operands{node.operand(0), node.operand(1)};
  for (unsigned index = 2; index < node.allOperands().size(); ++index)
    operands.push_back(
        node.operand(index)
            ? node.operand(index)
            : absent(ctx, index == 2 ? i64 : ctx.builder().getF32Type()));
  mlir::Attribute count =
      freshSymbol(ctx, "_0_0", mostElements(ctx, node.type(1)));
  return ctx.call("non_max_suppression", operands,
                  node.integer("center_point_box", 0),
                  typeFromDims({count, sizeDim(node.context(), 3)}, i64));
}
