//===- GpuWindow.h - who computes a window on a GPU -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares plans of pools and depthwise convolutions on GPUs: how
// many neighbouring channels and results a thread has, and which taps it asks
// for before it needs the first one.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_GPUWINDOW_H
#define TENON_LIB_TILE_GPUWINDOW_H

#include "lib/Tile/Gpu.h"
#include "llvm/Support/Error.h"
#include <array>
#include <type_traits>

namespace tenon::tile {

/// One dimension of a window.
struct GpuWindowDim {
  int64_t output = 1, kernel = 1, stride = 1, dilation = 1;

  /// How many inputs `outputs` neighbours read by `taps` taps.
  int64_t inputs(int64_t outputs, int64_t taps) const;
};

/// A window over three dimensions, the last one the width; channels lie beside
/// each other.
struct GpuWindow {
  int64_t images = 1, channels = 1;
  std::array<GpuWindowDim, 3> dims;
  int64_t elementBytes = 4;
  bool hasWeights = false; ///< of each channel
  /// Whole tensors that what follows the window reads.
  int64_t epilogueLoads = 0;
  /// Of everything that is read and written, each byte once.
  int64_t bytes = 0;

  int64_t tapRows() const { return dims[0].kernel * dims[1].kernel; }
  int64_t taps() const { return tapRows() * dims[2].kernel; }
  /// Channels that are 16 bytes, or a power of two that divides all of them.
  int64_t mostLanes() const;
};

/// A thread has `lanes` channels of `rows` x `pixels` results. It reads
/// `tapRows` rows of its windows at once, of each row `taps` neighbours.
///
///   3x3, 2 pixels:  column 0 -> p0
///                   column 1 -> p0 p1       each is read once, by a thread
///                   column 2 -> p0 p1       beside whom others have the
///                   column 3 ->    p1       next channels
struct GpuWindowPlan {
  int64_t lanes = 1;
  int64_t rows = 1, pixels = 1;
  int64_t tapRows = 1, taps = 1;
  int64_t threads = 128; ///< of a block

  /// Whether all taps are read at once.
  bool isWhole(const GpuWindow &problem) const;
  /// Rows of taps, or parts of rows.
  int64_t parts(const GpuWindow &problem) const;
  /// Threads that have something to do.
  int64_t units(const GpuWindow &problem) const;
  int64_t blocks(const GpuWindow &problem) const;
};

/// Registers of a thread, roughly.
int64_t registersOf(const GpuWindow &problem, const GpuWindowPlan &plan);

/// Blocks that a multiprocessor is to have at once: all that there are, or as
/// many as registers allow. Left to itself, an assembler keeps fewer reads on
/// their way, so that there is room for more.
int64_t blocksTogether(const GpuWindow &problem, const GpuWindowPlan &plan,
                       const GpuTarget &target);

/// The plan with the shortest time.
GpuWindowPlan plan(const GpuWindow &problem, const GpuTarget &target);

/// Checks a plan against the rules, whoever made it.
llvm::Error validate(const GpuWindow &problem, const GpuWindowPlan &plan,
                     const GpuTarget &target);

/// Expected microseconds, from the end of what is read to its own.
double estimateTime(const GpuWindow &problem, const GpuWindowPlan &plan,
                    const GpuTarget &target);

/// Calls `visit(name, field)` for every number of a plan.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, GpuWindowPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("lanes", plan.lanes);
  visit("rows", plan.rows);
  visit("pixels", plan.pixels);
  visit("tap_rows", plan.tapRows);
  visit("taps", plan.taps);
  visit("threads", plan.threads);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_GPUWINDOW_H
