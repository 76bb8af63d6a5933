//===- ScatterND.cpp - slices by index tuples -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file folds the indexed dimensions into one and scatters to it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Movement/Scatter.h"

using namespace tenon;
using namespace tenon::normalize;

/// Whether updates have a slice for each tuple.
static bool fits(const Node &node) {
  ArrayRef<int64_t> data = node.type(0).getShape(),
                    indices = node.type(1).getShape();
  if (indices.empty() || indices.back() < 1 ||
      indices.back() > int64_t(data.size()))
    return false;
  SmallVector<int64_t> expected(indices.drop_back());
  llvm::append_range(expected, data.drop_front(indices.back()));
  return ArrayRef<int64_t>(expected) == node.type(2).getShape();
}

Lowered normalize::lowerScatterND(NormalizeContext &ctx, const Node &node) {
  auto kind = scatterKind(ctx, node);
  if (!kind || !ctx.isStatic(node.operand(0)) ||
      !ctx.isStatic(node.operand(1)) || !ctx.isStatic(node.operand(2)))
    return mlir::failure();
  if (!fits(node))
    return ctx.unsupported("index tuples and updates do not fit the data");
  int64_t tuple = node.type(1).getShape().back();
  ArrayRef<int64_t> sizes = node.type(0).getShape().take_front(tuple);
  Value tuples = ctx.cast(node.operand(1), ctx.builder().getI64Type());
  Value linear =
      linearIndex(ctx, tupleParts(ctx, tuples, sizes), {}, product(sizes));
  return scatterRows(ctx, node.operand(0), linear, node.operand(2), tuple,
                     *kind);
}
