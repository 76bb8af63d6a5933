//===- MatMul.cpp - matrix product as numpy's -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gives vectors the dimension that a matrix product wants.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"

using namespace tenon;
using namespace tenon::normalize;

static Value insertUnit(NormalizeContext &ctx, Value value, int64_t position) {
  auto type = mlir::cast<RankedTensorType>(value.getType());
  Dims dims = dimsOf(type);
  dims.insert(dims.begin() + position, sizeDim(type.getContext(), 1));
  return ctx.reshapeTo(value, typeFromDims(dims, type.getElementType()));
}

/// Removes the unit dimension that insertUnit added, counted from the end.
static Value dropUnit(NormalizeContext &ctx, Value value, int64_t fromEnd) {
  if (!value)
    return {};
  auto type = mlir::cast<RankedTensorType>(value.getType());
  Dims dims = dimsOf(type);
  dims.erase(dims.end() - fromEnd);
  return ctx.reshapeTo(value, typeFromDims(dims, type.getElementType()));
}

Lowered normalize::lowerMatMul(NormalizeContext &ctx, const Node &node) {
  Value lhs = node.operand(0), rhs = node.operand(1);
  if (node.type(0).getRank() == 0 || node.type(1).getRank() == 0)
    return ctx.unsupported("a matrix product has no scalar operands");
  bool isRow = node.type(0).getRank() == 1;
  bool isColumn = node.type(1).getRank() == 1;
  if (isRow)
    lhs = insertUnit(ctx, lhs, 0);
  if (isColumn)
    rhs = insertUnit(ctx, rhs, 1);
  Value result = ctx.create<graph::MatmulOp>(lhs, rhs, false, false);
  if (isColumn)
    result = dropUnit(ctx, result, 1);
  if (isRow)
    result = dropUnit(ctx, result, isColumn ? 1 : 2);
  return result;
}
