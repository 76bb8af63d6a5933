//===- StageCost.h - what a stage costs on a processor ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one estimate that whoever compares stages asks, before
// there is a plan for them: what to fuse, what to run when, what to compute
// again. A stage waits for one resource at a time, so that the slowest counts:
//
//   cycles = max(issue, load, mid, memory) + launch
//
//   issue    instructions that compute, over the vector units
//   load     instructions that load and store, and what comes from the
//            second-level cache
//   mid      what crosses the private caches
//   memory   what does not stay in the last-level cache
//   launch   handing the work to threads, and tiles to each of them
//
// Strategies know better what their own loops cost (ContractionCost.h,
// Winograd.h); their figures and these are in the same unit.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COST_STAGECOST_H
#define TENON_LIB_COST_STAGECOST_H

#include "lib/Tile/Target.h"

namespace tenon::cost {

/// What a stage does, whoever does it. Counts are of elements, not of vectors.
struct StageWork {
  double fma = 0;   ///< multiply-adds
  double plain = 0; ///< additions, products, comparisons, conversions...
  /// Evaluations of functions without an instruction, in those of `exp`.
  double transcendental = 0;
  double accesses = 0; ///< elements that instructions load or store

  int64_t elementBytes = 4; ///< of the widest elements
  /// Elements that an instruction can work on at once: fewer than the target's
  /// vectors hold where no loop is that long.
  int64_t lanes = 64;

  double bytesRead = 0;    ///< of what exists before, each byte once
  double bytesWritten = 0; ///< of what is there after, each byte once
  double bytesAgain = 0;   ///< read when it has left the private caches since

  double scratchBytes = 0;   ///< that lie between stages, for each thread
  double scratchTraffic = 0; ///< what is written to and read from them

  int64_t tiles = 1; ///< pieces that threads can share out
  int64_t steps = 1; ///< launches of so many tiles, one after the other

  double footprint() const { return bytesRead + bytesWritten; }
};

/// What a stage waits for.
enum class Bound { Issue, Load, Mid, Memory, Launch };

/// "issue", "load"...
llvm::StringRef toText(Bound bound);

/// The estimate. Cycles are those of a core that multiplies and adds a vector
/// in each, as everywhere in lib/Tile.
struct StageCost {
  double cycles = 0;
  double memoryBytes = 0; ///< from and to memory
  Bound bound = Bound::Issue;
};

/// The part of their time for which so many threads have work: three tiles keep
/// two of them busy for 75 %.
double efficiency(int64_t tiles, int64_t threads);

/// Never falls when there is more work of any kind.
StageCost estimate(const StageWork &work, const tile::Target &target,
                   int64_t threads = 1);

} // namespace tenon::cost

#endif // TENON_LIB_COST_STAGECOST_H
