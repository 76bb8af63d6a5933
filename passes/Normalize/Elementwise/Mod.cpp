//===- Mod.cpp - remainders -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads whose sign the remainder has.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerMod(NormalizeContext &ctx, const Node &node) {
  return ctx.create<graph::ModOp>(node.operand(0), node.operand(1),
                                  node.flag("fmod", false));
}
