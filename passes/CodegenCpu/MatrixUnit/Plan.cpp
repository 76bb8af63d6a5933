//===- Plan.cpp - when a contraction goes to the matrix unit --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/MatrixUnit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::MatrixUnitPlan;

namespace {
/// A contraction of f32 whose A lies together along k, and its plan.
struct Planned {
  ContractionOperands at;
  tile::ContractionProblem problem;
  MatrixUnitPlan plan;
};
} // namespace

static bool isF32(Operation *anchor) {
  return llvm::all_of(anchor->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isF32();
  });
}

static std::optional<Planned> planGroup(kernel::GroupOp group,
                                        const tile::Target &target) {
  if (!target.matrixUnit || group.getKind() != "contraction")
    return std::nullopt;
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at) || !isF32(at->anchor))
    return std::nullopt;
  FailureOr<ContractionNest> nest = idealNest(*at, canPack(group, *at));
  std::optional<double> vectors = vectorCycles(group, *at, target);
  if (failed(nest) || !vectors || nest->run == 1 || nest->k.back().lhs != 1)
    return std::nullopt;
  // Panels are transposed from one dimension of k.
  if (needsPacking(*nest) && nest->k.size() > 1)
    return std::nullopt;
  tile::ContractionProblem problem = problemOf(*at, *nest, group);
  auto plan = tile::planMatrixUnit(problem, target, *vectors);
  if (!plan)
    return std::nullopt;
  return Planned{*at, problem, *plan};
}

std::optional<double> codegen::matrixUnitCycles(kernel::GroupOp group,
                                                const tile::Target &target) {
  std::optional<Planned> planned = planGroup(group, target);
  if (!planned)
    return std::nullopt;
  return tile::estimateCycles(planned->problem, planned->plan, target);
}

std::optional<PlanResult> codegen::planMatrixUnit(kernel::GroupOp group,
                                                  const tile::Target &target) {
  std::optional<Planned> planned = planGroup(group, target);
  if (!planned)
    return std::nullopt;
  bool packed = canPack(group, planned->at);
  PlanResult result = resultOf(
      group, planned->at,
      toAttribute(group.getContext(), bf16x6Name, planned->plan, packed),
      {.panel = tile::MatrixSquare::columns});
  // Buffers that lie otherwise may have more of everything.
  FailureOr<ContractionNest> loose =
      idealNest(planned->at, packed, /*loose=*/true);
  tile::MatrixUnitGrid most(problemOf(planned->at, *loose, group));
  tile::MatrixUnitScratch scratch =
      tile::matrixUnitScratch(most, planned->plan);
  bool isShared = most.isShared(planned->plan);
  result.scratchBytes = {scratch.pieces * (isShared ? 1 : planned->plan.tiles)};
  if (scratch.sums)
    result.scratchBytes.push_back(scratch.sums);
  return result;
}
