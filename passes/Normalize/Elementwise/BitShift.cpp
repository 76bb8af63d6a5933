//===- BitShift.cpp - shifts of unsigned integers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file picks the direction.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerBitShift(NormalizeContext &ctx, const Node &node) {
  if (node.string("direction", "") == "LEFT")
    return ctx.create<graph::ShiftLeftOp>(node.operand(0), node.operand(1));
  if (node.string("direction", "") == "RIGHT")
    return ctx.create<graph::ShiftRightOp>(node.operand(0), node.operand(1));
  return ctx.unsupported("direction is neither LEFT nor RIGHT");
}
