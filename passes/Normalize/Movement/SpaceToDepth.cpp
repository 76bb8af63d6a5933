//===- SpaceToDepth.cpp - blocks of pixels to channels --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file splits, transposes and joins dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

static bool mayDivide(int64_t extent, int64_t block) {
  return mlir::ShapedType::isDynamic(extent) || extent % block == 0;
}

Lowered normalize::lowerSpaceToDepth(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  if (!ctx.hasDims(node.operand(0)))
    return mlir::failure();
  int64_t block = node.integer("blocksize", 0);
  bool fits = type.getRank() == 4 && block >= 1 && block < (1 << 15) &&
              mayDivide(type.getDimSize(2), block) &&
              mayDivide(type.getDimSize(3), block);
  if (!fits)
    return ctx.unsupported("blocksize does not divide the image");
  Dims in = dimsOf(type);
  mlir::Attribute side = sizeDim(node.context(), block);
  mlir::Attribute height = graph::floorDivDim(in[2], block);
  mlir::Attribute width = graph::floorDivDim(in[3], block);
  mlir::Type element = type.getElementType();
  // Of symbols, the run checks that no pixels are left over.
  Dims split{in[0], in[1], height, side, width, side};
  Value parts = ctx.transpose(
      ctx.reshapeTo(node.operand(0), typeFromDims(split, element)),
      {0, 3, 5, 1, 2, 4});
  Dims joined{in[0], graph::affineDim(in[1], block * block, 0), height, width};
  return ctx.reshapeTo(parts, typeFromDims(joined, element));
}
