//===- Plan.cpp - when a contraction goes to the matrix unit --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/SizePlans.h"
#include "passes/CodegenCpu/MatrixUnit/MatrixUnit.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::MatrixUnitPlan;

static bool isF32(Operation *anchor) {
  return llvm::all_of(anchor->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isF32();
  });
}

static StagePlan resultFor(kernel::GroupOp group, const ContractionOperands &at,
                           bool packed, MatrixUnitPlan plan) {
  // Buffers that lie otherwise may have more of everything.
  FailureOr<ContractionNest> loose =
      idealNest(at, packed, /*padding=*/0, /*loose=*/true);
  tile::MatrixUnitGrid most(problemOf(at, *loose, group));
  if (plan.keepsColumns)
    plan.pass = plan.steps = most.steps;
  StagePlan result = resultOf(
      group, at,
      toAttribute(group.getContext(), bf16x6Strategy.name, plan, packed),
      {.panel = tile::MatrixSquare::columns});
  tile::MatrixUnitScratch scratch = tile::matrixUnitScratch(most, plan);
  result.threadScratch = scratch.pieces;
  if (scratch.sums)
    result.scratchBytes = {scratch.sums};
  return result;
}

PlannedChoices codegen::planMatrixUnit(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  const tile::Target &target = request.target;
  if (!target.matrixUnit || !request.arithmetic.bf16x6)
    return noChoice();
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at))
    return failure();
  if (!isF32(at->anchor))
    return noChoice();
  bool packed = canPack(group, *at);
  FailureOr<ContractionNest> nest = idealNest(*at, packed);
  if (failed(nest))
    return failure();
  // A's numbers must lie together along k.
  if (nest->run == 1 || !nest->k.back().lhs.is(1))
    return noChoice();
  // Panels are transposed from one dimension of k.
  if (needsPacking(*nest) && nest->k.size() > 1)
    return noChoice();
  tile::ContractionProblem problem = problemOf(*at, *nest, group);
  auto choiceOf = [&](const MatrixUnitPlan &plan) {
    return StageChoice{
        resultFor(group, *at, packed, plan),
        target.timeOf(tile::chargedCycles(problem, plan, target))};
  };
  std::vector<StageChoice> choices;
  if (auto plan = tile::planMatrixUnit(problem, target))
    choices.push_back(choiceOf(*plan));
  // That for other sizes, too, as it is.
  kernel::PlanAttr held = group.getPlanAttr();
  if (group->hasAttr(plannedAttr) &&
      held.getStrategy() == bf16x6Strategy.name) {
    choices.push_back(choiceOf(fromAttribute<MatrixUnitPlan>(held)));
    choices.back().result.plan = held;
  }
  return choices;
}
