//===- Table.cpp - views and data movement --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators and reads the operands they share.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

std::optional<SmallVector<int64_t>>
normalize::listOperand(NormalizeContext &ctx, const Node &node, unsigned index,
                       StringRef name) {
  auto list = ctx.constantInts(node.operand(index));
  if (!list)
    (void)ctx.unsupported("'" + name + "' is not known at compile time");
  return list;
}

std::optional<SmallVector<int64_t>>
normalize::axesOperand(NormalizeContext &ctx, const Node &node, unsigned index,
                       int64_t rank) {
  auto axes = listOperand(ctx, node, index, "axes");
  if (!axes)
    return std::nullopt;
  SmallVector<bool> seen(std::max<int64_t>(rank, 0));
  for (int64_t &axis : *axes) {
    auto checked = ctx.axis(axis, rank);
    if (!checked)
      return std::nullopt;
    axis = *checked;
    if (seen[axis]) {
      (void)ctx.unsupported("an axis is named twice");
      return std::nullopt;
    }
    seen[axis] = true;
  }
  return axes;
}

static Lowered lowerConstant(NormalizeContext &ctx, const Node &node) {
  mlir::ElementsAttr value = node.tensor("value");
  return value ? Lowered(ctx.constant(value))
               : Lowered(ctx.unsupported("'value' is missing"));
}

static Lowered lowerIdentity(NormalizeContext &ctx, const Node &node) {
  return node.operand(0);
}

void normalize::populateMovementLowerings(LoweringTable &table) {
  table.add("Col2Im", lowerCol2Im);
  table.add("Concat", lowerConcat);
  table.add("Constant", lowerConstant);
  table.add("DepthToSpace", lowerDepthToSpace);
  table.add("Dropout", lowerDropout);
  table.add("Expand", lowerExpand);
  table.add("EyeLike", lowerEyeLike);
  table.add("Flatten", lowerFlatten);
  table.add("Gather", lowerGather);
  table.add("GatherElements", lowerGatherElements);
  table.add("GatherND", lowerGatherND);
  table.add("Identity", lowerIdentity);
  table.add("MaxUnpool", lowerMaxUnpool);
  table.add("OneHot", lowerOneHot);
  table.add("Pad", lowerPad);
  table.add("Reshape", lowerReshape);
  table.add("Resize", lowerResize);
  table.add("ReverseSequence", lowerReverseSequence);
  table.add("ScatterElements", lowerScatterElements);
  table.add("ScatterND", lowerScatterND);
  table.add("Slice", lowerSlice);
  table.add("SpaceToDepth", lowerSpaceToDepth);
  table.add("Split", lowerSplit);
  table.add("Squeeze", lowerSqueeze);
  table.add("TensorScatter", lowerTensorScatter);
  table.add("Tile", lowerTile);
  table.add("Transpose", lowerTranspose);
  table.add("Trilu", lowerTrilu);
  table.add("Unsqueeze", lowerUnsqueeze);
}
