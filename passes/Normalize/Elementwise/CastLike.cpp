//===- CastLike.cpp - conversion to another tensor's element type ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the type off the second operand.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerCastLike(NormalizeContext &ctx, const Node &node) {
  return castAsStated(ctx, node, node.type(1).getElementType());
}
