//===- Gemm.cpp - the strategies of products on vectors -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file plans and emits products of several columns, whose lanes run along
// them, and of one, which are dot products.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/Footprint.h"
#include "passes/CodegenCpu/Contraction/Dots.h"
#include "passes/CodegenCpu/Contraction/Emit.h"
#include "passes/CodegenCpu/Layout/Overwrite.h"
#include "passes/CodegenCpu/Layout/Pixels.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Plans a product of one column, or of more: each strategy takes its own.
static PlannedChoice planVectors(const PlanRequest &request, StringRef name,
                                 bool isOneColumn) {
  kernel::GroupOp group = request.group;
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at))
    return failure();
  bool packed = canPack(group, *at);
  // As rows will lie, unless a view or another tensor takes them in.
  int64_t padding = pixelPadding(group.getOperands_()[at->lhs], request.target);
  FailureOr<ContractionNest> nest = idealNest(*at, packed, padding);
  if (failed(nest))
    return failure();
  if (isOneColumn && !nest->columns().is(1))
    return std::optional<StageChoice>();
  tile::ContractionProblem problem = problemOf(*at, *nest, group);
  tile::ContractionPlan plan = tile::plan(problem, request.target);
  // Neighbours and steps of k that are side by side are columns, too.
  int64_t columns = nest->columns().fixed() * plan.join * plan.fold;
  if ((columns == 1) != isOneColumn)
    return std::optional<StageChoice>();
  if (llvm::Error error = tile::validate(problem, plan, request.target)) {
    group.emitOpError() << llvm::toString(std::move(error));
    return failure();
  }
  return std::optional(StageChoice{
      resultOf(group, *at, toAttribute(group.getContext(), name, plan, packed),
               packingOf(plan)),
      tile::estimateCycles(problem, plan, request.target)});
}

/// Panels of several columns go through the micro-kernel, which widens.
static bool takesNarrow(kernel::GroupOp group, unsigned index) {
  FailureOr<ContractionOperands> at = contractionOperands(group);
  return succeeded(at) && index == at->rhs &&
         group.getPlan()->getInt("panel") > 1;
}

static bool canAddress(kernel::GroupOp group, unsigned index,
                       memory::BufferType type) {
  return canAddressProduct(group, index, type,
                           group.getPlan()->getInt("fold", 1) != 1);
}

/// Lanes along rows are for another strategy.
static bool isOwn(kernel::GroupOp group) {
  return isProduct(group) && !kernel::isStencil(group.getAnchor());
}

//===-- Several columns ---------------------------------------------------===//

static PlannedChoice planGemm(const PlanRequest &request) {
  return planVectors(request, gemmStrategy.name, /*isOneColumn=*/false);
}

static FailureOr<StageInfo> emitGemm(const StageRequest &request) {
  auto plan = fromAttribute<tile::ContractionPlan>(request.plan);
  FailureOr<ContractionStage> stage = readContraction(request, packingOf(plan));
  if (failed(stage))
    return failure();
  if (stage->nest.column.extent.is(1))
    stage->epilogue.runAlong(stage->nest.column.result);
  OverwritePairs inPlace = overwritesOf(request.group, stage->epilogue);
  FailureOr<StageInfo> result =
      ContractionEmitter(request, stage->at, std::move(stage->nest),
                         std::move(stage->epilogue))
          .emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}

static bool hasOneColumn(kernel::GroupOp group) {
  return graph::sizesOf(group.getAnchor()->getResult(0).getType()).back().is(1);
}

static bool takesSymbols(kernel::GroupOp group) {
  return takesSymbolicProduct(group) && !hasOneColumn(group);
}

const Strategy codegen::gemmStrategy{
    "gemm", isOwn, planGemm, emitGemm, canAddress, takesNarrow, takesSymbols};

//===-- One column --------------------------------------------------------===//

static PlannedChoice planGemv(const PlanRequest &request) {
  return planVectors(request, gemvStrategy.name, /*isOneColumn=*/true);
}

static FailureOr<StageInfo> emitGemv(const StageRequest &request) {
  auto plan = fromAttribute<tile::ContractionPlan>(request.plan);
  FailureOr<ContractionStage> stage = readContraction(request, packingOf(plan));
  if (failed(stage))
    return failure();
  return emitDots(request, stage->at, stage->nest, std::move(stage->epilogue));
}

/// Vectors lie along steps whose number is known.
static bool takesSymbolicColumn(kernel::GroupOp group) {
  return takesSymbolicProduct(group) && hasOneColumn(group) &&
         hasKnownSteps(group);
}

const Strategy codegen::gemvStrategy{
    "gemv",     isOwn,       planGemv,           emitGemv,
    canAddress, takesNarrow, takesSymbolicColumn};
