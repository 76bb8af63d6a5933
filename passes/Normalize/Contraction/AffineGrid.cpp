//===- AffineGrid.cpp - sampling positions --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies each matrix by the positions of all pixels, which range
// over [-1, 1]. ONNX defines the operator by a body with branches, which is not
// needed once the size is known.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"
#include "passes/Normalize/Extents.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Where pixels lie between -1 and 1 along dimension `dim` of `shape`, which
/// has a size there: the first and last lie on the border, or half a pixel
/// inside.
static Value knownLine(NormalizeContext &ctx, RankedTensorType shape,
                       int64_t dim, bool alignCorners) {
  int64_t extent = shape.getDimSize(dim);
  double step = alignCorners ? 2.0 / double(std::max<int64_t>(1, extent - 1))
                             : 2.0 / double(extent);
  double start = alignCorners ? -1.0 : step / 2 - 1.0;
  return ctx.createTyped<graph::IotaOp>(shape, dim, llvm::APFloat(start),
                                        llvm::APFloat(step));
}

/// The same where the run knows the size.
static Value openLine(NormalizeContext &ctx, RankedTensorType shape,
                      int64_t dim, bool alignCorners) {
  Value count = ctx.reshape(
      ctx.cast(numberOf(ctx, dimsOf(shape)[dim]), shape.getElementType()), {});
  Value one = ctx.scalarLike(1.0, count), two = ctx.scalarLike(2.0, count);
  Value spaces =
      alignCorners
          ? ctx.create<graph::MaxOp>(ctx.create<graph::SubOp>(count, one), one)
          : count;
  Value step = ctx.create<graph::DivOp>(two, spaces);
  Value start = ctx.create<graph::SubOp>(
      alignCorners ? ctx.scalarLike(0.0, count)
                   : ctx.create<graph::DivOp>(one, count),
      one);
  Value numbers = ctx.createTyped<graph::IotaOp>(shape, dim, llvm::APFloat(0.0),
                                                 llvm::APFloat(1.0));
  return ctx.create<graph::AddOp>(ctx.create<graph::MulOp>(numbers, step),
                                  start);
}

/// `[1, pixels]`: where each pixel lies along dimension `dim` of the image.
static Value positions(NormalizeContext &ctx, const Dims &image, int64_t dim,
                       Type element, bool alignCorners) {
  Attribute one = sizeDim(ctx.builder().getContext(), 1), pixels = one;
  for (Attribute each : image)
    pixels = graph::multiplyDims(pixels, each);
  Dims shape(image.size(), one);
  shape[dim] = image[dim];
  RankedTensorType type = typeFromDims(shape, element);
  Value line = graph::isSymbolic(image[dim])
                   ? openLine(ctx, type, dim, alignCorners)
                   : knownLine(ctx, type, dim, alignCorners);
  return ctx.reshapeTo(ctx.broadcastTo(line, typeFromDims(image, element)),
                       typeFromDims({one, pixels}, element));
}

static bool mayBe(Attribute dim, int64_t extent) {
  return graph::isSymbolic(dim) || sizeOf(dim) == extent;
}

/// Whether `theta` may be a matrix for each image.
static bool mayFit(const Dims &theta, const Dims &size) {
  auto isHuge = [](Attribute dim) {
    int64_t extent = sizeOf(dim);
    return !graph::isSymbolic(dim) && (extent < 0 || extent >> 20 != 0);
  };
  int64_t rank = int64_t(size.size()) - 2;
  return rank >= 2 && rank <= 3 && llvm::none_of(size, isHuge) &&
         theta.size() == 3 && graph::mayBeEqual(theta[0], size[0]) &&
         mayBe(theta[1], rank) && mayBe(theta[2], rank + 1);
}

Lowered normalize::lowerAffineGrid(NormalizeContext &ctx, const Node &node) {
  auto size = sizesOf(ctx, node.operand(1), "size");
  if (!size)
    return failure();
  if (!ctx.hasDims(node.operand(0)))
    return failure();
  if (!mayFit(dimsOf(node.type(0)), *size))
    return ctx.unsupported("'theta' and 'size' do not fit");
  int64_t rank = int64_t(size->size()) - 2;
  Dims image(size->begin() + 2, size->end());
  Type element = node.type(0).getElementType();
  bool align = node.flag("align_corners", false);
  SmallVector<Value> rows;
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    rows.push_back(positions(ctx, image, dim, element, align));
  if (!rows.front())
    return failure();
  auto line = cast<RankedTensorType>(rows.front().getType());
  rows.push_back(ctx.splat(1.0, line));
  Value points = ctx.create<graph::ConcatOp>(rows, 0);
  Dims matrices = dimsOf(node.type(0));
  matrices[1] = sizeDim(node.context(), rank);
  matrices[2] = sizeDim(node.context(), rank + 1);
  Value theta = heldTo(ctx, node.operand(0), matrices);
  matrices[0] = size->front();
  Value moved = ctx.create<graph::MatmulOp>(
      ctx.reshapeTo(theta, typeFromDims(matrices, element)), points, false,
      false);
  Dims shape{size->front()};
  llvm::append_range(shape, image);
  shape.push_back(sizeDim(node.context(), rank));
  return ctx.reshapeTo(ctx.transpose(moved, {0, 2, 1}),
                       typeFromDims(shape, element));
}
