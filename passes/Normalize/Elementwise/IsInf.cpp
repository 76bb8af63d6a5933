//===- IsInf.cpp - detection of infinities --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads which signs count.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerIsInf(NormalizeContext &ctx, const Node &node) {
  return ctx.create<graph::IsInfOp>(node.operand(0),
                                    node.flag("detect_negative", true),
                                    node.flag("detect_positive", true));
}
