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
  if (!ctx.isStatic(node.operand(0)))
    return mlir::failure();
  int64_t block = node.integer("blocksize", 0);
  bool fits = type.getRank() == 4 && block >= 1 && block < (1 << 15) &&
              type.getDimSize(1) % (block * block) == 0;
  if (!fits)
    return ctx.unsupported("blocksize does not divide the channels");
  ArrayRef<int64_t> in = type.getShape();
  int64_t depth = in[1] / (block * block);
  StringRef mode = node.string("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return ctx.unsupported("'mode' is neither DCR nor CRD");
  bool depthFirst = mode == "CRD";
  SmallVector<int64_t> split{in[0], block, block, depth, in[2], in[3]};
  SmallVector<int64_t> order{0, 3, 4, 1, 5, 2};
  if (depthFirst) {
    split = {in[0], depth, block, block, in[2], in[3]};
    order = {0, 1, 4, 2, 5, 3};
  }
  Value parts = ctx.transpose(ctx.reshape(node.operand(0), split), order);
  return ctx.reshape(parts, {in[0], depth, in[2] * block, in[3] * block});
}
