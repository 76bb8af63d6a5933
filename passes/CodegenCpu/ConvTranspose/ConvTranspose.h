//===- ConvTranspose.h - transposed convolution -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how `graph.conv_transpose` is read: by output phase. The
// results at distance `stride` from each other use the same filter taps, so
// they gather
//   result[q * s + p] += input[q + shift(tap)] * filter[tap]
// Two emitters build that sum: with lanes along result channels, or along q.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONVTRANSPOSE_CONVTRANSPOSE_H
#define TENON_PASSES_CODEGENCPU_CONVTRANSPOSE_CONVTRANSPOSE_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Groups/ContractionNest.h"
#include "passes/CodegenCpu/Move/Ops.h"
#include <array>

namespace tenon::codegen {

/// A filter position and the source pixel relative to the phase's index.
struct TransposedTap {
  int64_t kernel, shift;
};

/// One spatial dimension; a missing one has extent 1.
struct TransposedAxis {
  int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;
  int64_t inStride = 0, outStride = 0, filterStride = 0;

  /// The taps that reach the results of one phase.
  llvm::SmallVector<TransposedTap, 4> taps(int64_t phase) const;
  /// All shifts of all phases, in ascending order.
  llvm::SmallVector<int64_t, 4> shifts() const;
  /// How many results phase `phase` has.
  int64_t count(int64_t phase = 0) const {
    return llvm::divideCeil(out - phase, stride);
  }
};

/// The operation on its buffers.
struct TransposedShape {
  std::array<TransposedAxis, 3> axes; ///< depth, height, width
  int64_t images = 1, groups = 1;
  int64_t inChannels = 0, outChannels = 0; ///< of all groups
  int64_t inImageStride = 0, outImageStride = 0;
  int64_t inChannelStride = 0, outChannelStride = 0;
  bool packed = false;    ///< the filter is in panels of result channels
  bool depthwise = false; ///< lanes may be groups of one channel each

  static TransposedShape of(const Move &move);
  const TransposedAxis &depth() const { return axes[0]; }
  const TransposedAxis &height() const { return axes[1]; }
  const TransposedAxis &width() const { return axes[2]; }
  int64_t inEach() const { return inChannels / groups; }
  int64_t outEach() const { return outChannels / groups; }
};

/// Whether index + shift is in [0, extent), for an index in [0, count); null
/// when it always is.
Value insideOf(KernelBuilder &b, Value index, int64_t shift, int64_t count,
               int64_t extent);
/// Both, where null is true.
Value bothOf(KernelBuilder &b, Value x, Value y);

/// How real numbers are moved: 16-bit floats as integers, since no instruction
/// shuffles or selects them otherwise.
Type movedType(KernelBuilder &b, Type element);
/// The number in the type that sums have, f32 for 16-bit floats, and back.
Value toSum(KernelBuilder &b, Value moved, Type element);
Value fromSum(KernelBuilder &b, Value sum, Type element);

/// Lanes along the result's channels, a block of pixels in registers.
Size emitTransposedChannels(Move &move, const TransposedShape &shape);
/// Lanes along the result's pixels, the phases and channels in registers.
Size emitTransposedPixels(Move &move, const TransposedShape &shape);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONVTRANSPOSE_CONVTRANSPOSE_H
