//===- Plan.cpp - the strategy of loops of the host -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Steps/Steps.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

graph::StepsOp codegen::stepsIn(kernel::GroupOp group) {
  return dyn_cast<graph::StepsOp>(&group.getBlock().front());
}

static bool isSteps(kernel::GroupOp group) { return bool(stepsIn(group)); }

/// The body has its own plans.
static PlannedChoice planSteps(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  MLIRContext *context = group.getContext();
  StagePlan result;
  result.plan = kernel::PlanAttr::get(context, stepsStrategy.name,
                                      DictionaryAttr::get(context));
  return theOnlyChoice(std::move(result), request);
}

/// The body has to be lowered first: see joinSteps().
static FailureOr<StageInfo> emitSteps(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  return group.emitError("'graph.steps' stands alone in a group of a "
                         "program");
}

/// Steps walk slices, and a body takes tensors as a program does.
static bool canAddress(kernel::GroupOp, unsigned, memory::BufferType type) {
  return type.isDense();
}

const Strategy codegen::stepsStrategy{"steps", isSteps, planSteps, emitSteps,
                                      canAddress};
