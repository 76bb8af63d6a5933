//===- DFT.cpp - spectra of signals ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file brings the signal's dimension to the end, and gives a spectrum of
// which half is stored its other half.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Signal/Fourier.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
struct Dft {
  int64_t axis, parts; ///< parts: 1 is real, 2 complex
  int64_t length;
  bool inverse, onesided;

  /// How many elements of its input a transform reads.
  int64_t read() const { return inverse && onesided ? length / 2 + 1 : length; }
  int64_t written() const {
    return onesided && !inverse ? length / 2 + 1 : length;
  }
};
} // namespace

static std::optional<Dft> readDft(NormalizeContext &ctx, const Node &node) {
  auto refuse = [&](StringRef why) {
    (void)ctx.unsupported(why);
    return std::nullopt;
  };
  if (!ctx.isStatic(node.operand(0)))
    return std::nullopt;
  ArrayRef<int64_t> shape = node.type(0).getShape();
  int64_t rank = shape.size();
  if (rank < 2 || (shape.back() != 1 && shape.back() != 2))
    return refuse("the last dimension is neither a real nor a complex number");
  Dft dft{-2, shape.back(), 0, node.flag("inverse", false),
          node.flag("onesided", false)};
  if (node.operand(2)) {
    auto axis = integerOperand(ctx, node, 2, "axis");
    if (!axis)
      return std::nullopt;
    dft.axis = *axis;
  }
  auto axis = ctx.axis(dft.axis, rank);
  if (!axis)
    return std::nullopt;
  if (*axis == rank - 1)
    return refuse("the axis is that of real and imaginary parts");
  if (dft.onesided && dft.parts != (dft.inverse ? 2 : 1))
    return refuse(dft.inverse
                      ? "one half of a spectrum is complex"
                      : "only a real signal has a spectrum of one half");
  dft.axis = *axis;
  dft.length = shape[dft.axis];
  if (dft.inverse && dft.onesided)
    dft.length = 2 * (dft.length - 1);
  if (node.operand(1)) {
    auto length = integerOperand(ctx, node, 1, "dft_length");
    if (!length)
      return std::nullopt;
    dft.length = *length;
  }
  if (dft.length < 1 || dft.length > kMaxTransform)
    return refuse("the transform's length is out of range");
  return dft;
}

/// `[m, length / 2 + 1, 2]` to planes `[m, 2, length]`: what is missing mirrors
/// what is there. The first element, and the last of an even length, are real.
static Value mirrored(NormalizeContext &ctx, Value half, int64_t length) {
  Value planes = ctx.transpose(half, {0, 2, 1});
  int64_t stored = length / 2 + 1, missing = length - stored;
  SmallVector<bool> isReal(stored, false);
  isReal.front() = true;
  if (length % 2 == 0)
    isReal.back() = true;
  auto flags = RankedTensorType::get({1, 1, stored}, ctx.builder().getI1Type());
  Value none = ctx.scalarLike(0.0, planes);
  Value imaginary = ctx.create<graph::SelectOp>(
      ctx.constant(mlir::DenseElementsAttr::get(flags, isReal)), none,
      ctx.slice(planes, 1, 1, 1));
  planes = ctx.create<graph::ConcatOp>(
      SmallVector<Value>{ctx.slice(planes, 1, 0, 1), imaginary}, 1);
  if (missing == 0 || !planes)
    return planes;
  auto type = mlir::cast<RankedTensorType>(planes.getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes.back() = missing;
  Value back =
      ctx.create<graph::SliceOp>(planes, ArrayRef<int64_t>{0, 0, missing},
                                 sizes, ArrayRef<int64_t>{1, 1, -1});
  back = ctx.create<graph::MulOp>(
      back, numbers(ctx, {1.0, -1.0}, {1, 2, 1}, type.getElementType()));
  return ctx.create<graph::ConcatOp>(SmallVector<Value>{planes, back}, 2);
}

/// `[m, read, parts]` to `[m, written, 2]`, of a real result `[m, length, 1]`.
static Value transformRows(NormalizeContext &ctx, Value rows, const Dft &dft) {
  if (!rows)
    return {};
  mlir::Type element = mlir::getElementTypeOrSelf(rows);
  Fourier fourier(ctx, element, dft.inverse);
  double scale = dft.inverse ? 1.0 / double(dft.length) : 1.0;
  if (!dft.inverse || !dft.onesided)
    return fourier.transformPairs(rows, dft.written(), scale);
  Value planes = fourier.transform(mirrored(ctx, rows, dft.length), dft.length,
                                   /*pairs=*/false, scale);
  if (!planes)
    return {};
  int64_t m = mlir::cast<RankedTensorType>(planes.getType()).getDimSize(0);
  return ctx.reshape(ctx.slice(planes, 1, 0, 1), {m, dft.length, 1});
}

Lowered normalize::lowerDft(NormalizeContext &ctx, const Node &node) {
  auto dft = readDft(ctx, node);
  if (!dft)
    return mlir::failure();
  RankedTensorType type = node.type(0);
  int64_t rank = type.getRank();
  SmallVector<int64_t> toEnd = range(0, rank), back(rank);
  toEnd.erase(toEnd.begin() + dft->axis);
  toEnd.insert(toEnd.end() - 1, dft->axis);
  SmallVector<int64_t> shape;
  for (auto [to, from] : llvm::enumerate(toEnd)) {
    back[from] = to;
    shape.push_back(type.getDimSize(from));
  }
  Value input = ctx.cast(node.operand(0), computeType(type.getElementType()));
  int64_t extent = shape[rank - 2], others = 1;
  for (int64_t size : ArrayRef(shape).drop_back(2))
    others *= size;
  Value rows =
      ctx.reshape(ctx.transpose(input, toEnd), {others, extent, dft->parts});
  Value result =
      transformRows(ctx, resizeWithZeros(ctx, rows, 1, dft->read()), *dft);
  shape[rank - 2] = dft->written();
  shape[rank - 1] = dft->inverse && dft->onesided ? 1 : 2;
  result = ctx.reshape(result, shape);
  if (!result)
    return mlir::failure();
  return ctx.cast(ctx.transpose(result, back), type.getElementType());
}
