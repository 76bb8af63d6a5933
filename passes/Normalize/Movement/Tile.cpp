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
  if (!repeats)
    return mlir::failure();
  RankedTensorType type = node.type(0);
  if (int64_t(repeats->size()) != type.getRank())
    return ctx.unsupported("'repeats' does not fit the rank");
  Dims split, wide, out;
  for (auto [dim, count] : llvm::zip(dimsOf(type), *repeats)) {
    int64_t repeated = 0;
    if (!dim)
      return ctx.unsupported(kUnknownShape);
    bool areNumbers = !graph::isSymbolic(dim) && !graph::isSymbolic(count);
    if (areNumbers && llvm::MulOverflow(sizeOf(dim), sizeOf(count), repeated))
      return ctx.unsupported("'repeats' is too large");
    if (sizeOf(count) != 1) {
      split.push_back(sizeDim(node.context(), 1));
      wide.push_back(count);
    }
    split.push_back(dim);
    wide.push_back(dim);
    out.push_back(graph::multiplyDims(dim, count));
  }
  mlir::Type element = type.getElementType();
  Value value = ctx.reshapeTo(node.operand(0), typeFromDims(split, element));
  RankedTensorType wideType = typeFromDims(wide, element);
  if (value && value.getType() != wideType)
    value = ctx.createTyped<graph::BroadcastOp>(wideType, value);
  return ctx.reshapeTo(value, typeFromDims(out, element));
}
