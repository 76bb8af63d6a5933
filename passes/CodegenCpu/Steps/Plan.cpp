//===- Plan.cpp - the strategy of loops of the host -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Steps/Steps.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

graph::StepsOp codegen::stepsIn(kernel::GroupOp group) {
  Block &block = group.getBlock();
  bool isAlone = block.getOperations().size() == 2;
  return isAlone ? dyn_cast<graph::StepsOp>(&block.front()) : graph::StepsOp();
}

static bool isSteps(kernel::GroupOp group) {
  return isa<graph::StepsOp>(group.getBlock().front());
}

static LogicalResult refuse(kernel::GroupOp group) {
  return group.emitError("a loop must be alone in its group");
}

/// The body has its own plans.
static PlannedChoice planSteps(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  MLIRContext *context = group.getContext();
  if (!stepsIn(group))
    return refuse(group);
  StagePlan result;
  result.plan = kernel::PlanAttr::get(context, stepsStrategy.name,
                                      DictionaryAttr::get(context));
  return theOnlyChoice(std::move(result), request);
}

/// With `name` replaced by `value`.
static kernel::PlanAttr replaced(kernel::PlanAttr plan, StringRef name,
                                 int64_t value) {
  NamedAttrList params(plan.getParams());
  params.set(name, Builder(plan.getContext()).getI64IntegerAttr(value));
  return kernel::PlanAttr::get(plan.getContext(), plan.getStrategy(),
                               params.getDictionary(plan.getContext()));
}

/// A product of few rows waits for its weights, which threads read side by
/// side. As a launch it would be too short for that, but the threads of a loop
/// are awake.
void codegen::shareWeights(kernel::GroupOp group, const tile::Target &target) {
  kernel::PlanAttr plan = group.getPlanAttr();
  if (target.threads < 2 || plan.getStrategy() != gemmStrategy.name ||
      !plan.getInt("panels_outer") || plan.getInt("shares") > 1)
    return;
  auto result = cast<RankedTensorType>(group.getResult(0).getType());
  int64_t panel = std::max<int64_t>(1, plan.getInt("panel"));
  int64_t all = tile::ceilDiv(result.getShape().back(), panel);
  int64_t each = tile::ceilDiv(all, target.enoughTiles());
  if (each < plan.getInt("panels"))
    group.setPlanAttr(replaced(plan, "panels", each));
}

/// A loop that is alone is none of a single group: see joinSteps().
static FailureOr<StageInfo> emitSteps(const StageRequest &request) {
  return refuse(request.group);
}

/// Steps walk slices, and a body takes tensors as a program does.
static bool canAddress(kernel::GroupOp, unsigned, memory::BufferType type) {
  return type.isDense();
}

const Strategy codegen::stepsStrategy{"steps", isSteps, planSteps, emitSteps,
                                      canAddress};
