//===- AffineGrid.cpp - sampling positions --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies each matrix by the positions of all pixels, which range
// over [-1, 1]. ONNX defines the operator by a body with branches, which is not
// needed once the size is known.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// `[1, pixels]`: where each pixel lies along dimension `dim` of the image.
static Value positions(NormalizeContext &ctx, ArrayRef<int64_t> image,
                       int64_t dim, Type element, bool alignCorners) {
  int64_t extent = image[dim], pixels = 1;
  for (int64_t each : image)
    pixels *= each;
  // The first and last pixel lie on the border, or half a pixel inside.
  double step = alignCorners ? 2.0 / double(std::max<int64_t>(1, extent - 1))
                             : 2.0 / double(extent);
  double start = alignCorners ? -1.0 : step / 2 - 1.0;
  SmallVector<int64_t> shape(image.size(), 1);
  shape[dim] = extent;
  Value line =
      ctx.createTyped<graph::IotaOp>(RankedTensorType::get(shape, element), dim,
                                     llvm::APFloat(start), llvm::APFloat(step));
  return ctx.reshape(ctx.broadcast(line, image), {1, pixels});
}

Lowered normalize::lowerAffineGrid(NormalizeContext &ctx, const Node &node) {
  if (!ctx.isStatic(node.operand(0)))
    return failure();
  auto size = ctx.constantInts(node.operand(1));
  if (!size)
    return ctx.unsupported("'size' is not known at compile time");
  RankedTensorType theta = node.type(0);
  int64_t rank = int64_t(size->size()) - 2;
  auto isHuge = [](int64_t extent) { return extent < 1 || extent >> 20 != 0; };
  if (rank < 2 || rank > 3 || llvm::any_of(*size, isHuge) ||
      theta.getShape() != ArrayRef<int64_t>{size->front(), rank, rank + 1})
    return ctx.unsupported("'theta' and 'size' do not fit");
  ArrayRef<int64_t> image = ArrayRef(*size).drop_front(2);
  bool align = node.flag("align_corners", false);
  SmallVector<Value> rows;
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    rows.push_back(positions(ctx, image, dim, theta.getElementType(), align));
  auto line = cast<RankedTensorType>(rows.front().getType());
  rows.push_back(ctx.splat(1.0, line));
  Value points = ctx.create<graph::ConcatOp>(rows, 0);
  Value moved =
      ctx.create<graph::MatmulOp>(node.operand(0), points, false, false);
  SmallVector<int64_t> shape{size->front()};
  llvm::append_range(shape, image);
  shape.push_back(rank);
  return ctx.reshape(ctx.transpose(moved, {0, 2, 1}), shape);
}
