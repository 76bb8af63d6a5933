//===- Stages.h - several stages in one kernel ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what planning and emission of groups of stages share. A
// tile of the group's results is computed stage by stage, each by the strategy
// that is cheapest for its box, through buffers of the thread that runs:
//
//   for each tile:
//     expand     x[box]       -> local 0     zeros around it at the border
//     depthwise  local 0      -> local 1
//     project    local 1      -> y[tile]
//
// What later stages need of a result that leaves the group may be more than the
// tile stores; such a one is local, too, and a part of it is copied.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_STAGES_STAGES_H
#define TENON_PASSES_CODEGEN_STAGES_STAGES_H

#include "passes/Codegen/Stages/TileGrid.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// Where the results of stages lie in the scratch of a thread, in bytes. What
/// the plan of a stage asks for follows them: it is dead after the stage.
struct LocalBuffers {
  static constexpr int64_t alignment = 64;
  llvm::SmallVector<int64_t> offsets; ///< per stage; 0 of those in memory
  int64_t size = 0;                   ///< a multiple of `alignment`
};

/// For each stage, the operand that lies where its result is to: a local buffer
/// that nothing reads after the stage; -1: none.
using Overwrites = llvm::SmallVector<int64_t>;

/// Whether both are local, the stage reads all of the operand, and nothing
/// reads it again.
bool canOverwrite(kernel::StageOp stage, unsigned number, int64_t operand,
                  const TileGrid &grid);
/// The operands that stages without an anchor could overwrite so.
Overwrites mayOverwrite(kernel::GroupOp group, const TileGrid &grid);
/// Those that the strategies of the planned stages allow, for any tile.
Overwrites overwritesOf(kernel::GroupOp group, const TileGrid &grid,
                        const Device &device, const tile::Target &target);
/// No stage does.
Overwrites noOverwrites(kernel::GroupOp group);
/// Those that the plan of a group says.
Overwrites overwritesOf(kernel::GroupOp group, kernel::PlanAttr plan);

/// Whether the stages of a group may leave each other their results there:
/// those that name a level name this one.
bool mayLeaveIn(kernel::GroupOp group, kernel::Level level);

/// The number of the last stage that reads each stage's result; its own if none
/// does.
llvm::SmallVector<int64_t> lastReaders(kernel::GroupOp group);

/// The number of the stage that an operand of a stage is the result of.
std::optional<unsigned> producerOf(kernel::StageOp stage, unsigned operand);

/// Those whose stages and readers are done make room for others. A diagnostic
/// where two share bytes that may not.
mlir::FailureOr<LocalBuffers> localBuffers(kernel::GroupOp group,
                                           const TileGrid &grid,
                                           llvm::ArrayRef<int64_t> overwrites);

/// Threads that run a tile together, where one alone does not.
class TileTeam {
public:
  virtual ~TileTeam() = default;
  /// Builds what deals out `count` parts of a stage, each to one thread, with
  /// the code that `emit` builds for some of them.
  virtual void share(KernelBuilder &b, Value count,
                     llvm::function_ref<void(Interval)> emit) = 0;
  /// Builds what lets all of them see what each has stored.
  virtual void wait(KernelBuilder &b) = 0;
};

/// The plan of what one thread runs in a tile, or all threads of `target` do.
mlir::FailureOr<StagePlan> planInTile(kernel::GroupOp stage,
                                      const Device &device, tile::Target target,
                                      bool isTeam = false);

/// What one needs of the scratch of the thread.
int64_t scratchInTile(const StagePlan &plan);

/// That of a stage for its box in one tile. Plans are made for the typical one;
/// tiles of another shape have their own, unless these want constants in
/// another order.
kernel::PlanAttr planAt(kernel::StageOp stage, kernel::GroupOp box,
                        const kernel::StageFootprint &tile,
                        const kernel::StageFootprint &typical,
                        const Device &device, const tile::Target &target,
                        bool isTeam = false);

/// The strategy, and its functions.
extern const Strategy stagesStrategy;
PlannedChoices planStages(const PlanRequest &request);
mlir::FailureOr<StageInfo> emitStages(const StageRequest &request);

/// The same for threads that run a tile together: without scratch of their own,
/// results between stages in `threadScratch` bytes that all of them have.
/// Stages overwrite no operand.
PlannedChoices planTeam(const PlanRequest &request);
mlir::FailureOr<StageInfo> emitTeam(const StageRequest &request,
                                    TileTeam &team);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_STAGES_STAGES_H
