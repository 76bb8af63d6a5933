//===- Price.cpp - what a kernel of stages takes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Price.h"

#include "dialects/Graph/Graph.h"
#include "lib/Cost/StageCost.h"
#include "passes/Fuse/StageKey.h"
#include "passes/Fuse/TileChoice.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;
using kernel::BoxMap;
using kernel::StageFootprint;

/// Units of a price in a cycle.
static constexpr double unitsPerCycle = 16;
/// Cycles of a stage's call in a tile: pointers, loop bounds, what is loaded
/// once.
static constexpr double stageCycles = 60;
/// A kernel of stages must gain so much by its price, so that errors of prices
/// do not decide.
static constexpr double leastGain = 1.03;
/// The part of the second-level cache that local buffers may fill.
static constexpr double localPart = 0.75;

static int64_t bytesOf(Value value) {
  return graph::tensorBytes(value.getType()).value_or(0);
}

/// Bytes that come into a group and leave it.
static int64_t trafficOf(kernel::GroupOp group) {
  int64_t bytes = 0;
  for (Value operand : group.getOperands_())
    bytes += bytesOf(operand);
  for (Value result : group.getResults_())
    bytes += bytesOf(result);
  return bytes;
}

namespace {
/// A price as it is added up, in cycles.
struct Sum {
  const tile::Target &target;
  double compute = 0;
  int64_t traffic = 0;
  int64_t tiles = 1;
  double calls = 0; ///< cycles of all tiles

  Price price() const {
    auto threads = double(target.threads);
    double busy = cost::efficiency(tiles, target.threads) * threads;
    double mid = traffic > target.l2Bytes / 2 ? double(traffic) : 0;
    double memory = target.isInMemory(traffic) ? double(traffic) : 0;
    double cycles = compute + calls + mid / target.midBytes;
    // Two cores take all that memory gives.
    double wait = memory / target.memoryBytes / std::min(busy, 2.0);
    double launch = target.threads > 1 ? target.forkCycles : 0;
    Price price;
    price.cycles = cycles;
    price.cost = {
        std::llround((cycles / busy + wait + launch) * unitsPerCycle),
        int64_t(memory), int64_t(mid), std::llround(compute), tiles};
    return price;
  }
};
} // namespace

std::optional<Price> Pricer::alone(kernel::GroupOp group) {
  std::optional<double> compute = device.cyclesAlone(group);
  if (!compute)
    return std::nullopt;
  Sum sum{device.target(), *compute, trafficOf(group)};
  sum.tiles = device.target().enoughTiles();
  return sum.price();
}

std::optional<double> Pricer::cyclesOnBox(kernel::StageOp stage,
                                          const StageFootprint &boxes) {
  auto [found, isNew] = known.try_emplace(keyOf(stage, boxes));
  if (isNew)
    found->second = device.cyclesOnBox(stage, boxes);
  return found->second;
}

static double elementsOf(const BoxMap &box) {
  double elements = 1;
  for (const kernel::BoxDim &dim : box)
    elements *= double(dim.span);
  return elements;
}

std::optional<Price> Pricer::tiled(kernel::GroupOp group) {
  TileGridSize grid(group);
  std::optional<SmallVector<StageFootprint>> boxes = typicalBoxes(group);
  if (!boxes)
    return std::nullopt;
  Sum sum{device.target(), 0, trafficOf(group)};
  double done = 0, needed = 0;
  int64_t local = 0;
  sum.tiles = grid.tiles;
  auto stages = group.getBlock().getOps<kernel::StageOp>();
  for (auto [stage, footprint] : llvm::zip_equal(stages, *boxes)) {
    std::optional<double> cycles = cyclesOnBox(stage, footprint);
    if (!cycles)
      return std::nullopt;
    sum.compute += *cycles * grid.wholeTiles;
    sum.calls += stageCycles * double(grid.tiles);
    auto type = cast<RankedTensorType>(stage.getResult().getType());
    done += elementsOf(footprint.result) * grid.wholeTiles;
    needed += double(type.getNumElements());
    if (stage->getNextNode() != group.getBlock().getTerminator())
      local += int64_t(elementsOf(footprint.needed)) *
               graph::elementBytes(type.getElementType());
  }
  if (double(local) > localPart * double(device.target().l2Bytes))
    return std::nullopt;
  sum.calls += device.target().tileCycles * double(grid.tiles);
  Price price = sum.price();
  price.cost.time = int64_t(double(price.cost.time) * leastGain);
  price.tile = *group.getTile();
  price.again = done / needed;
  price.local = local;
  return price;
}

std::optional<Price> Pricer::staged(kernel::GroupOp group) {
  std::optional<Price> best;
  chooseTile(group, [&]() -> std::optional<int64_t> {
    std::optional<Price> price = tiled(group);
    if (!price)
      return std::nullopt;
    if (!best || price->cost < best->cost)
      best = price;
    return price->cost.time;
  });
  return best;
}
