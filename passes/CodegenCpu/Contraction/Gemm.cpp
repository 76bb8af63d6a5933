//===- Gemm.cpp - the strategies of products on vectors -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file plans and emits products of several columns, whose lanes run along
// them, and of one, which are dot products.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/Footprint.h"
#include "lib/Tile/FixedPanel.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/Layout/Pixels.h"
#include "passes/Codegen/SizePlans.h"
#include "passes/CodegenCpu/Contraction/Dots.h"
#include "passes/CodegenCpu/Contraction/Emit.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// A plan, and its time.
static StageChoice choiceOf(const PlanRequest &request, StringRef name,
                            const ContractionOperands &at,
                            const tile::ContractionProblem &problem,
                            const tile::ContractionPlan &plan) {
  kernel::GroupOp group = request.group;
  kernel::PlanAttr attribute =
      toAttribute(group.getContext(), name, plan, problem.constantB);
  double cycles = tile::estimateCycles(problem, plan, request.target);
  return {resultOf(group, at, attribute, packingOf(plan)),
          request.target.timeOf(cycles)};
}

/// The plan for these sizes that reads the panels of the plan for others, and
/// that one, if it is the strategy's.
static PlannedChoices planPacked(const PlanRequest &request, StringRef name,
                                 const ContractionOperands &at,
                                 const tile::ContractionProblem &problem) {
  std::vector<StageChoice> choices;
  kernel::GroupOp group = request.group;
  kernel::PlanAttr held = group.getPlanAttr();
  if (held.getStrategy() == name)
    choices.push_back(choiceOf(request, name, at, problem,
                               fromAttribute<tile::ContractionPlan>(held)));
  DictionaryAttr pack = group.getPack(at.rhs);
  auto panel = pack ? pack.getAs<IntegerAttr>("panel") : IntegerAttr();
  if (!panel)
    return choices;
  if (auto plan = tile::planForPanel(problem, panel.getInt(), request.target))
    if (!llvm::errorToBool(tile::validate(problem, *plan, request.target)))
      choices.push_back(choiceOf(request, name, at, problem, *plan));
  return choices;
}

/// Plans a product of one column, or of more: each strategy takes its own.
static PlannedChoices planVectors(const PlanRequest &request, StringRef name,
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
    return noChoice();
  tile::ContractionProblem problem = problemOf(*at, *nest, group);
  if (group->hasAttr(plannedAttr) && packed)
    return planPacked(request, name, *at, problem);
  tile::ContractionPlan plan = tile::plan(problem, request.target);
  // Neighbours and steps of k that are side by side are columns, too.
  int64_t columns = nest->columns().fixed() * plan.join * plan.fold;
  if ((columns == 1) != isOneColumn)
    return noChoice();
  if (llvm::Error error = tile::validate(problem, plan, request.target)) {
    group.emitOpError() << llvm::toString(std::move(error));
    return failure();
  }
  return std::vector{choiceOf(request, name, *at, problem, plan)};
}

/// Panels of several columns go through the micro-kernel, which widens.
static StringRef whyWide(kernel::GroupOp group, unsigned index) {
  FailureOr<ContractionOperands> at = contractionOperands(group);
  bool widens =
      succeeded(at) && index == at->rhs && group.getPlan()->getInt("panel") > 1;
  return widens ? StringRef() : StringRef(readsF32);
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

static PlannedChoices planGemm(const PlanRequest &request) {
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

static double tileElements(kernel::GroupOp, kernel::PlanAttr attribute) {
  auto plan = fromAttribute<tile::ContractionPlan>(attribute);
  return double(plan.mr * plan.rowTiles) * double(plan.panel * plan.panels);
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
/// side. As a launch it would be too short for that.
static kernel::PlanAttr whereAwake(kernel::GroupOp group,
                                   const tile::Target &target) {
  kernel::PlanAttr plan = group.getPlanAttr();
  if (target.threads < 2 || !plan.getInt("panels_outer") ||
      plan.getInt("shares") > 1)
    return plan;
  auto result = cast<RankedTensorType>(group.getResult(0).getType());
  int64_t panel = std::max<int64_t>(1, plan.getInt("panel"));
  int64_t all = tile::ceilDiv(result.getShape().back(), panel);
  int64_t each = tile::ceilDiv(all, target.enoughTiles());
  return each < plan.getInt("panels") ? replaced(plan, "panels", each) : plan;
}

const Strategy codegen::gemmStrategy{.name = "gemm",
                                     .matches = isOwn,
                                     .plan = planGemm,
                                     .emit = emitGemm,
                                     .canAddress = canAddress,
                                     .whyWide = whyWide,
                                     .takesSymbols = takesSymbols,
                                     .tileElements = tileElements,
                                     .whereAwake = whereAwake};

//===-- One column --------------------------------------------------------===//

static PlannedChoices planGemv(const PlanRequest &request) {
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

static double columnElements(kernel::GroupOp, kernel::PlanAttr attribute) {
  auto plan = fromAttribute<tile::ContractionPlan>(attribute);
  return double(plan.mr * plan.rowTiles);
}

const Strategy codegen::gemvStrategy{.name = "gemv",
                                     .matches = isOwn,
                                     .plan = planGemv,
                                     .emit = emitGemv,
                                     .canAddress = canAddress,
                                     .whyWide = whyWide,
                                     .takesSymbols = takesSymbolicColumn,
                                     .tileElements = columnElements};
