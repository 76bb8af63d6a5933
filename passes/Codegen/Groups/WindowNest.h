//===- WindowNest.h - the loops of a window ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_GROUPS_WINDOWNEST_H
#define TENON_PASSES_CODEGEN_GROUPS_WINDOWNEST_H

#include "lib/Tile/WindowPlan.h"
#include "passes/Codegen/Groups/IndexedTensor.h"
#include "passes/Codegen/Groups/WindowGeometry.h"

#include <array>
#include <set>

namespace tenon::codegen {

/// One spatial dimension of a window.
struct WindowDim {
  Size input = 1, output = 1;
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t padBefore = 0, padAfter = 0;
  Size pitch = 0;                    ///< stride of the input, in elements
  int64_t tapPitch = 0;              ///< stride of the filter, in elements
  llvm::SmallVector<Size, 6> result; ///< strides of the result's tensors

  bool isFixed() const { return input.isFixed() && output.isFixed(); }
  /// Inputs from the first to the last tap.
  int64_t span() const { return (kernel - 1) * dilation + 1; }
  /// Outputs `[first, second)` have no tap outside of the input. It must be
  /// fixed.
  std::pair<int64_t, int64_t> interior() const;
  /// Whether no output has one outside.
  bool staysInside() const;
};

/// Combines the taps of a window into the accumulator. A depthwise convolution
/// may also mix the channels of groups that fill a vector.
enum class WindowKind { Max, Average, Depthwise };

/// A window over up to three spatial dimensions (unused ones have extent 1);
/// channels are contiguous and run along vectors.
struct WindowNest {
  WindowKind kind;
  std::array<WindowDim, 3> dims;
  Size images = 1;
  int64_t channels = 1;
  Size imagePitch = 0, inputOffset = 0;
  int64_t filterOffset = 0;
  int64_t filterChannel = 1; ///< stride of vectors of channels, by channels
  int64_t filterLane = 1;    ///< stride of channels in a vector
  int64_t multiplier = 1;    ///< outputs per input channel
  int64_t mixed = 1;         ///< channels of a group, which each output sums
  int64_t filterMixed = 0;   ///< stride of the filter along them
  bool paddedFilter = false; ///< whole vectors may be read past the channels
  bool countsPadding = false;
  llvm::SmallVector<Size, 6> imageResult, channelResult;

  int64_t taps() const {
    return dims[0].kernel * dims[1].kernel * dims[2].kernel;
  }
  /// Of the input and the result.
  int64_t mapBytes(Type element) const;
  /// Whether each window lies in one plane of the first dimension.
  bool isFlat() const;
  Size planes() const { return images * dims[0].output; }
  /// Whether rows and pixels are counted now.
  bool hasFixedMap() const { return dims[1].isFixed() && dims[2].isFixed(); }
  /// Whether everything is.
  bool isFixed() const {
    return hasFixedMap() && dims[0].isFixed() && images.isFixed();
  }
  /// Whether the taps along the width are emitted one by one.
  bool unrollsRow() const { return dims[2].kernel <= tile::mostRowTaps; }
  /// Whether all taps of a tile are emitted one by one where all exist.
  bool unrollsTile(int64_t rows, int64_t pixels) const;
};

/// The input columns that `taps` neighbouring taps of `pixels` pixels read,
/// from the first pixel's tap 0 on.
std::set<int64_t> usedColumns(const WindowDim &width, int64_t pixels,
                              int64_t taps);

/// How many inputs of a dimension `outputs` neighbouring outputs read.
int64_t countUsed(const WindowDim &dim, int64_t outputs);

/// Where a convolution's windows hang over its input, they read zeros that lie
/// around it, or what emits them leaves those taps out.
enum class Border { Halo, Clipped };

/// The nest of a pool or depthwise convolution; the input and filter lie as
/// given (`filter` may be null), `tensors` are addressed by the result.
mlir::FailureOr<WindowNest>
buildWindowNest(mlir::Operation *op, memory::BufferType input,
                memory::BufferType filter, bool packed,
                llvm::ArrayRef<IndexedTensor> tensors,
                Border border = Border::Halo);

/// The type that taps are combined in. Averages of integers are sums of 64 bits
/// and a division.
Type windowAccumulator(WindowKind kind, Type element);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_WINDOWNEST_H
