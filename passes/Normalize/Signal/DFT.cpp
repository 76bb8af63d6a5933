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
  int64_t axis = -2, parts = 0; ///< parts: 1 is real, 2 complex
  mlir::Attribute length;
  bool inverse = false, onesided = false;

  bool isOpen() const { return graph::isSymbolic(length); }
  mlir::Attribute half() const { return graph::affineDim(length, 1, 2, 2); }
  /// How many elements of its input a transform reads.
  mlir::Attribute read() const { return inverse && onesided ? half() : length; }
  mlir::Attribute written() const {
    return onesided && !inverse ? half() : length;
  }
};
} // namespace

/// The parts of each number: those that the transform is for, where the signal
/// does not tell. A number that may have one or two gets a second.
static bool readParts(NormalizeContext &ctx, mlir::Attribute last, Dft &dft) {
  int64_t known = sizeOf(last);
  if (!graph::isSymbolic(last) && known != 1 && known != 2)
    return succeeded(ctx.unsupported(
        "the last dimension is neither a real nor a complex number"));
  int64_t wanted = dft.inverse ? 2 : 1;
  if (dft.onesided && !graph::isSymbolic(last) && known != wanted)
    return succeeded(ctx.unsupported(
        dft.inverse ? "one half of a spectrum is complex"
                    : "only a real signal has a spectrum of one half"));
  dft.parts = graph::isSymbolic(last) ? (dft.onesided ? wanted : 2) : known;
  return true;
}

static bool readLength(NormalizeContext &ctx, const Node &node, Dft &dft) {
  dft.length = dimsOf(node.type(0))[dft.axis];
  if (dft.inverse && dft.onesided)
    dft.length = graph::affineDim(dft.length, 2, -2);
  dft.length = node.operand(1)
                   ? sizeOperand(ctx, node, 1, "dft_length", 1, kMaxTransform)
                   : withinRange(ctx, dft.length, 1, kMaxTransform);
  if (!dft.length)
    return false;
  int64_t length = sizeOf(dft.length);
  if (dft.isOpen() || (length >= 1 && length <= kMaxTransform))
    return true;
  return succeeded(ctx.unsupported("the transform's length is out of range"));
}

static std::optional<Dft> readDft(NormalizeContext &ctx, const Node &node) {
  auto refuse = [&](StringRef why) {
    (void)ctx.unsupported(why);
    return std::nullopt;
  };
  if (!ctx.hasDims(node.operand(0)))
    return std::nullopt;
  Dims shape = dimsOf(node.type(0));
  int64_t rank = shape.size();
  if (rank < 2)
    return refuse("the last dimension is neither a real nor a complex number");
  Dft dft;
  dft.inverse = node.flag("inverse", false);
  dft.onesided = node.flag("onesided", false);
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
  dft.axis = *axis;
  if (!readParts(ctx, shape.back(), dft) || !readLength(ctx, node, dft))
    return std::nullopt;
  return dft;
}

/// `[1, 1, stored]`: the first element, and the last of an even length.
static Value realOnes(NormalizeContext &ctx, const Dft &dft) {
  mlir::Attribute stored = dft.half(), one = sizeDim(stored.getContext(), 1);
  if (dft.isOpen()) {
    Value index = ctx.indices({one, one, stored}, 2);
    Value twice = ctx.create<graph::AddOp>(index, index);
    Value isLast = ctx.create<graph::EqualOp>(
        twice, sizeScalar(ctx, dft.length, ctx.builder().getI64Type()));
    return ctx.create<graph::OrOp>(
        isLast, ctx.create<graph::EqualOp>(index, ctx.scalarLike(0.0, index)));
  }
  SmallVector<bool> isReal(sizeOf(stored), false);
  isReal.front() = true;
  if (sizeOf(dft.length) % 2 == 0)
    isReal.back() = true;
  auto flags = typeFromDims({one, one, stored}, ctx.builder().getI1Type());
  return ctx.constant(mlir::DenseElementsAttr::get(flags, isReal));
}

/// `[m, length / 2 + 1, 2]` to planes `[m, 2, length]`: what is missing mirrors
/// what is there. The first element, and the last of an even length, are real.
static Value mirrored(NormalizeContext &ctx, Value half, const Dft &dft) {
  Value planes = ctx.transpose(half, {0, 2, 1});
  mlir::Attribute missing = graph::subtractDims(dft.length, dft.half());
  Value none = ctx.scalarLike(0.0, planes);
  Value imaginary = ctx.create<graph::SelectOp>(realOnes(ctx, dft), none,
                                                ctx.slice(planes, 1, 1, 1));
  planes = ctx.create<graph::ConcatOp>(
      SmallVector<Value>{ctx.slice(planes, 1, 0, 1), imaginary}, 1);
  if (sizeOf(missing) == 0 || !planes)
    return planes;
  Dims sizes = dimsOf(planes);
  mlir::Attribute zero = sizeDim(missing.getContext(), 0);
  sizes.back() = missing;
  Value back = ctx.slice(planes, {zero, zero, missing}, sizes, {1, 1, -1});
  back = ctx.create<graph::MulOp>(
      back,
      numbers(ctx, {1.0, -1.0}, {1, 2, 1}, mlir::getElementTypeOrSelf(planes)));
  return ctx.create<graph::ConcatOp>(SmallVector<Value>{planes, back}, 2);
}

/// The transform of rows whose length the run knows.
static Value transformOpen(NormalizeContext &ctx, Value rows, const Dft &dft) {
  mlir::Type element = mlir::getElementTypeOrSelf(rows);
  bool isHalf = dft.inverse && dft.onesided;
  if (isHalf)
    rows = ctx.transpose(mirrored(ctx, rows, dft), {0, 2, 1});
  Value spectra = Fourier(ctx, element, dft.inverse)
                      .transformOpen(rows, dft.length, dft.written());
  if (isHalf)
    spectra = ctx.slice(spectra, 2, 0, 1);
  return dft.inverse ? ctx.create<graph::DivOp>(
                           spectra, sizeScalar(ctx, dft.length, element))
                     : spectra;
}

/// `[m, read, parts]` to `[m, written, 2]`, of a real result `[m, length, 1]`.
static Value transformRows(NormalizeContext &ctx, Value rows, const Dft &dft) {
  if (!rows)
    return {};
  if (dft.isOpen())
    return transformOpen(ctx, rows, dft);
  mlir::Type element = mlir::getElementTypeOrSelf(rows);
  Fourier fourier(ctx, element, dft.inverse);
  int64_t length = sizeOf(dft.length);
  double scale = dft.inverse ? 1.0 / double(length) : 1.0;
  if (!dft.inverse || !dft.onesided)
    return fourier.transformPairs(rows, sizeOf(dft.written()), scale);
  Value planes = fourier.transform(mirrored(ctx, rows, dft), length,
                                   /*pairs=*/false, scale);
  if (!planes)
    return {};
  mlir::Attribute m = dimsOf(planes).front(), one = sizeDim(m.getContext(), 1);
  return ctx.reshapeTo(ctx.slice(planes, 1, 0, 1),
                       typeFromDims({m, dft.length, one}, element));
}

Lowered normalize::lowerDft(NormalizeContext &ctx, const Node &node) {
  auto dft = readDft(ctx, node);
  if (!dft)
    return mlir::failure();
  Dims dims = dimsOf(node.type(0)), shape;
  int64_t rank = dims.size();
  mlir::Type type = node.type(0).getElementType(), element = computeType(type);
  SmallVector<int64_t> toEnd = range(0, rank), back(rank);
  toEnd.erase(toEnd.begin() + dft->axis);
  toEnd.insert(toEnd.end() - 1, dft->axis);
  for (auto [to, from] : llvm::enumerate(toEnd)) {
    back[from] = to;
    shape.push_back(dims[from]);
  }
  mlir::Attribute others = sizeDim(node.context(), 1);
  for (mlir::Attribute size : ArrayRef(shape).drop_back(2))
    others = graph::multiplyDims(others, size);
  Value input = inParts(ctx, ctx.cast(node.operand(0), element), dft->parts);
  auto rowType = typeFromDims(
      {others, shape[rank - 2], sizeDim(node.context(), dft->parts)}, element);
  Value rows = ctx.reshapeTo(ctx.transpose(input, toEnd), rowType);
  Value result =
      transformRows(ctx, resizeWithZeros(ctx, rows, 1, dft->read()), *dft);
  shape[rank - 2] = dft->written();
  shape[rank - 1] =
      sizeDim(node.context(), dft->inverse && dft->onesided ? 1 : 2);
  result = ctx.reshapeTo(result, typeFromDims(shape, element));
  if (!result)
    return mlir::failure();
  return ctx.cast(ctx.transpose(result, back), type);
}
