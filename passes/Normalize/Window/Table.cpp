//===- Table.cpp - pooling ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators; global pooling is a reduction.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Window/Window.h"

using namespace tenon;
using namespace tenon::normalize;

/// Reduces all dimensions behind the channels.
template <typename OpTy>
static Lowered global(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank();
  if (rank < 3)
    return ctx.unsupported("the input has no spatial dimensions");
  return ctx.create<OpTy>(node.operand(0), range(2, rank), true);
}

std::optional<Pool> normalize::readPool(NormalizeContext &ctx,
                                        const Node &node) {
  auto spatial = readSpatial(ctx, node, node.integers("kernel_shape"));
  if (!spatial ||
      !resolveWindows(ctx, node, *spatial, node.flag("ceil_mode", false)))
    return std::nullopt;
  Dims dims = dimsOf(node.type(0));
  llvm::copy(spatial->dims, dims.begin() + 2);
  return Pool{*spatial, typeFromDims(dims, node.type(0).getElementType())};
}

void normalize::populateWindowLowerings(LoweringTable &table) {
  table.add("AveragePool", lowerAveragePool);
  table.add("GlobalAveragePool", global<graph::ReduceMeanOp>);
  table.add("GlobalLpPool", lowerGlobalLpPool);
  table.add("GlobalMaxPool", global<graph::ReduceMaxOp>);
  table.add("LpPool", lowerLpPool);
  table.add("MaxPool", lowerMaxPool);
}
