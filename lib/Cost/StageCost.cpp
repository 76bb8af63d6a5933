//===- StageCost.cpp - what a stage costs on a processor ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Cost/StageCost.h"

#include "lib/Tile/Rows.h"
#include <algorithm>
#include <utility>

using namespace tenon;
using namespace tenon::cost;

/// Instructions of `exp`: a polynomial, and putting the exponent together.
static constexpr double exponentialCycles = 16;
/// Cores that together take all that memory gives: a choice, not measured.
static constexpr int64_t memoryCores = 2;

llvm::StringRef tenon::cost::toText(Bound bound) {
  static constexpr const char *names[] = {"issue", "load", "mid", "memory",
                                          "launch"};
  return names[unsigned(bound)];
}

double tenon::cost::efficiency(int64_t tiles, int64_t threads) {
  if (tiles < 1 || threads < 1)
    return 1;
  return double(tiles) / double(threads * tile::ceilDiv(tiles, threads));
}

namespace {
/// The bytes of a stage by what they come from.
struct Traffic {
  Traffic(const StageWork &work, const tile::Target &target) {
    // Of each private cache, a part is for what is not a tile's own.
    bool isNear = work.footprint() <= double(target.l2Bytes) / 2;
    bool isScratchNear = work.scratchBytes <= double(target.l2Bytes) * 3 / 4;
    bool isScratchFirst = work.scratchBytes <= double(target.l1Bytes) / 2;
    near = work.footprint() + work.bytesAgain +
           (isScratchFirst ? 0 : work.scratchTraffic);
    mid = (isNear ? 0 : work.footprint()) + work.bytesAgain +
          (isScratchNear ? 0 : work.scratchTraffic);
    memory =
        target.isInMemory(int64_t(work.footprint())) ? work.footprint() : 0;
  }

  double near, mid, memory;
};
} // namespace

static double issueCycles(const StageWork &work, double lanes,
                          const tile::Target &target) {
  double instructions = work.fma * (target.fma ? 1 : 2) + work.plain +
                        work.transcendental * exponentialCycles;
  return instructions / lanes;
}

/// One thread runs tiles one after the other, and waits for nobody.
static double launchCycles(const StageWork &work, const tile::Target &target,
                           int64_t threads) {
  int64_t busiest = tile::ceilDiv(std::max<int64_t>(1, work.tiles), threads);
  bool forks = threads > 1 && work.tiles > 1;
  return double(work.steps) * (double(busiest) * target.tileCycles +
                               (forks ? target.forkCycles : 0));
}

StageCost tenon::cost::estimate(const StageWork &work,
                                const tile::Target &target, int64_t threads) {
  int64_t native = target.lanes(work.elementBytes);
  auto lanes =
      double(std::clamp<int64_t>(work.lanes, 1, std::max<int64_t>(1, native)));
  threads = std::max<int64_t>(1, threads);
  double parallel = efficiency(work.tiles, threads) * double(threads);
  double memoryParallel = std::min(parallel, double(memoryCores));
  Traffic traffic(work, target);
  double load =
      std::max(work.accesses / lanes, traffic.near / target.nearBytes);
  std::pair<double, Bound> terms[] = {
      {issueCycles(work, lanes, target) / parallel, Bound::Issue},
      {load / parallel, Bound::Load},
      {traffic.mid / target.midBytes / parallel, Bound::Mid},
      {traffic.memory / target.memoryBytes / memoryParallel, Bound::Memory}};
  auto slowest = *std::max_element(
      std::begin(terms), std::end(terms),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  double launch = launchCycles(work, target, threads);
  return {slowest.first + launch, traffic.memory,
          launch > slowest.first ? Bound::Launch : slowest.second};
}
