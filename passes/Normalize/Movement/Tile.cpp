//===- Tile.cpp - repetition ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file broadcasts a dimension of one in front of each repeated dimension.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Shape/Shape.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerTile(NormalizeContext &ctx, const Node &node) {
  auto repeats = shapeOperand(ctx, node, 1);
  if (!repeats || !ctx.isStatic(node.operand(0)))
    return mlir::failure();
  ArrayRef<int64_t> in = node.type(0).getShape();
  if (repeats->size() != in.size())
    return ctx.unsupported("'repeats' does not fit the rank");
  SmallVector<int64_t> split, wide, out;
  for (auto [size, count] : llvm::zip(in, *repeats)) {
    int64_t repeated = 0;
    if (llvm::MulOverflow(size, count, repeated))
      return ctx.unsupported("'repeats' is too large");
    if (count != 1) {
      split.push_back(1);
      wide.push_back(count);
    }
    split.push_back(size);
    wide.push_back(size);
    out.push_back(repeated);
  }
  Value repeated = ctx.broadcast(ctx.reshape(node.operand(0), split), wide);
  return ctx.reshape(repeated, out);
}
