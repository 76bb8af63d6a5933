//===- TileWaves.cpp - how long tiles of products take --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are fitted (GpuFit.h): what they choose of ResNet-50's products on an
// H200 takes 4 % longer than the fastest plans.
//===----------------------------------------------------------------------===//
#include "lib/Tile/TileWaves.h"

#include "lib/Tile/Rows.h"
#include <algorithm>

using namespace tenon::tile;

/// Blocks of threads that a multiprocessor has room for.
static int64_t roomOf(const TileWork &work, const GpuTarget &target) {
  constexpr int64_t most = 8, mostThreads = 2048, reserved = 1024;
  return std::clamp<int64_t>(
      std::min({target.processorShared / (work.sharedBytes + reserved),
                target.registers / (work.registers * work.threads),
                mostThreads / work.threads}),
      1, most);
}

/// Of all multiprocessors.
static int64_t roomOf(const TileWork &work, const GpuProductPlan &plan,
                      const GpuTarget &target) {
  int64_t processors =
      plan.share < 4
          ? target.processors
          : int64_t(double(target.processors) * target.fit.clusterReach);
  int64_t clusters = processors / plan.share * roomOf(work, target);
  return std::max<int64_t>(1, clusters) * plan.share;
}

double tenon::tile::timeOf(const TileWork &work, const GpuProduct &problem,
                           const GpuProductPlan &plan,
                           const GpuTarget &target) {
  const GpuFit &fit = target.fit;
  int64_t blocks = work.tiles * plan.share;
  int64_t turns = ceilDiv(blocks, roomOf(work, plan, target));
  // Side by side on the busiest multiprocessor.
  auto together = double(ceilDiv(ceilDiv(blocks, turns), target.processors));
  double near = double(work.stageBytes) * together /
                (fit.nearRate * target.l2PerTime / double(target.processors));
  // Few warps wait for their own products and for each other.
  double alone =
      work.compute * std::max(1.0, 4.0 * warpLanes / double(work.threads));
  double step = std::max({work.latency, alone, work.compute * together, near}) +
                work.copies * fit.copyTime * together;
  auto sums = double(plan.rows * plan.columns * 4);
  double results = sums / double(plan.share) *
                   double(1 + problem.epilogueLoads) * together /
                   fit.resultBytes;
  double sharing =
      plan.share > 1 ? fit.clusterTime + sums * together / fit.clusterBytes : 0;
  double turn = fit.turnTime + double(work.blocks) * step + results + sharing;
  double later = roomOf(work, target) > 1 ? fit.turnShare : 1;
  return fit.productStart + std::max(turn * (1 + later * double(turns - 1)),
                                     double(problem.bytes) /
                                         (fit.memoryRate * target.memoryBytes));
}
