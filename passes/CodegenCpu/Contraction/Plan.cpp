//===- Plan.cpp - plans of contraction groups -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads a group into a tiling problem and writes the plan back as an
// attribute, with the packing and the halo it needs.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Contraction/Plan.h"

#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Contraction/Epilogue.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Layout/Halo.h"
#include "passes/CodegenCpu/Layout/Pixels.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

FailureOr<ContractionOperands>
codegen::contractionOperands(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  if (!isa_and_nonnull<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp>(
          anchor))
    return group.emitOpError("of kind 'contraction' has no matmul or conv");
  auto lhs = dyn_cast<BlockArgument>(anchor->getOperand(0));
  auto rhs = dyn_cast<BlockArgument>(anchor->getOperand(1));
  if (!lhs || !rhs)
    return anchor->emitError("'")
           << anchor->getName() << "' must read operands of its group";
  return ContractionOperands{anchor, lhs.getArgNumber(), rhs.getArgNumber()};
}

bool codegen::canPack(kernel::GroupOp group, const ContractionOperands &at) {
  Value rhs = group.getOperands_()[at.rhs];
  return rhs.getDefiningOp<graph::ConstantOp>() &&
         group.getBlock().getArgument(at.rhs).hasOneUse();
}

static PlanResult::Halo haloOf(const ContractionOperands &at) {
  if (isa<graph::ConvOp>(at.anchor))
    if (auto geometry = windowGeometry(at.anchor); succeeded(geometry))
      return wantedHalo(*geometry);
  auto type = cast<RankedTensorType>(at.anchor->getOperand(0).getType());
  SmallVector<int64_t> none(type.getRank(), 0);
  return {none, none};
}

FailureOr<ContractionNest> codegen::idealNest(const ContractionOperands &at,
                                              bool packed, int64_t padding,
                                              bool loose) {
  auto typeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType());
  };
  BufferType result = BufferType::getDense(typeOf(at.anchor->getResult(0)));
  ArrayRef<int64_t> strides = result.getStrides();
  PlanResult::Halo halo = haloOf(at);
  halo.high.back() += padding;
  auto build = loose ? buildLooseNest : buildNest;
  return build(at.anchor,
               bufferWithHalo(typeOf(at.anchor->getOperand(0)), halo),
               BufferType::getDense(typeOf(at.anchor->getOperand(1))),
               {.panel = packed ? 1 : 0}, strides);
}

tile::ContractionProblem codegen::problemOf(const ContractionOperands &at,
                                            const ContractionNest &nest,
                                            kernel::GroupOp group) {
  tile::ContractionProblem problem = nest.problem();
  auto lhs = cast<RankedTensorType>(at.anchor->getOperand(0).getType());
  problem.elementBytes = graph::elementBytes(lhs.getElementType());
  problem.accumulatorBytes =
      graph::elementBytes(accumulatorType(lhs.getElementType()));
  int64_t readers = problem.sharesA ? 1 : problem.batches;
  problem.rowBytes = graph::tensorBytes(lhs) /
                     std::max<int64_t>(1, problem.totalRows() * readers);
  for (const NestDim &dim : nest.rows)
    problem.pitch.push_back(dim.lhs * problem.elementBytes);
  problem.run = nest.run;
  problem.constantB = nest.packed;
  problem.packsB = needsPacking(nest);
  problem.epilogueLoads = int64_t(group.getOperands_().size()) - 2;
  // Groups of a convolution lie side by side in all tensors, points of a window
  // in the result.
  if (nest.packed && !isa<graph::MatmulOp>(at.anchor) && !nest.batch.empty())
    problem.joinable = nest.batch.back().extent;
  if (problem.joinable > 1 && problem.sharesA && nest.batch.size() > 1)
    problem.planes = nest.batch[nest.batch.size() - 2].extent;
  return problem;
}

Packing codegen::packingOf(const tile::ContractionPlan &plan) {
  return {.panel = plan.panel, .join = plan.join, .fold = plan.fold};
}

std::optional<double> codegen::vectorCycles(kernel::GroupOp group,
                                            const ContractionOperands &at,
                                            const tile::Target &target) {
  FailureOr<ContractionNest> nest = idealNest(at, canPack(group, at));
  if (failed(nest))
    return std::nullopt;
  tile::ContractionProblem problem = problemOf(at, *nest, group);
  return tile::estimateCycles(problem, tile::plan(problem, target), target);
}

bool codegen::needsPacking(const ContractionNest &nest) {
  return !nest.packed && nest.column.extent > 1 && nest.column.rhs != 1;
}

PlanResult codegen::resultOf(kernel::GroupOp group,
                             const ContractionOperands &at,
                             kernel::PlanAttr plan, Packing packing) {
  PlanResult result;
  result.plan = plan;
  result.halos.resize(group.getOperands_().size());
  result.halos[at.lhs] = haloOf(at);
  result.packs.resize(group.getOperands_().size());
  if (canPack(group, at))
    result.packs[at.rhs] = packAttributes(at.anchor, packing);
  return result;
}

FailureOr<PlanResult> codegen::planContraction(kernel::GroupOp group,
                                               const tile::Target &target) {
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at))
    return failure();
  bool packed = canPack(group, *at);
  // As rows will lie, unless a view or another tensor takes them in.
  int64_t padding = pixelPadding(group.getOperands_()[at->lhs], target);
  FailureOr<ContractionNest> nest = idealNest(*at, packed, padding);
  if (failed(nest))
    return failure();
  tile::ContractionProblem problem = problemOf(*at, *nest, group);
  tile::ContractionPlan plan = tile::plan(problem, target);
  if (llvm::Error error = tile::validate(problem, plan, target)) {
    group.emitOpError() << llvm::toString(std::move(error));
    return failure();
  }
  return resultOf(group, *at,
                  toAttribute(group.getContext(), "contraction", plan, packed),
                  packingOf(plan));
}
