//===- Plan.cpp - when a contraction goes to the matrix unit --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/MatrixUnit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::MatrixUnitPlan;

static bool isF32(Operation *anchor) {
  return llvm::all_of(anchor->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isF32();
  });
}

static PlanResult resultFor(kernel::GroupOp group,
                            const ContractionOperands &at, bool packed,
                            const MatrixUnitPlan &plan) {
  PlanResult result = resultOf(
      group, at, toAttribute(group.getContext(), bf16x6Name, plan, packed),
      {.panel = tile::MatrixSquare::columns});
  // Buffers that lie otherwise may have more of everything.
  FailureOr<ContractionNest> loose =
      idealNest(at, packed, /*padding=*/0, /*loose=*/true);
  tile::MatrixUnitGrid most(problemOf(at, *loose, group));
  tile::MatrixUnitScratch scratch = tile::matrixUnitScratch(most, plan);
  result.scratchBytes = {scratch.pieces * plan.tiles};
  if (scratch.sums)
    result.scratchBytes.push_back(scratch.sums);
  return result;
}

std::optional<MatrixUnitChoice>
codegen::planMatrixUnit(kernel::GroupOp group, const tile::Target &target) {
  if (!target.matrixUnit || group.getKind() != "contraction")
    return std::nullopt;
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at) || !isF32(at->anchor))
    return std::nullopt;
  bool packed = canPack(group, *at);
  FailureOr<ContractionNest> nest = idealNest(*at, packed);
  std::optional<double> vectors = vectorCycles(group, *at, target);
  // A's numbers must lie together along k.
  if (failed(nest) || !vectors || nest->run == 1 || nest->k.back().lhs != 1)
    return std::nullopt;
  // Panels are transposed from one dimension of k.
  if (needsPacking(*nest) && nest->k.size() > 1)
    return std::nullopt;
  tile::ContractionProblem problem = problemOf(*at, *nest, group);
  auto plan = tile::planMatrixUnit(problem, target, *vectors);
  if (!plan)
    return std::nullopt;
  return MatrixUnitChoice{resultFor(group, *at, packed, *plan),
                          tile::estimateCycles(problem, *plan, target)};
}
