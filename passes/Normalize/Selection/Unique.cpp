//===- Unique.cpp - each element once -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gives the results of the primitive their types.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "passes/Normalize/Selection/Selection.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerUnique(NormalizeContext &ctx, const Node &node) {
  bool hasAxis = node.has("axis");
  auto axis =
      ctx.axis(node.integer("axis", 0), hasAxis ? node.type(0).getRank() : 1);
  if (!axis)
    return mlir::failure();
  mlir::Attribute whole = sizeDim(node.context(), 1);
  for (auto [index, dim] : llvm::enumerate(dimsOf(node.type(0))))
    if (!hasAxis || int64_t(index) == *axis)
      whole = graph::multiplyDims(whole, dim);
  if (!whole)
    return ctx.unsupported(kUnknownShape);
  mlir::Attribute count =
      freshSymbol(ctx, "_0_" + llvm::Twine(*axis),
                  graph::boundsOf(whole, ctx.symbols()).max);
  Dims values = hasAxis ? dimsOf(node.type(0)) : Dims(1);
  values[*axis] = count;
  mlir::Type i64 = ctx.builder().getI64Type();
  mlir::Type types[] = {typeFromDims(values, node.type(0).getElementType()),
                        typeFromDims(count, i64), typeFromDims(whole, i64),
                        typeFromDims(count, i64)};
  SmallVector<Value> results = ctx.callAll(
      "unique", node.operand(0),
      {hasAxis, hasAxis ? *axis : 0, node.flag("sorted", true)}, types);
  results.resize(node.numResults());
  return results;
}
