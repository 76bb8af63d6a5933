//===- Strategy.cpp - the strategy of any stages of a block ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file plans groups of stages whose tiles are blocks: see the README.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "passes/Codegen/Groups/Work.h"
#include "passes/Codegen/Stages/StageGroup.h"
#include "passes/CodegenGpu/Stages/Stages.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Threads/Threads.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

//===-- Which groups ------------------------------------------------------===//

/// A convolution of images that lie channels last; null if there is none.
static graph::ConvOp convolutionOf(Operation *anchor) {
  auto conv = dyn_cast_or_null<graph::ConvOp>(anchor);
  return conv && conv.getLayout() == graph::Layout::NHWC &&
                 conv.getType().getRank() == 4
             ? conv
             : graph::ConvOp();
}

/// Convolutions of which one is depthwise, so that little of what lies between
/// them is computed twice.
static bool mayHold(kernel::GroupOp from, kernel::GroupOp to) {
  graph::ConvOp before = convolutionOf(from.getAnchor());
  graph::ConvOp after = convolutionOf(to.getAnchor());
  return before && after && (before.getGroup() > 1 || after.getGroup() > 1) &&
         from.getResult(0).hasOneUse();
}

static Operation *anchorOf(kernel::StageOp stage) {
  for (Operation &op : stage.getBlock())
    if (graph::isAnchor(graph::roleOf(&op)))
      return &op;
  return nullptr;
}

/// Whether there are tiles to choose from for a group that has none.
static bool isImage(kernel::GroupOp group) {
  return group.getNumResults() == 1 &&
         llvm::all_of(group.getBlock().getOps<kernel::StageOp>(),
                      [](kernel::StageOp stage) {
                        return convolutionOf(anchorOf(stage));
                      });
}

static bool hasStages(kernel::GroupOp group) {
  return group.isStaged() && (group.getTile() || isImage(group)) &&
         codegen::mayLeaveIn(group, kernel::Level::Shared);
}

//===-- Time --------------------------------------------------------------===//

/// Formulas for code of processors are rough, so that they must gain so much.
static constexpr double leastGain = 1.5;

static double bytesOf(TypeRange types) {
  double bytes = 0;
  for (Type type : types)
    bytes += double(graph::tensorBytes(type).value_or(0));
  return bytes;
}

/// Blocks that run at once.
static double blocksAtOnce(int64_t shared, const tile::GpuTarget &target) {
  constexpr int64_t mostThreads = 2048, reserved = 1024;
  int64_t each = std::min(mostThreads / blockOfStages,
                          target.processorShared / (shared + reserved));
  return double(std::max<int64_t>(1, each) * target.processors);
}

/// What the busiest thread has of a planned stage.
static double partOf(kernel::GroupOp box, kernel::PlanAttr plan) {
  auto type = cast<RankedTensorType>(box.getResult(0).getType());
  double parts =
      std::max(1.0, double(type.getNumElements()) / elementsInTurn(box, plan));
  return std::ceil(parts / double(blockOfStages)) / parts;
}

/// Microseconds: a thread has its parts of each stage of a tile, one stage
/// after the other.
static double timeOf(kernel::GroupOp group, const codegen::TileGrid &grid,
                     int64_t shared, const tile::GpuTarget &target) {
  constexpr double barrier = 0.05;
  double tiles = 1, turn = 0;
  for (int64_t count : grid.counts())
    tiles *= double(count);
  cost::StageWork all;
  auto stages = group.getBlock().getOps<kernel::StageOp>();
  for (auto [stage, boxes] : llvm::zip(stages, grid.typical())) {
    codegen::StageGroup box(stage, boxes);
    cost::StageWork own = codegen::workOf(box.get());
    all.fma += own.fma * tiles;
    all.plain += own.plain * tiles;
    all.transcendental += own.transcendental * tiles;
    turn += barrier + timeInTurn(own, partOf(box.get(), stage.getPlanAttr()));
  }
  all.bytesRead = bytesOf(group->getOperandTypes());
  all.bytesWritten = bytesOf(group->getResultTypes());
  double turns = std::ceil(tiles / blocksAtOnce(shared, target));
  return tile::shortestKernel + target.launchTime +
         std::max(timeOfAll(all, target), turns * turn);
}

//===-- Plans -------------------------------------------------------------===//

/// For the tile that the group has.
static PlannedChoices planTile(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  const tile::GpuTarget &target = targetOf(request.device);
  PlannedChoices choices = codegen::planTeam(
      {group, threadsOf(request.device), request.device.thread()});
  if (failed(choices) || choices->empty())
    return choices;
  StageChoice &choice = choices->front();
  int64_t shared = std::exchange(choice.result.threadScratch, 0);
  FailureOr<codegen::TileGrid> grid = codegen::TileGrid::create(group);
  if (failed(grid) || shared > target.sharedBytes)
    return noChoice();
  NamedAttrList params;
  params.set("tile", *group.getTile());
  choice.result.plan =
      kernel::PlanAttr::get(group.getContext(), stagesStrategy.name,
                            params.getDictionary(group.getContext()));
  choice.time =
      Time::ofMicroseconds(leastGain * timeOf(group, *grid, shared, target));
  return choices;
}

/// Squares of pixels of one image.
static kernel::TileAttr squareOf(kernel::GroupOp group, int64_t side) {
  auto shape = cast<RankedTensorType>(group.getResult(0).getType()).getShape();
  return kernel::TileAttr::get(
      group.getContext(), {0, 1, 2},
      {1, std::min(side, shape[1]), std::min(side, shape[2])});
}

/// The best of some tiles.
static PlannedChoices planAnyTile(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  ScopedDiagnosticHandler silent(group.getContext(),
                                 [](Diagnostic &) { return success(); });
  PlannedChoices best = noChoice();
  for (int64_t side : {4, 7, 8, 14, 16}) {
    group.setTileAttr(squareOf(group, side));
    PlannedChoices own = planTile(request);
    bool isBetter = succeeded(own) && !own->empty() &&
                    (best->empty() || own->front().time < best->front().time);
    if (isBetter)
      best = std::move(own);
  }
  group.removeTileAttr();
  return best;
}

static PlannedChoices planStages(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  return group.getTile() ? planTile(request) : planAnyTile(request);
}

static kernel::TileAttr tileOf(kernel::GroupOp, kernel::PlanAttr plan) {
  return plan.getParams().getAs<kernel::TileAttr>("tile");
}

/// Rows without gaps between neighbours; packed constants as they are.
static bool canAddress(kernel::GroupOp group, unsigned index,
                       memory::BufferType type) {
  return codegen::stagesStrategy.canAddress(group, index, type);
}

static constexpr codegen::WholeStages wholeStages{mayHold, tileOf,
                                                  kernel::Level::Shared};

const Strategy tenon::gpu::stagesStrategy{.name = "gpu_stages",
                                          .matches = hasStages,
                                          .plan = planStages,
                                          .emit = emitStages,
                                          .canAddress = canAddress,
                                          .wholeStages = &wholeStages};
