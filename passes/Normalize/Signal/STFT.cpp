//===- STFT.cpp - spectra of a signal's frames ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file transforms each frame of a signal: as a convolution with the waves
// of all frequencies, or frame by frame where frames are long.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Signal/Fourier.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::normalize;

/// Frames of so many steps may be cut from the signal, which copies each
/// element as often; and so many numbers may be waves.
static constexpr int64_t kMaxPieces = 16, kMaxWaves = int64_t(1) << 25;

namespace {
struct Stft {
  int64_t batch, extent, parts; ///< of the signal; parts: real or complex
  int64_t step, length, count;  ///< of frames; how many frequencies

  int64_t frames() const { return 1 + (extent - length) / step; }
  bool canCut() const { return llvm::divideCeil(length, step) <= kMaxPieces; }
  bool canConvolve() const { return parts * length * 2 * count <= kMaxWaves; }
};
} // namespace

static std::optional<Stft> readStft(NormalizeContext &ctx, const Node &node) {
  auto refuse = [&](StringRef why) {
    (void)ctx.unsupported(why);
    return std::nullopt;
  };
  if (!ctx.isStatic(node.operand(0)))
    return std::nullopt;
  ArrayRef<int64_t> shape = node.type(0).getShape();
  if (shape.size() != 3 || (shape[2] != 1 && shape[2] != 2))
    return refuse("the signal is not [batch, length, 1 or 2]");
  auto step = integerOperand(ctx, node, 1, "frame_step");
  if (!step)
    return std::nullopt;
  Stft stft{shape[0], shape[1], shape[2], *step, shape[1], 0};
  if (node.operand(2)) {
    if (!ctx.isStatic(node.operand(2)) || node.type(2).getRank() != 1)
      return refuse("the window is not a vector of known size");
    stft.length = node.type(2).getDimSize(0);
  }
  if (node.operand(3)) {
    auto length = integerOperand(ctx, node, 3, "frame_length");
    if (!length)
      return std::nullopt;
    if (node.operand(2) && *length != stft.length)
      return refuse("'frame_length' is not that of the window");
    stft.length = *length;
  }
  if (stft.step < 1 || stft.length < 1 || stft.length > stft.extent ||
      stft.length > kMaxTransform)
    return refuse("'frame_step' or the frame's length is out of range");
  stft.count = node.flag("onesided", true) ? stft.length / 2 + 1 : stft.length;
  return stft;
}

/// All frames at once: one filter for each part of each frequency.
static Value convolve(NormalizeContext &ctx, Value signal, Value window,
                      const Stft &stft) {
  mlir::Type element = mlir::getElementTypeOrSelf(signal);
  Value waves = Fourier(ctx, element, false)
                    .matrix(stft.parts, stft.length, stft.count, false, true);
  Value filters = ctx.reshape(waves, {2 * stft.count, stft.parts, stft.length});
  if (window)
    filters = ctx.create<graph::MulOp>(filters, window);
  Value maps = ctx.create<graph::ConvOp>(
      ctx.transpose(signal, {0, 2, 1}), filters, ArrayRef<int64_t>{stft.step},
      ArrayRef<int64_t>{0, 0}, ArrayRef<int64_t>{1}, 1);
  return maps ? ctx.transpose(maps, {0, 2, 1}) : Value();
}

/// `[batch, frames, length, parts]`, cut from a signal whose rows are a step: a
/// frame's first step, its second one... lie in consecutive rows.
static Value cutFrames(NormalizeContext &ctx, Value rows, const Stft &stft,
                       int64_t first, int64_t frames) {
  SmallVector<Value> pieces;
  for (int64_t i = 0; i < llvm::divideCeil(stft.length, stft.step); ++i)
    pieces.push_back(ctx.slice(rows, 1, first + i, frames));
  Value cut = pieces.size() == 1 ? pieces.front()
                                 : ctx.create<graph::ConcatOp>(pieces, 2);
  cut = ctx.slice(cut, 2, 0, stft.length * stft.parts);
  if (!cut)
    return {};
  int64_t batch = mlir::cast<RankedTensorType>(cut.getType()).getDimSize(0);
  return ctx.reshape(cut, {batch * frames, stft.length, stft.parts});
}

static Value transformFrames(NormalizeContext &ctx, Value signal, Value window,
                             const Stft &stft) {
  Fourier fourier(ctx, mlir::getElementTypeOrSelf(signal), false);
  int64_t rows = stft.frames() - 1 + llvm::divideCeil(stft.length, stft.step);
  signal = ctx.reshape(resizeWithZeros(ctx, signal, 1, rows * stft.step),
                       {stft.batch, rows, stft.step * stft.parts});
  int64_t bytes = fourier.rowBytes(stft.length);
  auto some = [&](Value signals, int64_t batch, int64_t first, int64_t size) {
    Value frames = cutFrames(ctx, signals, stft, first, size);
    if (window)
      frames = ctx.create<graph::MulOp>(frames,
                                        ctx.reshape(window, {stft.length, 1}));
    return ctx.reshape(fourier.transformPairs(frames, stft.count),
                       {batch, size, stft.count, 2});
  };
  return inBlocks(ctx, stft.batch, stft.frames() * bytes, 0,
                  [&](int64_t firstSignal, int64_t batch) {
                    Value signals = ctx.slice(signal, 0, firstSignal, batch);
                    return inBlocks(ctx, stft.frames(), batch * bytes, 1,
                                    [&](int64_t first, int64_t size) {
                                      return some(signals, batch, first, size);
                                    });
                  });
}

Lowered normalize::lowerStft(NormalizeContext &ctx, const Node &node) {
  auto stft = readStft(ctx, node);
  if (!stft)
    return mlir::failure();
  mlir::Type element = node.type(0).getElementType();
  mlir::Type wide = computeType(element);
  Value signal = ctx.cast(node.operand(0), wide);
  Value window = node.operand(2) ? ctx.cast(node.operand(2), wide) : Value();
  TransformPlan plan = planTransform(stft->parts, stft->length, stft->count);
  bool isCut = stft->canCut() && plan.kind != TransformPlan::Direct;
  if (!isCut && !stft->canConvolve())
    return ctx.unsupported("frames are too long for so short a step");
  Value spectra = isCut ? transformFrames(ctx, signal, window, *stft)
                        : convolve(ctx, signal, window, *stft);
  return ctx.cast(
      ctx.reshape(spectra, {stft->batch, stft->frames(), stft->count, 2}),
      element);
}
