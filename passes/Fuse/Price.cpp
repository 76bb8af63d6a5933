//===- Price.cpp - what a kernel of stages takes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Price.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
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
static constexpr double stageCycles = 150;
/// A kernel of stages must gain so much by its price, so that errors of prices
/// do not decide.
static constexpr double leastGain = 1.1;
/// Of the second-level cache, what a kernel reads and writes may fill so that
/// the next one still finds it: about as much as is touched between.
static constexpr double nearPart = 0.75;
/// The part of a tile by which threads that start late, or are slower, delay a
/// launch.
static constexpr double lateStart = 0.3;
/// How often an operand is read or written where it is packed for one tile.
static constexpr double packedTimes = 3;
/// The part of the second-level cache that a thread's scratch may fill to stay
/// there, and of the third-level cache that all threads' may fill at all.
static constexpr double localPart = 0.75, sharedPart = 0.25;

/// Whether a product takes an input as its right-hand side.
static bool isSecondOfProduct(kernel::StageOp stage, unsigned input) {
  Value argument = stage.getBlock().getArgument(input);
  return llvm::any_of(argument.getUses(), [](OpOperand &use) {
    return isa<graph::MatmulOp>(use.getOwner()) && use.getOperandNumber() == 1;
  });
}

static int64_t bytesOf(Value value) {
  return graph::tensorBytes(value.getType()).value_or(0);
}

/// Bytes that a group reads of an operand: of one that is sliced, parts.
static int64_t bytesRead(BlockArgument operand) {
  int64_t parts = 0;
  for (Operation *user : operand.getUsers()) {
    if (!isa<graph::SliceOp>(user))
      return bytesOf(operand);
    parts += bytesOf(user->getResult(0));
  }
  return std::min(parts, bytesOf(operand));
}

/// Bytes that come into a group and leave it.
static int64_t bytesThrough(kernel::GroupOp group) {
  int64_t bytes = 0;
  for (BlockArgument operand : group.getBlock().getArguments())
    bytes += bytesRead(operand);
  for (Value result : group.getResults_())
    bytes += bytesOf(result);
  return bytes;
}

/// Bytes that a group of several results leaves before their readers come: by
/// then they are further away, and the arena has to hold them. One result, the
/// largest, any kernel leaves.
static int64_t heldBytes(kernel::GroupOp group) {
  int64_t bytes = 0, largest = 0;
  for (Value result : group.getResults()) {
    bytes += bytesOf(result);
    largest = std::max(largest, bytesOf(result));
  }
  return bytes - largest;
}

/// Of whole cycles: no price is better by less.
static Time timeOf(const fusion::Cost &cost, const tile::Target &target,
                   double gain = 1) {
  return target.timeOf(std::floor(double(cost.time) / unitsPerCycle / gain));
}

namespace {
/// A price as it is added up, in what the target's table counts: cycles.
struct Sum {
  const tile::Target &target;
  double compute = 0;
  int64_t traffic = 0;
  int64_t tiles = 1;
  double wholeTiles = 1; ///< the last ones counted by their size
  double calls = 0;      ///< cycles of all tiles

  /// Threads that have work all the time, on average: the busiest one has so
  /// many tiles, and they do not begin at once.
  double busy() const {
    if (target.threads == 1)
      return 1;
    auto most = double(tile::ceilDiv(tiles, target.threads));
    return std::max(1.0, wholeTiles / (most + lateStart));
  }

  Price price() const {
    double busy = this->busy();
    double mid = double(traffic) > nearPart * double(target.l2Bytes)
                     ? double(traffic)
                     : 0;
    double memory = target.isInMemory(traffic) ? double(traffic) : 0;
    double cycles = compute + calls + mid / target.midBytes;
    // Two cores take all that memory gives.
    double wait = memory / target.memoryBytes / std::min(busy, 2.0);
    bool forks = target.threads > 1 && tiles > 1;
    double launch = target.tileCycles + (forks ? target.forkCycles : 0);
    Price price;
    price.compute = target.timeOf(compute);
    price.cost = {std::llround((cycles / busy + wait + launch) * unitsPerCycle),
                  int64_t(memory), int64_t(mid), std::llround(compute), tiles};
    price.time = timeOf(price.cost, target);
    return price;
  }
};
} // namespace

/// Of a kernel that the device prices itself.
static Price priceOf(const codegen::KernelPrice &kernel) {
  Price price;
  price.cost.time = std::llround(kernel.time.nanoseconds * unitsPerCycle);
  price.time = kernel.time;
  price.tile = kernel.tile;
  price.level = kernel.level;
  return price;
}

/// Parts, joined or with a border, lie where others read or write them anyway
/// (passes/Codegen/Layout), more often than not.
static bool isView(kernel::GroupOp group) {
  return llvm::all_of(group.getBlock().without_terminator(), [](Operation &op) {
    return isa<graph::SliceOp, graph::ConcatOp, graph::PadOp,
               graph::ConstantOp>(op);
  });
}

std::optional<Price> Pricer::alone(kernel::GroupOp group) {
  if (isView(group))
    return Price();
  if (!device.tilesStages())
    return ofKernel(group);
  std::optional<Time> compute = device.timeAlone(group);
  if (!compute)
    return std::nullopt;
  const tile::Target &target = device.thread();
  Sum sum{target, target.cyclesOf(*compute), bytesThrough(group)};
  Price one = sum.price();
  sum.tiles = target.enoughTiles();
  sum.wholeTiles = double(sum.tiles);
  Price many = sum.price();
  return one.cost < many.cost ? one : many;
}

fusion::Cost Pricer::least(Time compute, int64_t traffic) const {
  const tile::Target &target = device.thread();
  Sum sum{target, target.cyclesOf(compute), traffic};
  // Infinitely many tiles keep all threads busy.
  sum.tiles = 1 << 20;
  sum.wholeTiles = double(sum.tiles);
  fusion::Cost cost = sum.price().cost;
  cost.time = int64_t(double(cost.time) * leastGain);
  cost.tiles = 0;
  return cost;
}

static double elementsOf(const BoxMap &box) {
  double elements = 1;
  for (const kernel::BoxDim &dim : box)
    elements *= double(dim.span);
  return elements;
}

/// What each tile reads again of the group's operands that no first-level cache
/// keeps, in cycles: from the second-level cache, and operands of products that
/// are no constants are packed each time.
static double againCycles(kernel::StageOp stage,
                          const StageFootprint &footprint,
                          const tile::Target &target) {
  double cycles = 0;
  for (auto [i, box] : llvm::enumerate(footprint.operands)) {
    Value input = stage.getInputs()[i];
    auto type = cast<RankedTensorType>(input.getType());
    double bytes =
        elementsOf(box) * double(graph::elementBytes(type.getElementType()));
    if (bytes <= double(target.l1Bytes) / 2)
      continue;
    bool isPacked =
        !isConstantOf(stage, input) && isSecondOfProduct(stage, unsigned(i));
    cycles += bytes / target.nearBytes * (isPacked ? packedTimes : 1);
  }
  return cycles;
}

/// Bytes that a stage writes and reads of what stages leave each other.
static double localTraffic(kernel::StageOp stage, const StageFootprint &boxes) {
  auto bytesOf = [](Value value, const BoxMap &box) {
    auto type = cast<RankedTensorType>(value.getType());
    return elementsOf(box) * double(graph::elementBytes(type.getElementType()));
  };
  double bytes = 0;
  if (!stage.getResult().use_empty() &&
      !isa<kernel::YieldOp>(*stage->user_begin()))
    bytes += bytesOf(stage.getResult(), boxes.result);
  for (auto [input, box] : llvm::zip_equal(stage.getInputs(), boxes.operands))
    if (!isa<BlockArgument>(input))
      bytes += bytesOf(input, box);
  return bytes;
}

/// A group of stages, as its price is asked for tile after tile.
struct Pricer::Staged {
  explicit Staged(kernel::GroupOp group) : group(group), boxes(group) {
    llvm::append_range(stages, group.getBlock().getOps<kernel::StageOp>());
    for (kernel::StageOp stage : stages)
      keys.push_back(keyOf(stage));
    traffic = bytesThrough(group);
    held = heldBytes(group);
  }

  kernel::GroupOp group;
  TileBoxes boxes;
  SmallVector<kernel::StageOp> stages;
  SmallVector<std::string> keys;
  int64_t traffic, held;
};

/// Where local buffers lie is decided as code is made.
int64_t Pricer::localBytes(Staged &staged, const TileSizes &sizes) {
  staged.group.setTileAttr(staged.boxes.attrOf(sizes));
  return device.localBytes(staged.group, staged.boxes.anyAt(sizes));
}

std::optional<codegen::BoxCost> Pricer::costOnBox(Staged &staged,
                                                  unsigned number,
                                                  const TileSizes &sizes,
                                                  StageFootprint &boxes) {
  auto [found, isNew] = known.try_emplace(staged.keys[number] + keyOf(boxes));
  if (isNew) {
    staged.boxes.addValues(number, sizes, boxes);
    found->second = device.costOnBox(staged.stages[number], boxes);
  }
  return found->second;
}

std::optional<Price> Pricer::tiled(Staged &staged, const TileSizes &sizes) {
  std::optional<SmallVector<StageFootprint>> boxes = staged.boxes.at(sizes);
  if (!boxes)
    return std::nullopt;
  const tile::Target &target = device.thread();
  Sum sum{target, 0, staged.traffic};
  sum.tiles = staged.boxes.tiles(sizes);
  sum.wholeTiles = staged.boxes.wholeTiles(sizes);
  double done = 0, needed = 0, calls = target.tileCycles;
  int64_t local = localBytes(staged, sizes), own = 0;
  if (!fits(local))
    return std::nullopt;
  for (auto [number, box] : llvm::enumerate(*boxes)) {
    kernel::StageOp stage = staged.stages[number];
    std::optional<codegen::BoxCost> cost =
        costOnBox(staged, unsigned(number), sizes, box);
    if (!cost || !fits(local + cost->scratch))
      return std::nullopt;
    if (!staysNear(local + cost->scratch))
      calls += localTraffic(stage, box) / target.midBytes;
    own = std::max(own, cost->scratch);
    sum.compute += target.cyclesOf(cost->time) * sum.wholeTiles;
    calls += stageCycles + againCycles(stage, box, target);
    done += elementsOf(box.result) * sum.wholeTiles;
    needed += double(
        cast<RankedTensorType>(stage.getResult().getType()).getNumElements());
  }
  sum.calls = calls * double(sum.tiles) + double(staged.held) / target.midBytes;
  Price price = sum.price();
  price.cost.time = int64_t(double(price.cost.time) * leastGain);
  price.time = timeOf(price.cost, target, leastGain);
  price.tile = staged.boxes.attrOf(sizes);
  price.again = done / needed;
  price.scratch = local + own;
  return price;
}

bool Pricer::fits(int64_t scratch) const {
  const tile::Target &target = device.thread();
  double all = double(scratch) * double(target.threads);
  return !target.isInMemory(int64_t(all / sharedPart));
}

bool Pricer::staysNear(int64_t scratch) const {
  return double(scratch) <= localPart * double(device.thread().l2Bytes);
}

std::optional<Price> Pricer::ofKernel(kernel::GroupOp group) {
  auto [found, isNew] = knownGroups.try_emplace(keyOf(group));
  if (isNew)
    if (auto kernel = device.priceOf(group))
      found->second = priceOf(*kernel);
  return found->second;
}

std::optional<Price> Pricer::staged(kernel::GroupOp group) {
  if (!device.tilesStages())
    return ofKernel(group);
  auto [found, isNew] = knownGroups.try_emplace(keyOf(group));
  if (isNew)
    found->second = searched(group);
  return found->second;
}

std::optional<Price> Pricer::searched(kernel::GroupOp group) {
  Staged staged(group);
  std::optional<Price> best;
  searchTiles(staged.boxes.shape(),
              [&](const TileSizes &sizes) -> std::optional<int64_t> {
                std::optional<Price> price = tiled(staged, sizes);
                if (!price)
                  return std::nullopt;
                if (!best || price->cost < best->cost)
                  best = price;
                return price->cost.time;
              });
  return best;
}

std::optional<Price> Pricer::staged(kernel::GroupOp group,
                                    const TileSizes &sizes) {
  Staged staged(group);
  return tiled(staged, sizes);
}

std::string Pricer::whyNoTile(kernel::GroupOp group) {
  Staged staged(group);
  TileSizes sizes(staged.boxes.shape());
  for (size_t dim = 0; dim + 1 < sizes.size(); ++dim)
    if (sizes[dim] > 1) {
      sizes[dim] = 1;
      break;
    }
  group.setTileAttr(staged.boxes.attrOf(sizes));
  std::string why;
  if (failed(kernel::footprintsOf(group, why)))
    return why;
  return "no tile's values between stages fit in a cache";
}
