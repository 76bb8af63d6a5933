//===- DFT.cpp - spectra of signals ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file brings the signal's dimension to the end, and gives a spectrum of
// which half is stored its other half.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
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

static bool readLength(NormalizeContext &ctx, const Node &node,
                       mlir::Attribute extent, Dft &dft) {
  dft.length = extent;
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

static std::optional<Dft> readDft(NormalizeContext &ctx, const Node &node,
                                  const Dims &shape, int64_t axis) {
  int64_t rank = shape.size();
  Dft dft;
  dft.inverse = node.flag("inverse", false);
  dft.onesided = node.flag("onesided", false);
  auto known = ctx.axis(axis, rank);
  if (!known)
    return std::nullopt;
  if (*known == rank - 1) {
    (void)ctx.unsupported("the axis is that of real and imaginary parts");
    return std::nullopt;
  }
  dft.axis = *known;
  if (!readParts(ctx, shape.back(), dft) ||
      !readLength(ctx, node, shape[dft.axis], dft))
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

/// The transform of `signal` along an axis; null after a refusal.
static Value transform(NormalizeContext &ctx, const Node &node, Value signal,
                       int64_t axis) {
  if (!signal)
    return {};
  Dims dims = dimsOf(signal), shape;
  auto dft = readDft(ctx, node, dims, axis);
  if (!dft)
    return {};
  int64_t rank = dims.size();
  mlir::Type type = mlir::getElementTypeOrSelf(signal),
             element = computeType(type);
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
  Value input = inParts(ctx, ctx.cast(signal, element), dft->parts);
  auto rowType = typeFromDims(
      {others, shape[rank - 2], sizeDim(node.context(), dft->parts)}, element);
  Value rows = ctx.reshapeTo(ctx.transpose(input, toEnd), rowType);
  Value result =
      transformRows(ctx, resizeWithZeros(ctx, rows, 1, dft->read()), *dft);
  shape[rank - 2] = dft->written();
  shape[rank - 1] =
      sizeDim(node.context(), dft->inverse && dft->onesided ? 1 : 2);
  result = ctx.reshapeTo(result, typeFromDims(shape, element));
  return result ? ctx.cast(ctx.transpose(result, back), type) : Value();
}

//===-- An axis that the run knows ------------------------------------------//

namespace {
/// A signal as `[before, along, behind, parts]` of an axis from data.
class PickedAxis {
public:
  PickedAxis(NormalizeContext &ctx, const Node &node)
      : ctx(ctx), node(node), dims(dimsOf(node.type(0))) {}

  /// Null after a refusal; the run refuses an axis that there is not.
  Value fold();
  /// What was made of it along dimension 1, with the signal's dimensions.
  Value unfold(Value result);

private:
  Value number(int64_t value) { return numberOf(ctx, value); }
  bool readAxis();
  template <typename OpTy> Value whether(int64_t dim) {
    return ctx.create<OpTy>(axis, number(dim));
  }

  NormalizeContext &ctx;
  const Node &node;
  Dims dims;
  Value axis; ///< from the start, of one element
};
} // namespace

bool PickedAxis::readAxis() {
  if (node.type(2).getNumElements() != 1)
    return succeeded(ctx.unsupported("'axis' is not one number"));
  axis =
      ctx.cast(onlyElement(ctx, node.operand(2)), ctx.builder().getI64Type());
  Value fromEnd = ctx.create<graph::AddOp>(axis, number(dims.size()));
  axis = ctx.create<graph::SelectOp>(whether<graph::LessOp>(0), fromEnd, axis);
  return bool(axis);
}

Value PickedAxis::fold() {
  if (!ctx.isStatic(node.operand(2)) || !readAxis())
    return {};
  Value one = number(1), before = one, along = one, behind = one;
  int64_t last = int64_t(dims.size()) - 1;
  auto multiply = [&](Value &product, Value isPart, mlir::Attribute dim) {
    product = ctx.create<graph::MulOp>(
        product, ctx.create<graph::SelectOp>(isPart, numberOf(ctx, dim), one));
  };
  for (int64_t dim = 0; dim < last; ++dim) {
    multiply(before, whether<graph::GreaterOp>(dim), dims[dim]);
    multiply(along, whether<graph::EqualOp>(dim), dims[dim]);
    multiply(behind, whether<graph::LessOp>(dim), dims[dim]);
  }
  Value room = ctx.create<graph::SubOp>(number(last - 1), axis);
  auto shape = extents(ctx, {before, along, behind}, {axis, room});
  if (!shape)
    return {};
  shape->push_back(dims.back());
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(*shape, node.type(0).getElementType()));
}

Value PickedAxis::unfold(Value result) {
  if (!result)
    return {};
  Dims made = dimsOf(result), shape = dims;
  bool isAsLong = !node.operand(1) && !node.flag("onesided", false);
  if (!isAsLong) {
    SmallVector<Value> sizes;
    for (size_t dim = 0; dim + 1 < dims.size(); ++dim)
      sizes.push_back(ctx.create<graph::SelectOp>(whether<graph::EqualOp>(dim),
                                                  numberOf(ctx, made[1]),
                                                  numberOf(ctx, dims[dim])));
    auto found = extents(ctx, sizes);
    if (!found)
      return {};
    shape = *found;
    shape.push_back(made.back());
  }
  shape.back() = made.back();
  return ctx.reshapeTo(result,
                       typeFromDims(shape, mlir::getElementTypeOrSelf(result)));
}

Lowered normalize::lowerDft(NormalizeContext &ctx, const Node &node) {
  if (!ctx.hasDims(node.operand(0)))
    return mlir::failure();
  if (node.type(0).getRank() < 2)
    return ctx.unsupported(
        "the last dimension is neither a real nor a complex number");
  if (!node.operand(2))
    return transform(ctx, node, node.operand(0), -2);
  auto axis = ctx.constantInts(node.operand(2));
  if (axis && axis->size() == 1)
    return transform(ctx, node, node.operand(0), axis->front());
  PickedAxis picked(ctx, node);
  Value signal = picked.fold();
  return picked.unfold(transform(ctx, node, signal, 1));
}
