//===- Plan.cpp - plans of groups of stages -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Planning.h"
#include "passes/CodegenCpu/Stages/StageGroup.h"
#include "passes/CodegenCpu/Stages/Stages.h"
#include "passes/CodegenCpu/Strategies.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::BoxDim;
using kernel::StageFootprint;

LocalBuffers codegen::localBuffers(kernel::GroupOp group,
                                   const TileGrid &grid) {
  constexpr int64_t alignment = 64;
  LocalBuffers locals;
  auto stages = group.getBlock().getOps<kernel::StageOp>();
  for (auto [stage, footprint] : llvm::zip(stages, grid.footprints())) {
    locals.offsets.push_back(locals.size);
    if (stage->getNextNode() == group.getBlock().getTerminator())
      break;
    auto type = cast<RankedTensorType>(stage.getResult().getType());
    int64_t bytes = graph::elementBytes(type.getElementType());
    for (const BoxDim &dim : footprint.needed)
      bytes *=
          dim.span + (dim.tileDim < 0
                          ? 0
                          : dim.scale * (grid.size(unsigned(dim.tileDim)) - 1));
    locals.size = llvm::alignTo(locals.size + bytes, alignment);
  }
  return locals;
}

/// The tile that most tiles look like.
static SmallVector<StageFootprint> typicalTile(const TileGrid &grid) {
  SmallVector<int64_t> index;
  for (unsigned dim = 0; dim < grid.rank(); ++dim) {
    const TileRun *longest = &grid.runs(dim).front();
    for (const TileRun &run : grid.runs(dim))
      if (run.end - run.begin > longest->end - longest->begin)
        longest = &run;
    index.push_back(longest->begin);
  }
  return grid.footprintsAt(index);
}

/// What tiles read before and after an operand of the group.
static void widenHalo(StagePlan::Halo &halo, Value operand,
                      const kernel::BoxMap &box) {
  auto shape = cast<RankedTensorType>(operand.getType()).getShape();
  halo.low.resize(shape.size());
  halo.high.resize(shape.size());
  for (auto [i, dim] : llvm::enumerate(box)) {
    halo.low[i] = std::max(halo.low[i], -dim.offset);
    halo.high[i] = std::max(halo.high[i], dim.offset + dim.span - shape[i]);
  }
}

namespace {
/// Plans the stages of a group for the tile that most tiles look like.
class StagesPlanner {
public:
  StagesPlanner(const PlanRequest &request, const TileGrid &grid)
      : request(request), group(request.group), grid(grid) {
    plan.halos.resize(group.getNumOperands());
    plan.packs.resize(group.getNumOperands());
  }

  PlannedChoice run() {
    double cycles = 0;
    auto stages = group.getBlock().getOps<kernel::StageOp>();
    for (auto [stage, footprint] : llvm::zip(stages, typicalTile(grid))) {
      FailureOr<double> cost = planOne(stage, footprint);
      if (failed(cost))
        return failure();
      cycles += *cost;
    }
    addHalos();
    int64_t tiles = 1;
    for (int64_t count : grid.counts())
      tiles *= count;
    Builder b(group.getContext());
    plan.plan = kernel::PlanAttr::get(group.getContext(), stagesStrategy.name,
                                      b.getDictionaryAttr({}));
    plan.threadScratch = localBuffers(group, grid).size;
    return std::optional(StageChoice{std::move(plan), cycles * double(tiles)});
  }

private:
  FailureOr<double> planOne(kernel::StageOp stage,
                            const StageFootprint &footprint) {
    StageGroup box(stage, footprint);
    // Plain arithmetic: the others prepare more than a tile pays for.
    FailureOr<StagePlan> chosen = planStage(box.get(), request.target);
    if (failed(chosen))
      return failure();
    stage.setPlanAttr(chosen->plan);
    for (auto [input, pack] : llvm::zip(stage.getInputs(), chosen->packs))
      if (pack)
        plan.packs[cast<BlockArgument>(input).getArgNumber()] = pack;
    auto cycles = chosen->costs.getAs<IntegerAttr>(chosen->plan.getStrategy());
    return double(cycles.getInt());
  }

  /// The first and the last tile reach furthest.
  void addHalos() {
    SmallVector<int64_t> first(grid.rank(), 0), last;
    for (int64_t count : grid.counts())
      last.push_back(count - 1);
    for (ArrayRef<int64_t> index : {ArrayRef(first), ArrayRef(last)}) {
      auto stages = group.getBlock().getOps<kernel::StageOp>();
      for (auto [stage, footprint] :
           llvm::zip(stages, grid.footprintsAt(index)))
        for (auto [input, box] :
             llvm::zip_equal(stage.getInputs(), footprint.operands))
          if (auto argument = dyn_cast<BlockArgument>(input))
            widenHalo(plan.halos[argument.getArgNumber()], input, box);
    }
  }

  const PlanRequest &request;
  kernel::GroupOp group;
  const TileGrid &grid;
  StagePlan plan;
};
} // namespace

PlannedChoice codegen::planStages(const PlanRequest &request) {
  FailureOr<TileGrid> grid = TileGrid::create(request.group);
  if (failed(grid))
    return failure();
  return StagesPlanner(request, *grid).run();
}

static bool hasStages(kernel::GroupOp group) { return group.isStaged(); }

/// Rows without gaps between neighbours; packed constants as they are.
static bool canAddress(kernel::GroupOp group, unsigned index,
                       memory::BufferType type) {
  if (index < group.getNumOperands() && group.getPack(index))
    return type.isDense();
  return type.getShape().empty() || type.getStrides().back() == 1;
}

const Strategy codegen::stagesStrategy{"stages", hasStages, planStages,
                                       emitStages, canAddress};
