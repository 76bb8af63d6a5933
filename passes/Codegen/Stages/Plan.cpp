//===- Plan.cpp - plans of groups of stages -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Planning.h"
#include "passes/Codegen/Stages/StageGroup.h"
#include "passes/Codegen/Stages/Stages.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::StageFootprint;

FailureOr<StagePlan> codegen::planInTile(kernel::GroupOp stage,
                                         const Device &device,
                                         tile::Target target, bool isTeam) {
  if (!isTeam)
    target.threads = 1;
  // Plain arithmetic: the others prepare more than a tile pays for.
  return planStage(stage, device, target);
}

/// One thread runs all of a stage in a tile, so what threads share is its own.
int64_t codegen::scratchInTile(const StagePlan &plan) {
  int64_t bytes = plan.threadScratch;
  for (int64_t each : plan.scratchBytes)
    bytes += llvm::alignTo(each, LocalBuffers::alignment);
  return bytes;
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

static bool haveSameShape(const StageFootprint &a, const StageFootprint &b) {
  auto isSame = [](const kernel::BoxMap &x, const kernel::BoxMap &y) {
    return llvm::equal(
        x, y, [](const kernel::BoxDim &left, const kernel::BoxDim &right) {
          return left.span == right.span;
        });
  };
  return isSame(a.result, b.result) &&
         llvm::equal(a.operands, b.operands, isSame);
}

kernel::PlanAttr codegen::planAt(kernel::StageOp stage, kernel::GroupOp box,
                                 const StageFootprint &tile,
                                 const StageFootprint &typical,
                                 const Device &device,
                                 const tile::Target &target, bool isTeam) {
  if (haveSameShape(tile, typical))
    return stage.getPlanAttr();
  FailureOr<StagePlan> own = planInTile(box, device, target, isTeam);
  bool fits =
      succeeded(own) && own->scratchBytes.empty() && own->threadScratch == 0;
  auto group = stage->getParentOfType<kernel::GroupOp>();
  for (auto [i, input] : llvm::enumerate(stage.getInputs())) {
    auto argument = dyn_cast<BlockArgument>(input);
    DictionaryAttr pack =
        argument ? group.getPack(argument.getArgNumber()) : DictionaryAttr();
    fits = fits &&
           (i < own->packs.size() ? own->packs[i] : DictionaryAttr()) == pack;
  }
  return fits ? own->plan : stage.getPlanAttr();
}

namespace {
/// Plans the stages of a group for the tile that most tiles look like.
class StagesPlanner {
public:
  StagesPlanner(const PlanRequest &request, const TileGrid &grid, bool isTeam)
      : device(request.device), target(request.target), group(request.group),
        grid(grid), isTeam(isTeam) {
    plan.halos.resize(group.getNumOperands());
    plan.packs.resize(group.getNumOperands());
  }

  PlannedChoices run() {
    Time time;
    auto stages = group.getBlock().getOps<kernel::StageOp>();
    SmallVector<StageFootprint> tile = grid.typical();
    for (auto [number, stage] : llvm::enumerate(stages)) {
      FailureOr<Time> cost = planOne(stage, tile[number]);
      FailureOr<Time> copy = planCopy(number, stage, tile[number]);
      if (failed(cost) || failed(copy))
        return failure();
      time += *cost + *copy;
    }
    // How much scratch a plan needs is known for tiles of one shape.
    if (plan.threadScratch > 0 && (isTeam || !grid.isUniform()))
      return noChoice();
    addHalos();
    int64_t tiles = 1;
    for (int64_t count : grid.counts())
      tiles *= count;
    Overwrites overwrites = isTeam ? noOverwrites(group)
                                   : overwritesOf(group, grid, device, target);
    FailureOr<LocalBuffers> locals = localBuffers(group, grid, overwrites);
    if (failed(locals))
      return failure();
    plan.plan = groupPlan(overwrites);
    plan.threadScratch += locals->size;
    return oneChoice(std::move(plan), time * double(tiles));
  }

private:
  kernel::PlanAttr groupPlan(ArrayRef<int64_t> overwrites) {
    Builder b(group.getContext());
    NamedAttrList params;
    if (llvm::any_of(overwrites, [](int64_t operand) { return operand >= 0; }))
      params.set("in_place", b.getDenseI64ArrayAttr(overwrites));
    return kernel::PlanAttr::get(group.getContext(), stagesStrategy.name,
                                 params.getDictionary(group.getContext()));
  }

  FailureOr<Time> planOne(kernel::StageOp stage,
                          const StageFootprint &footprint) {
    StageGroup box(stage, footprint);
    FailureOr<StagePlan> chosen = planInTile(box.get(), device, target, isTeam);
    if (failed(chosen) ||
        failed(checkPlaces(stage, footprint, box.get(), *chosen)))
      return failure();
    addScratch(stage, *chosen);
    stage.setPlanAttr(chosen->plan);
    for (auto [input, pack] : llvm::zip(stage.getInputs(), chosen->packs))
      if (pack)
        plan.packs[cast<BlockArgument>(input).getArgNumber()] = pack;
    return chosen->time;
  }

  /// A box lies in a larger tensor, or in what is needed of a stage's result.
  LogicalResult checkPlaces(kernel::StageOp stage,
                            const StageFootprint &footprint,
                            kernel::GroupOp box, const StagePlan &chosen) {
    box.setPlanAttr(chosen.plan);
    const Strategy *strategy = strategyOf(box);
    for (auto [i, input] : llvm::enumerate(stage.getInputs())) {
      bool isPacked = i < chosen.packs.size() && chosen.packs[i];
      auto whole = cast<RankedTensorType>(input.getType());
      auto dense = memory::BufferType::getDense(whole);
      auto part = memory::BufferType::get(
          whole.getContext(), tensorOf(whole, footprint.operands[i]),
          dense.getStrides(), 0, dense.getBytes());
      bool isLocal = !isa<BlockArgument>(input);
      if (!isPacked && !isLocal && !strategy->canAddress(box, i, part))
        return stage.emitOpError("reads a part of operand ")
               << i << " that '" << strategy->name << "' cannot address";
    }
    return success();
  }

  /// Of what a tile stores of a result that is local.
  FailureOr<Time> planCopy(unsigned number, kernel::StageOp stage,
                           const StageFootprint &footprint) {
    if (!grid.place(number).isCopied())
      return Time();
    StageGroup copy = StageGroup::copyOf(stage, footprint);
    FailureOr<StagePlan> chosen =
        planInTile(copy.get(), device, target, isTeam);
    return failed(chosen) ? FailureOr<Time>() : chosen->time;
  }

  void addScratch(kernel::StageOp stage, const StagePlan &chosen) {
    stage.removeScratchAttr();
    plan.threadScratch = std::max(plan.threadScratch, scratchInTile(chosen));
    if (!chosen.scratchBytes.empty())
      stage.setScratch(chosen.scratchBytes);
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

  const Device &device;
  const tile::Target &target;
  kernel::GroupOp group;
  const TileGrid &grid;
  bool isTeam;
  StagePlan plan;
};
} // namespace

static PlannedChoices planFor(const PlanRequest &request, bool isTeam) {
  FailureOr<TileGrid> grid = TileGrid::create(request.group);
  if (failed(grid))
    return failure();
  return StagesPlanner(request, *grid, isTeam).run();
}

PlannedChoices codegen::planStages(const PlanRequest &request) {
  return planFor(request, /*isTeam=*/false);
}

PlannedChoices codegen::planTeam(const PlanRequest &request) {
  return planFor(request, /*isTeam=*/true);
}

static bool hasStages(kernel::GroupOp group) {
  return group.isStaged() && mayLeaveIn(group, kernel::Level::Scratch);
}

/// Rows without gaps between neighbours; packed constants as they are.
static bool canAddress(kernel::GroupOp group, unsigned index,
                       memory::BufferType type) {
  if (index < group.getNumOperands() && group.getPack(index))
    return type.isDense();
  return type.getShape().empty() || type.getStrides().back() == 1;
}

const Strategy codegen::stagesStrategy{"stages", hasStages, planStages,
                                       emitStages, canAddress};
