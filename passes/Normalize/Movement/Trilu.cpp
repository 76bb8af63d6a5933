//===- Trilu.cpp - triangles of matrices ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file selects by a comparison of row and column numbers.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerTrilu(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  int64_t rank = type.getRank(), diagonal = 0;
  if (rank < 2)
    return ctx.unsupported("the operand is not a matrix");
  if (!ctx.isStatic(node.operand(0)))
    return mlir::failure();
  if (node.operand(1)) {
    auto k = ctx.constantInts(node.operand(1));
    if (!k || k->size() != 1)
      return ctx.unsupported("'k' is not known at compile time");
    // Beyond the matrix all diagonals are the same.
    diagonal = std::clamp<int64_t>(k->front(), -type.getDimSize(rank - 2) - 1,
                                   type.getDimSize(rank - 1) + 1);
  }
  Value rows = ctx.indices({type.getDimSize(rank - 2), 1}, 0);
  Value columns = ctx.indices({1, type.getDimSize(rank - 1)}, 1);
  Value moved =
      ctx.create<graph::AddOp>(rows, ctx.scalarLike(double(diagonal), rows));
  Value keep = node.flag("upper", true)
                   ? ctx.create<graph::GreaterEqualOp>(columns, moved)
                   : ctx.create<graph::LessEqualOp>(columns, moved);
  return ctx.create<graph::SelectOp>(keep, node.operand(0),
                                     ctx.scalarLike(0.0, node.operand(0)));
}
