//===- Dots.cpp - how a contraction to one column is tiled ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Contraction.h"

#include <algorithm>

using namespace tenon::tile;

/// Bytes of A that make a launch tile worth handing to a thread.
static constexpr int64_t leastBytes = 128 * 1024;

ContractionPlan tenon::tile::planDots(const ContractionProblem &problem,
                                      const Target &target) {
  ContractionPlan plan;
  plan.lanes = std::max<int64_t>(1, target.lanes(problem.accumulatorBytes));
  // The sums of a block end in one vector, and half of the registers is free
  // for what the accumulators meet.
  int64_t rows = problem.totalRows() * problem.batches;
  plan.mr =
      std::clamp<int64_t>(rows, 1, std::min(plan.lanes, target.registers / 2));
  if (target.isGpuThread())
    return plan;
  int64_t blockBytes =
      std::max<int64_t>(1, problem.totalK() * problem.elementBytes * plan.mr);
  plan.rowTiles = std::max<int64_t>(1, leastBytes / blockBytes);
  return plan;
}
