//===- LRN.cpp - local response normalisation -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the parameters.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerLRN(NormalizeContext &ctx, const Node &node) {
  int64_t size = node.integer("size", 0);
  if (size < 1)
    return ctx.unsupported("'size' must be positive");
  return ctx.create<graph::LrnOp>(node.operand(0), size,
                                  llvm::APFloat(node.real("alpha", 0.0001f)),
                                  llvm::APFloat(node.real("beta", 0.75f)),
                                  llvm::APFloat(node.real("bias", 1.0f)));
}
