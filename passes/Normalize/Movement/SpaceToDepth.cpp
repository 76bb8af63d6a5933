//===- SpaceToDepth.cpp - blocks of pixels to channels --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file splits, transposes and joins dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerSpaceToDepth(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  if (!ctx.isStatic(node.operand(0)))
    return mlir::failure();
  int64_t block = node.integer("blocksize", 0);
  bool fits = type.getRank() == 4 && block >= 1 && block < (1 << 15) &&
              type.getDimSize(2) % block == 0 &&
              type.getDimSize(3) % block == 0;
  if (!fits)
    return ctx.unsupported("blocksize does not divide the image");
  ArrayRef<int64_t> in = type.getShape();
  int64_t height = in[2] / block, width = in[3] / block;
  SmallVector<int64_t> split{in[0], in[1], height, block, width, block};
  Value parts =
      ctx.transpose(ctx.reshape(node.operand(0), split), {0, 3, 5, 1, 2, 4});
  return ctx.reshape(parts, {in[0], in[1] * block * block, height, width});
}
