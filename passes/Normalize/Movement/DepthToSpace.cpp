//===- DepthToSpace.cpp - channels to blocks of pixels --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file splits, transposes and joins dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerDepthToSpace(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  int64_t block = node.integer("blocksize", 0);
  Dims in = dimsOf(type);
  bool fits =
      in.size() == 4 && block >= 1 && block < (1 << 15) && in[1] &&
      (graph::isSymbolic(in[1]) || sizeOf(in[1]) % (block * block) == 0);
  if (!fits)
    return ctx.unsupported("blocksize does not divide the channels");
  auto number = [&](int64_t size) { return sizeDim(node.context(), size); };
  mlir::Attribute side = number(block);
  mlir::Attribute depth = graph::floorDivDim(in[1], block * block);
  mlir::Type element = type.getElementType();
  StringRef mode = node.string("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return ctx.unsupported("'mode' is neither DCR nor CRD");
  bool depthFirst = mode == "CRD";
  Dims split{in[0], side, side, depth, in[2], in[3]};
  SmallVector<int64_t> order{0, 3, 4, 1, 5, 2};
  if (depthFirst) {
    split = {in[0], depth, side, side, in[2], in[3]};
    order = {0, 1, 4, 2, 5, 3};
  }
  Value parts = ctx.transpose(
      ctx.reshapeTo(node.operand(0), typeFromDims(split, element)), order);
  Dims joined{in[0], depth, graph::affineDim(in[2], block, 0),
              graph::affineDim(in[3], block, 0)};
  return ctx.reshapeTo(parts, typeFromDims(joined, element));
}
