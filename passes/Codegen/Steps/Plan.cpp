//===- Plan.cpp - the strategy of loops of the host -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Steps/Steps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static constexpr StringLiteral strategyName = "steps";

static bool isSteps(kernel::GroupOp group) {
  return isa<graph::StepsOp>(group.getBlock().front());
}

static LogicalResult refuse(kernel::GroupOp group) {
  return group.emitError("a loop must be alone in its group");
}

/// The body has its own plans.
static PlannedChoices planSteps(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  MLIRContext *context = group.getContext();
  if (!stepsIn(group))
    return refuse(group);
  StagePlan result;
  result.plan = kernel::PlanAttr::get(context, strategyName,
                                      DictionaryAttr::get(context));
  return theOnlyChoice(std::move(result), request);
}

void codegen::shareWeights(kernel::GroupOp group, const tile::Target &target) {
  const Strategy *strategy = strategyOf(group);
  if (strategy && strategy->whereAwake)
    group.setPlanAttr(strategy->whereAwake(group, target));
}

/// A loop that is alone is none of a single group: see joinSteps().
static FailureOr<StageInfo> emitSteps(const StageRequest &request) {
  return refuse(request.group);
}

/// Steps walk slices, and a body takes tensors as a program does.
static bool canAddress(kernel::GroupOp, unsigned, memory::BufferType type) {
  return type.isDense();
}

const Strategy codegen::stepsStrategy{strategyName, isSteps, planSteps,
                                      emitSteps, canAddress};
