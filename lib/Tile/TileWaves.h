//===- TileWaves.h - how long tiles of products take ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the time of products on a GPU, whichever units multiply:
// blocks run in turns of as many as find room at once, and within a turn what
// takes longest counts, latency, units or the second-level cache.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_TILEWAVES_H
#define TENON_LIB_TILE_TILEWAVES_H

#include "lib/Tile/GpuContraction.h"

namespace tenon::tile {

/// What one block of threads does and needs. Times in microseconds.
struct TileWork {
  int64_t tiles = 1;      ///< in all; each is computed by `share` blocks
  int64_t blocks = 1;     ///< of k, of each block of threads
  int64_t threads = 32;   ///< with those that copy
  int64_t registers = 32; ///< of a thread
  int64_t sharedBytes = 0;
  int64_t stageBytes = 0; ///< read for each block of k
  double latency = 0;     ///< of a block of k, at least
  double compute = 0;     ///< of a block of k, with all of the units
  double copies = 0;      ///< instructions of a thread that copy a block of k
};

/// Expected microseconds, from the end of what is read to its own.
double timeOf(const TileWork &work, const GpuProduct &problem,
              const GpuProductPlan &plan, const GpuTarget &target);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_TILEWAVES_H
