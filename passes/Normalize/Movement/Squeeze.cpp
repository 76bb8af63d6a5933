//===- Squeeze.cpp - removal of unit dimensions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps the symbols of the other dimensions.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerSqueeze(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  Dims dims = dimsOf(type), kept;
  SmallVector<int64_t> axes;
  if (node.operand(1)) {
    auto listed = axesOperand(ctx, node, 1, type.getRank());
    if (!listed)
      return mlir::failure();
    axes = *listed;
  } else {
    if (!ctx.isStatic(node.operand(0)))
      return mlir::failure();
    for (int64_t axis : range(0, type.getRank()))
      if (type.getDimSize(axis) == 1)
        axes.push_back(axis);
  }
  mlir::Attribute one = sizeDim(node.context(), 1);
  auto keepsOne = [&](mlir::Attribute dim) {
    for (mlir::Attribute rest :
         {graph::subtractDims(dim, one), graph::subtractDims(one, dim)})
      (void)graph::demandNotNegative(rest, ctx.symbols());
  };
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(axes, int64_t(axis)))
      kept.push_back(dim);
    else if (!graph::isSymbolic(dim) && sizeOf(dim) != 1)
      return ctx.unsupported("a dimension to be removed is not 1");
    // Where no range says so, the reshape asks for it.
    else if (graph::isSymbolic(dim))
      keepsOne(dim);
  }
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(kept, type.getElementType()));
}
