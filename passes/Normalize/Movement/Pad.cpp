//===- Pad.cpp - borders --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file spreads the pads over all dimensions and reads the mode.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tenon;
using namespace tenon::normalize;

static std::optional<graph::PadMode> modeOf(const Node &node) {
  return llvm::StringSwitch<std::optional<graph::PadMode>>(
             node.string("mode", "constant"))
      .Case("constant", graph::PadMode::Constant)
      .Case("reflect", graph::PadMode::Reflect)
      .Case("edge", graph::PadMode::Edge)
      .Case("wrap", graph::PadMode::Wrap)
      .Default(std::nullopt);
}

Lowered normalize::lowerPad(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank();
  auto mode = modeOf(node);
  auto elements = elementsOf(ctx, node.operand(1), "pads");
  auto pads = elements ? knownOrExtents(ctx, *elements) : std::nullopt;
  if (!pads)
    return mlir::failure();
  SmallVector<int64_t> axes = range(0, rank);
  if (node.operand(3)) {
    auto listed = axesOperand(ctx, node, 3, rank);
    if (!listed)
      return mlir::failure();
    axes = *listed;
  }
  auto isHuge = [](mlir::Attribute width) {
    int64_t high = sizeOf(width) >> 40;
    return !graph::isSymbolic(width) && high != 0 && high != -1;
  };
  if (!mode || pads->size() != 2 * axes.size() || llvm::any_of(*pads, isHuge))
    return ctx.unsupported("'mode' or 'pads' does not fit");
  mlir::Attribute zero = sizeDim(node.context(), 0);
  Dims low(rank, zero), high(rank, zero);
  for (auto [index, axis] : llvm::enumerate(axes)) {
    low[axis] = (*pads)[index];
    high[axis] = (*pads)[index + axes.size()];
  }
  Value fill;
  if (*mode == graph::PadMode::Constant && node.operand(2))
    fill = ctx.reshape(node.operand(2), {});
  else if (*mode == graph::PadMode::Constant)
    fill = ctx.scalarLike(0.0, node.operand(0));
  if (llvm::all_of(*pads, [&](mlir::Attribute pad) { return pad == zero; }))
    return node.operand(0);
  graph::SplitDims lows = graph::splitDims(node.context(), low);
  graph::SplitDims highs = graph::splitDims(node.context(), high);
  return ctx.create<graph::PadOp>(node.operand(0), Optional{fill}, lows.numbers,
                                  highs.numbers, *mode, lows.dims, highs.dims);
}
