//===- Frontier.h - what bytes cost in time, for reports --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_FRONTIER_H
#define TENON_PASSES_CHECKPOINT_FRONTIER_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon::checkpoint {

/// A plan for a step: predicted nanoseconds, bytes of its arena before halos
/// and scratch, and how many kernels run again.
struct StepPlan {
  int64_t nanoseconds = 0, arenaBytes = 0, clones = 0;
  bool operator==(const StepPlan &) const = default;
};

/// What another way would do on the same kernels (lib/Checkpoint/Others.h).
struct OtherStepPlan {
  std::string name;
  StepPlan plan;
};

/// `tenon.frontier` of a module: the step that it has.
struct StepFrontier {
  StepPlan none;               ///< nothing runs again
  std::vector<StepPlan> plans; ///< fastest first
  StepPlan taken;
  std::vector<OtherStepPlan> others; ///< where they were asked for
  int64_t boundBytes = 0;            ///< no arena is smaller
  std::vector<std::string> again;    ///< ONNX nodes of what was cloned
};

void setFrontier(mlir::ModuleOp module, const StepFrontier &frontier);
std::optional<StepFrontier> frontierOf(mlir::ModuleOp module);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_FRONTIER_H
