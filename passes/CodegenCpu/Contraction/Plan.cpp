//===- Plan.cpp - plans of contraction groups -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads a group into a tiling problem and writes the plan back as an
// attribute, with the packing and the halo it needs.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Contraction/Plan.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "passes/Codegen/Groups/WindowGeometry.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

static StagePlan::Halo haloOf(const ContractionOperands &at) {
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
  Sizes strides =
      kernel::stridesOf(BufferType::getDense(typeOf(at.anchor->getResult(0))));
  StagePlan::Halo halo = haloOf(at);
  halo.high.back() += padding;
  auto build = loose ? buildLooseNest : buildNest;
  return build(at.anchor,
               bufferWithHalo(typeOf(at.anchor->getOperand(0)), halo),
               BufferType::getDense(typeOf(at.anchor->getOperand(1))),
               {.panel = packed ? 1 : 0}, ArrayRef<Size>(strides));
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
  problem.rowBytes = graph::tensorBytes(lhs).value_or(0) /
                     std::max<int64_t>(1, problem.totalRows() * readers);
  for (const NestDim &dim : nest.rows)
    problem.pitch.push_back(dim.lhs.fixed() * problem.elementBytes);
  problem.run = nest.run;
  problem.constantB = nest.packed;
  problem.packsB = needsPacking(nest);
  problem.epilogueLoads = int64_t(group.getOperands_().size()) - 2;
  // Groups of a convolution lie side by side in all tensors, points of a window
  // in the result.
  if (nest.packed && !isa<graph::MatmulOp>(at.anchor) && !nest.batch.empty())
    problem.joinable = nest.batch.back().extent.fixed();
  if (problem.joinable > 1 && problem.sharesA && nest.batch.size() > 1)
    problem.planes = nest.batch[nest.batch.size() - 2].extent.fixed();
  return problem;
}

Packing codegen::packingOf(const tile::ContractionPlan &plan) {
  return {.panel = plan.panel, .join = plan.join, .fold = plan.fold};
}

bool codegen::needsPacking(const ContractionNest &nest) {
  return !nest.packed && !nest.column.extent.is(1) && !nest.column.rhs.is(1);
}

StagePlan codegen::resultOf(kernel::GroupOp group,
                            const ContractionOperands &at,
                            kernel::PlanAttr plan, Packing packing) {
  StagePlan result;
  result.plan = plan;
  result.halos.resize(group.getOperands_().size());
  result.halos[at.lhs] = haloOf(at);
  result.packs.resize(group.getOperands_().size());
  if (canPack(group, at))
    result.packs[at.rhs] = packAttributes(at.anchor, packing);
  return result;
}

FailureOr<ContractionStage>
codegen::readContraction(const StageRequest &request, Packing packing) {
  FailureOr<ContractionOperands> at = contractionOperands(request.group);
  FailureOr<Epilogue> epilogue = failure();
  if (failed(at) || failed(epilogue = Epilogue::create(request)))
    return failure();
  SmallVector<ArrayRef<Size>> strides;
  for (const IndexedTensor &tensor : epilogue->tensors())
    strides.push_back(tensor.strides);
  bool isPacked = request.plan.getInt("packed");
  FailureOr<ContractionNest> nest = buildNest(
      at->anchor, request.operands[at->lhs], request.operands[at->rhs],
      isPacked ? packing : Packing(), strides);
  if (failed(nest))
    return failure();
  return ContractionStage{*at, std::move(*nest), std::move(*epilogue)};
}

/// Whether steps of k lie together.
static bool hasStepsTogether(Operation *anchor, BufferType lhs) {
  auto matmul = dyn_cast<graph::MatmulOp>(anchor);
  bool isTransposed = matmul && matmul.getTransposeLhs();
  size_t last = lhs.getStrides().size() - 1;
  return lhs.getStrides()[isTransposed ? last - 1 : last] == 1;
}

bool codegen::canAddressProduct(kernel::GroupOp group, unsigned index,
                                BufferType type, bool joinsSteps) {
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at))
    return false;
  if (index == at->lhs)
    return !joinsSteps || hasStepsTogether(at->anchor, type);
  if (index != at->rhs)
    return true;
  auto matmul = dyn_cast<graph::MatmulOp>(at->anchor);
  if (!matmul || type.getShape().size() < 2)
    return type.isDense();
  auto columnStride = [&](BufferType operand) {
    return operand.getStrides().take_back(2)[matmul.getTransposeRhs() ? 0 : 1];
  };
  return (columnStride(type) == 1) ==
         (columnStride(BufferType::getDense(type.getTensor())) == 1);
}
