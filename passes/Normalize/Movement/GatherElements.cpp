//===- GatherElements.cpp - elements by their numbers along an axis -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the axis.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerGatherElements(NormalizeContext &ctx,
                                       const Node &node) {
  auto axis = ctx.axis(node.integer("axis", 0), node.type(0).getRank());
  if (!axis)
    return mlir::failure();
  return ctx.create<graph::GatherElementsOp>(node.operand(0), node.operand(1),
                                             *axis);
}
