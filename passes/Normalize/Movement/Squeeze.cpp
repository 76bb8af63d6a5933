//===- Squeeze.cpp - removal of unit dimensions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps the symbols of the other dimensions.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// All that have one element. Where symbols leave that open, the rank that the
/// model states for the result says whether they all do or none does.
static std::optional<SmallVector<int64_t>> unitAxes(NormalizeContext &ctx,
                                                    const Node &node) {
  SmallVector<int64_t> units, open;
  for (auto [axis, dim] : llvm::enumerate(dimsOf(node.type(0))))
    if (!dim || graph::isSymbolic(dim))
      open.push_back(axis);
    else if (sizeOf(dim) == 1)
      units.push_back(axis);
  if (open.empty())
    return units;
  auto stated = mlir::dyn_cast<RankedTensorType>(
      node.operation()->getResult(0).getType());
  int64_t most = node.type(0).getRank() - int64_t(units.size());
  if (stated && stated.getRank() == most)
    return units;
  if (stated && stated.getRank() == most - int64_t(open.size())) {
    units.append(open);
    llvm::sort(units);
    return units;
  }
  (void)ctx.unsupported("which dimensions it removes depends on sizes that are "
                        "not known, and no rank is stated for its result");
  return std::nullopt;
}

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
    auto found = unitAxes(ctx, node);
    if (!found)
      return mlir::failure();
    axes = *found;
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
