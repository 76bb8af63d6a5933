//===- Trilu.cpp - triangles of matrices ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file selects by a comparison of row and column numbers.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// Beyond the matrix all diagonals are the same.
static int64_t clampDiagonal(int64_t diagonal, mlir::Attribute rows,
                             mlir::Attribute columns) {
  // More elements than any open dimension has.
  constexpr int64_t most = int64_t(1) << 40;
  int64_t low = graph::isSymbolic(rows) ? most : sizeOf(rows);
  int64_t high = graph::isSymbolic(columns) ? most : sizeOf(columns);
  return std::clamp<int64_t>(diagonal, -low - 1, high + 1);
}

/// The number of the diagonal, which data may give, of rank 0.
static Value diagonalOf(NormalizeContext &ctx, const Node &node,
                        mlir::Attribute rows, mlir::Attribute columns) {
  mlir::Type i64 = ctx.builder().getI64Type();
  if (!node.operand(1))
    return ctx.scalar(0.0, i64);
  auto k = ctx.constantInts(node.operand(1));
  if (k && k->size() == 1)
    return ctx.scalar(double(clampDiagonal(k->front(), rows, columns)), i64);
  return ctx.reshape(ctx.cast(onlyElement(ctx, node.operand(1)), i64), {});
}

Lowered normalize::lowerTrilu(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  int64_t rank = type.getRank();
  if (rank < 2)
    return ctx.unsupported("the operand is not a matrix");
  Dims dims = dimsOf(type);
  mlir::Attribute one = sizeDim(node.context(), 1);
  Value rows = ctx.indices(Dims{dims[rank - 2], one}, 0);
  Value columns = ctx.indices(Dims{one, dims[rank - 1]}, 1);
  Value moved = ctx.create<graph::AddOp>(
      rows, diagonalOf(ctx, node, dims[rank - 2], dims[rank - 1]));
  Value keep = node.flag("upper", true)
                   ? ctx.create<graph::GreaterEqualOp>(columns, moved)
                   : ctx.create<graph::LessEqualOp>(columns, moved);
  return ctx.create<graph::SelectOp>(keep, node.operand(0),
                                     ctx.scalarLike(0.0, node.operand(0)));
}
