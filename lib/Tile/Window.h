//===- Window.h - how a window walks over a map -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the problem of a depthwise window that is walked down a
// map of contiguous channels. A result row reads again most of what the row
// above it read; that is free only where it is still in the first-level cache,
// so that a walk takes no more pixels and channels than stay there.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_WINDOW_H
#define TENON_LIB_TILE_WINDOW_H

#include "lib/Tile/Target.h"

namespace tenon::tile {

/// One of the two dimensions of a window.
struct WindowExtent {
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t pitch = 0; ///< bytes from one input position to the next

  /// Input positions from the first to the last one that `outputs` read.
  int64_t span(int64_t outputs) const {
    return stride * (outputs - 1) + (kernel - 1) * dilation + 1;
  }
};

/// Vectors of a register tile of so many `pixels`, up to four: as few as hide
/// the latency of multiply-adds, of which at most so many `accumulators` fit.
int64_t tileVectors(int64_t accumulators, int64_t pixels, int64_t channels);

/// `outputs` results of a row, each of `channels` vectors.
struct WindowProblem {
  WindowExtent height, width;
  int64_t outputs = 1, channels = 1;
  int64_t vectorBytes = 64;
  int64_t pixels = 1;       ///< most neighbours of a register tile
  int64_t accumulators = 1; ///< most that fit in a register tile
};

/// The decision: a register tile is at most `pixels` neighbours by `vectors`
/// of channels; a walk is `across` such tiles by `block` vectors.
struct WindowTiling {
  int64_t pixels = 1, vectors = 1, across = 1, block = 1;
};

/// The most lines that one set of the first-level cache must hold until the
/// walk's next row has read again what it shares with this one.
int64_t setPressure(const WindowProblem &problem, const WindowTiling &tiling,
                    const Target &target);

/// The tiling with the least estimated time; of those that are alike, the one
/// with the longest runs of channels.
WindowTiling tileWindow(const WindowProblem &problem, const Target &target);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_WINDOW_H
