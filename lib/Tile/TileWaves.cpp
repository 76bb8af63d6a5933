//===- TileWaves.cpp - how long tiles of products take --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are fitted to 400 plans that were measured on an H200, of ten
// networks at batch 1 and three at batch 32: what they choose of ResNet-50's
// products takes 4 % longer than the fastest plans.
//===----------------------------------------------------------------------===//
#include "lib/Tile/TileWaves.h"

#include "lib/Tile/Rows.h"
#include <algorithm>

using namespace tenon::tile;

/// A graph's node and what every kernel begins and ends with, and what a turn
/// of blocks does before and behind its loop over k.
static constexpr double launchTime = 0.33, turnTime = 0.95;
/// What of a turn does not run beside the one before, where blocks share a
/// multiprocessor.
static constexpr double turnShare = 0.83;
/// Barriers of a cluster, and bytes in a microsecond from each other's shared
/// memory.
static constexpr double clusterTime = 1.0, clusterBytes = 50e3;
/// Bytes of sums in a microsecond through shared memory into memory.
static constexpr double resultBytes = 53e3;
/// Of an instruction that copies less than 16 bytes, with what it asks first.
static constexpr double copyTime = 0.02;
/// Boxes and rows of 128 bytes come from the second-level cache at almost twice
/// the rate of other reads, and of memory's rate a product reaches so much.
static constexpr double nearRate = 1.77, memoryRate = 0.77;

/// Blocks of threads that a multiprocessor has room for.
static int64_t roomOf(const TileWork &work, const GpuTarget &target) {
  constexpr int64_t most = 8, mostThreads = 2048, reserved = 1024;
  return std::clamp<int64_t>(
      std::min({target.processorShared / (work.sharedBytes + reserved),
                target.registers / (work.registers * work.threads),
                mostThreads / work.threads}),
      1, most);
}

/// Of all multiprocessors. Those of a cluster belong to one part of the chip,
/// and parts differ in size: of 132 clusters of four or eight reach 112.
static int64_t roomOf(const TileWork &work, const GpuProductPlan &plan,
                      const GpuTarget &target) {
  int64_t processors =
      plan.share < 4 ? target.processors : target.processors * 17 / 20;
  int64_t clusters = processors / plan.share * roomOf(work, target);
  return std::max<int64_t>(1, clusters) * plan.share;
}

double tenon::tile::timeOf(const TileWork &work, const GpuProduct &problem,
                           const GpuProductPlan &plan,
                           const GpuTarget &target) {
  int64_t blocks = work.tiles * plan.share;
  int64_t turns = ceilDiv(blocks, roomOf(work, plan, target));
  // Side by side on the busiest multiprocessor.
  auto together = double(ceilDiv(ceilDiv(blocks, turns), target.processors));
  double near = double(work.stageBytes) * together /
                (nearRate * target.l2PerTime / double(target.processors));
  // Few warps wait for their own products and for each other.
  double alone =
      work.compute * std::max(1.0, 4.0 * warpLanes / double(work.threads));
  double step = std::max({work.latency, alone, work.compute * together, near}) +
                work.copies * copyTime * together;
  auto sums = double(plan.rows * plan.columns * 4);
  double results = sums / double(plan.share) *
                   double(1 + problem.epilogueLoads) * together / resultBytes;
  double sharing =
      plan.share > 1 ? clusterTime + sums * together / clusterBytes : 0;
  double turn = turnTime + double(work.blocks) * step + results + sharing;
  double later = roomOf(work, target) > 1 ? turnShare : 1;
  return launchTime +
         std::max(turn * (1 + later * double(turns - 1)),
                  double(problem.bytes) / (memoryRate * target.memoryBytes));
}
