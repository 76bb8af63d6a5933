//===- Size.cpp - the number of elements ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes a constant of it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerSize(NormalizeContext &ctx, const Node &node) {
  if (!ctx.isStatic(node.operand(0)))
    return mlir::failure();
  Value count = ctx.vector({node.type(0).getNumElements()});
  return ctx.reshape(count, {});
}
