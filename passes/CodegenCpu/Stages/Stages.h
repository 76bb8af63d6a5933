//===- Stages.h - several stages in one kernel ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what planning and emission of groups of stages share. A
// tile of the group's result is computed stage by stage, each by the strategy
// that is cheapest for its box, through buffers of the thread that runs:
//
//   for each tile:
//     expand     x[box]       -> local 0     zeros around it at the border
//     depthwise  local 0      -> local 1
//     project    local 1      -> y[tile]
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_STAGES_STAGES_H
#define TENON_PASSES_CODEGENCPU_STAGES_STAGES_H

#include "passes/CodegenCpu/Stages/TileGrid.h"
#include "passes/CodegenCpu/Strategy.h"

namespace tenon::codegen {

/// Where the results of stages lie in the scratch of a thread, in bytes.
struct LocalBuffers {
  llvm::SmallVector<int64_t> offsets; ///< per stage; that of the last is `size`
  int64_t size = 0;
};
LocalBuffers localBuffers(kernel::GroupOp group, const TileGrid &grid);

/// The strategy's functions.
PlannedChoice planStages(const PlanRequest &request);
mlir::FailureOr<StageInfo> emitStages(const StageRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_STAGES_STAGES_H
