//===- Size.cpp - the number of elements ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies the dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerSize(NormalizeContext &ctx, const Node &node) {
  mlir::Attribute count = sizeDim(node.context(), 1);
  for (mlir::Attribute dim : dimsOf(node.type(0)))
    count = graph::multiplyDims(count, dim);
  return ctx.sizes(count, RankedTensorType::get(
                              {}, mlir::IntegerType::get(node.context(), 64)));
}
