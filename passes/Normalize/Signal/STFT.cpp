//===- STFT.cpp - spectra of a signal's frames ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file transforms each frame of a signal: as a convolution with the waves
// of all frequencies, or frame by frame where frames are long, or where the run
// knows how long they are.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Signal/Fourier.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::normalize;

/// Frames of so many steps may be cut from the signal, which copies each
/// element as often; and so many numbers may be waves.
static constexpr int64_t kMaxPieces = 16, kMaxWaves = int64_t(1) << 25;
/// Steps that the run knows are at most that.
static constexpr int64_t kMaxStep = int64_t(1) << 31;

namespace {
struct Stft {
  mlir::Attribute batch, extent;          ///< of the signal
  mlir::Attribute step, length;           ///< of frames
  mlir::Attribute frames, count;          ///< how many; how many frequencies
  int64_t parts = 0;                      ///< 1: real, 2: complex
  int64_t knownStep = 0, knownLength = 0; ///< where isKnown()

  /// Whether frames are the same for all sizes of the signal.
  bool isKnown() const {
    return !graph::isSymbolic(step) && !graph::isSymbolic(length);
  }
  /// Steps that a frame spans.
  int64_t pieces() const {
    return int64_t(
        llvm::divideCeil(uint64_t(knownLength), uint64_t(knownStep)));
  }
  bool canCut() const { return pieces() <= kMaxPieces; }
  bool canConvolve() const {
    return parts * knownLength * 2 * sizeOf(count) <= kMaxWaves;
  }
};
} // namespace

/// The length of frames: that of the window, where there is one. The run checks
/// an operand that says so, too.
static mlir::Attribute frameLength(NormalizeContext &ctx, const Node &node,
                                   mlir::Attribute extent) {
  auto refuse = [&](StringRef why) {
    (void)ctx.unsupported(why);
    return mlir::Attribute();
  };
  mlir::Attribute length = extent;
  if (node.operand(2)) {
    if (!ctx.hasDims(node.operand(2)) || node.type(2).getRank() != 1)
      return refuse("the window is not a vector of known size");
    length = dimsOf(node.type(2))[0];
  }
  if (!node.operand(3))
    return withinRange(ctx, length, 1, kMaxTransform);
  bool isKnown = node.operand(2) && !graph::isSymbolic(length);
  mlir::Attribute own =
      sizeOperand(ctx, node, 3, "frame_length", isKnown ? sizeOf(length) : 1,
                  isKnown ? sizeOf(length) : kMaxTransform);
  if (own && node.operand(2) && !graph::mayBeEqual(own, length))
    return refuse("'frame_length' is not that of the window");
  return own && isKnown ? length : own;
}

/// Counts frames, of which one has to fit; the run checks what is not known.
static mlir::Attribute countFrames(NormalizeContext &ctx, const Stft &stft) {
  mlir::Attribute room = graph::subtractDims(stft.extent, stft.length);
  if (!graph::isSymbolic(stft.step) && !graph::isSymbolic(room))
    return graph::affineDim(room, 1, sizeOf(stft.step), sizeOf(stft.step));
  Value rest = numberOf(ctx, room), count;
  if (graph::isSymbolic(stft.step))
    count = ctx.create<graph::AddOp>(
        ctx.create<graph::DivOp>(rest, numberOf(ctx, stft.step)),
        numberOf(ctx, int64_t(1)));
  else
    count = numberOf(
        ctx, graph::affineDim(room, 1, sizeOf(stft.step), sizeOf(stft.step)));
  auto dims = extents(ctx, count, rest);
  return dims ? dims->front() : mlir::Attribute();
}

static std::optional<Stft> readStft(NormalizeContext &ctx, const Node &node) {
  auto refuse = [&](StringRef why) {
    (void)ctx.unsupported(why);
    return std::nullopt;
  };
  if (!ctx.hasDims(node.operand(0)))
    return std::nullopt;
  Dims shape = dimsOf(node.type(0));
  mlir::Attribute one = sizeDim(node.context(), 1);
  if (shape.size() == 2)
    shape.push_back(one);
  bool isSignal =
      shape.size() == 3 && (graph::isSymbolic(shape[2]) ||
                            sizeOf(shape[2]) == 1 || sizeOf(shape[2]) == 2);
  if (!isSignal)
    return refuse("the signal is not [batch, length, 1 or 2]");
  Stft stft;
  stft.batch = shape[0];
  stft.extent = shape[1];
  stft.parts = graph::isSymbolic(shape[2]) ? 2 : sizeOf(shape[2]);
  stft.step = sizeOperand(ctx, node, 1, "frame_step", 1, kMaxStep);
  stft.length = stft.step ? frameLength(ctx, node, stft.extent) : stft.step;
  if (!stft.length)
    return std::nullopt;
  stft.knownStep = sizeOf(stft.step);
  stft.knownLength = sizeOf(stft.length);
  bool isStep = graph::isSymbolic(stft.step) || stft.knownStep >= 1;
  bool isLength = graph::isSymbolic(stft.length) ||
                  (stft.knownLength >= 1 && stft.knownLength <= kMaxTransform);
  bool fits = graph::isSymbolic(stft.length) ||
              graph::isSymbolic(stft.extent) ||
              stft.knownLength <= sizeOf(stft.extent);
  if (!isStep || !isLength || !fits)
    return refuse("'frame_step' or the frame's length is out of range");
  stft.count = node.flag("onesided", true)
                   ? graph::affineDim(stft.length, 1, 2, 2)
                   : stft.length;
  stft.frames = countFrames(ctx, stft);
  return stft.frames ? std::optional(stft) : std::nullopt;
}

/// All frames at once: one filter for each part of each frequency.
static Value convolve(NormalizeContext &ctx, Value signal, Value window,
                      const Stft &stft) {
  mlir::Type element = mlir::getElementTypeOrSelf(signal);
  int64_t count = sizeOf(stft.count);
  Value waves = Fourier(ctx, element, false)
                    .matrix(stft.parts, stft.knownLength, count, false, true);
  Value filters = ctx.reshape(waves, {2 * count, stft.parts, stft.knownLength});
  if (window)
    filters = ctx.create<graph::MulOp>(filters, window);
  Value maps = ctx.create<graph::ConvOp>(
      ctx.transpose(signal, {0, 2, 1}), filters,
      ArrayRef<int64_t>{stft.knownStep}, ArrayRef<int64_t>{0, 0},
      ArrayRef<int64_t>{1}, 1);
  return maps ? ctx.transpose(maps, {0, 2, 1}) : Value();
}

/// `[frames of all, length, parts]`, cut from a signal whose rows are a step: a
/// frame's first step, its second one... lie in consecutive rows.
static Value cutFrames(NormalizeContext &ctx, Value rows, const Stft &stft,
                       mlir::Attribute first, mlir::Attribute frames) {
  SmallVector<Value> pieces;
  for (int64_t i = 0; i < stft.pieces(); ++i)
    pieces.push_back(ctx.slice(rows, 1, graph::affineDim(first, 1, i), frames));
  Value cut = pieces.size() == 1 ? pieces.front()
                                 : ctx.create<graph::ConcatOp>(pieces, 2);
  cut = ctx.slice(cut, 2, 0, stft.knownLength * stft.parts);
  if (!cut)
    return {};
  mlir::Attribute all = graph::multiplyDims(dimsOf(cut).front(), frames);
  return ctx.reshapeTo(
      cut,
      typeFromDims({all, stft.length, sizeDim(all.getContext(), stft.parts)},
                   mlir::getElementTypeOrSelf(cut)));
}

/// Frames, `[m, length, parts]`, times the window.
static Value windowed(NormalizeContext &ctx, Value frames, Value window,
                      const Stft &stft) {
  if (!window)
    return frames;
  mlir::Attribute one = sizeDim(window.getContext(), 1);
  return ctx.create<graph::MulOp>(
      frames,
      ctx.reshapeTo(window, typeFromDims({stft.length, one},
                                         mlir::getElementTypeOrSelf(window))));
}

static Value transformFrames(NormalizeContext &ctx, Value signal, Value window,
                             const Stft &stft) {
  mlir::Type element = mlir::getElementTypeOrSelf(signal);
  Fourier fourier(ctx, element, false);
  mlir::MLIRContext *context = signal.getContext();
  mlir::Attribute rows = graph::affineDim(stft.frames, 1, stft.pieces() - 1);
  mlir::Attribute all = graph::affineDim(rows, stft.knownStep, 0);
  signal = ctx.reshapeTo(
      resizeWithZeros(ctx, signal, 1, all),
      typeFromDims(
          {stft.batch, rows, sizeDim(context, stft.knownStep * stft.parts)},
          element));
  int64_t bytes = fourier.rowBytes(stft.knownLength);
  auto some = [&](Value signals, mlir::Attribute batch, mlir::Attribute first,
                  mlir::Attribute size) {
    Value frames =
        windowed(ctx, cutFrames(ctx, signals, stft, first, size), window, stft);
    return ctx.reshapeTo(
        fourier.transformPairs(frames, sizeOf(stft.count)),
        typeFromDims({batch, size, stft.count, sizeDim(context, 2)}, element));
  };
  auto known = [](mlir::Attribute dim) {
    return graph::isSymbolic(dim) ? 1 : sizeOf(dim);
  };
  auto someSignals = [&](mlir::Attribute firstSignal, mlir::Attribute batch) {
    Value signals = ctx.slice(signal, 0, firstSignal, batch);
    return inBlocks(ctx, stft.frames, known(batch) * bytes, 1,
                    [&](mlir::Attribute first, mlir::Attribute size) {
                      return some(signals, batch, first, size);
                    });
  };
  return inBlocks(ctx, stft.batch, known(stft.frames) * bytes, 0, someSignals);
}

/// Frames that are picked from the signal step by step.
static Value transformPicked(NormalizeContext &ctx, Value signal, Value window,
                             const Stft &stft) {
  mlir::MLIRContext *context = signal.getContext();
  mlir::Attribute one = sizeDim(context, 1);
  mlir::Type element = mlir::getElementTypeOrSelf(signal);
  mlir::Type i64 = ctx.builder().getI64Type();
  Value places = ctx.create<graph::AddOp>(
      ctx.create<graph::MulOp>(ctx.indices({stft.frames, one}, 0),
                               sizeScalar(ctx, stft.step, i64)),
      ctx.indices({one, stft.length}, 1));
  mlir::Attribute count = graph::multiplyDims(stft.frames, stft.length);
  Value picked = ctx.create<graph::GatherOp>(
      signal, ctx.reshapeTo(places, typeFromDims(count, i64)), 1);
  mlir::Attribute all = graph::multiplyDims(stft.batch, stft.frames);
  Value frames = ctx.reshapeTo(
      picked,
      typeFromDims({all, stft.length, sizeDim(context, stft.parts)}, element));
  Fourier fourier(ctx, element, false);
  frames = windowed(ctx, frames, window, stft);
  return graph::isSymbolic(stft.length)
             ? fourier.transformOpen(frames, stft.length, stft.count)
             : fourier.transformPairs(frames, sizeOf(stft.count));
}

Lowered normalize::lowerStft(NormalizeContext &ctx, const Node &node) {
  auto stft = readStft(ctx, node);
  if (!stft)
    return mlir::failure();
  mlir::Type element = node.type(0).getElementType();
  mlir::Type wide = computeType(element);
  Dims shape = dimsOf(node.type(0));
  if (shape.size() == 2)
    shape.push_back(sizeDim(node.context(), 1));
  Value signal = inParts(
      ctx,
      ctx.reshapeTo(ctx.cast(node.operand(0), wide), typeFromDims(shape, wide)),
      stft->parts);
  Value window = node.operand(2) ? ctx.cast(node.operand(2), wide) : Value();
  Value spectra;
  if (stft->isKnown()) {
    TransformPlan plan =
        planTransform(stft->parts, stft->knownLength, sizeOf(stft->count));
    bool isCut = stft->canCut() && plan.kind != TransformPlan::Direct;
    if (!isCut && !stft->canConvolve())
      return ctx.unsupported("frames are too long for so short a step");
    spectra = isCut ? transformFrames(ctx, signal, window, *stft)
                    : convolve(ctx, signal, window, *stft);
  } else {
    spectra = transformPicked(ctx, signal, window, *stft);
  }
  Dims result{stft->batch, stft->frames, stft->count,
              sizeDim(node.context(), 2)};
  return ctx.cast(ctx.reshapeTo(spectra, typeFromDims(result, wide)), element);
}
