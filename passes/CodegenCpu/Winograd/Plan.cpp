//===- Plan.cpp - when a convolution is filtered minimally ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Winograd/Winograd.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::WinogradPlan;
using tile::WinogradProblem;

static bool allAre(ArrayRef<int64_t> values, int64_t wanted) {
  return llvm::all_of(values, [=](int64_t value) { return value == wanted; });
}

static bool isCandidate(graph::ConvOp conv) {
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  return filter.getElementType().isF32() && filter.getRank() == 4 &&
         allAre(filter.getShape().drop_front(2), 3) && conv.getGroup() == 1 &&
         allAre(conv.getStrides(), 1) && allAre(conv.getDilations(), 1) &&
         conv.getLayout() == graph::Layout::NHWC;
}

WinogradProblem codegen::winogradProblem(graph::ConvOp conv) {
  ArrayRef<int64_t> input =
      cast<RankedTensorType>(conv.getInput().getType()).getShape();
  ArrayRef<int64_t> result =
      cast<RankedTensorType>(conv.getResult().getType()).getShape();
  return {result[0], result[1], result[2], input[3], result[3]};
}

FailureOr<WindowGeometry> codegen::winogradGeometry(graph::ConvOp conv,
                                                    int64_t m) {
  FailureOr<WindowGeometry> geometry = windowGeometry(conv);
  if (succeeded(geometry))
    for (int64_t &extent : geometry->output)
      extent = (extent + m - 1) / m * m;
  return geometry;
}

//===-- Planning ----------------------------------------------------------===//

static DictionaryAttr packOf(graph::ConvOp conv, const WinogradPlan &plan) {
  NamedAttrList attributes(packAttributes(conv, plan.tile.panel));
  attributes.append("winograd",
                    Builder(conv.getContext()).getI64IntegerAttr(plan.m));
  return attributes.getDictionary(conv.getContext());
}

static PlanResult resultFor(kernel::GroupOp group,
                            const ContractionOperands &at, graph::ConvOp conv,
                            const WinogradProblem &problem,
                            const WinogradPlan &plan) {
  PlanResult result;
  size_t operands = group.getOperands_().size();
  result.plan =
      toAttribute(group.getContext(), winogradName, plan, /*packed=*/true);
  result.halos.resize(operands);
  result.halos[at.lhs] = wantedHalo(*winogradGeometry(conv, plan.m));
  result.packs.resize(operands);
  result.packs[at.rhs] = packOf(conv, plan);
  tile::WinogradScratch scratch = tile::winogradScratch(problem, plan);
  int64_t units = tile::winogradGrid(problem, plan).units.count;
  int64_t bytes =
      (units + plan.units - 1) / plan.units * int64_t(sizeof(float));
  result.scratchBytes = {bytes * scratch.inputs(), bytes * scratch.products()};
  return result;
}

std::optional<PlanResult> codegen::planWinograd(kernel::GroupOp group,
                                                const tile::Target &target,
                                                tile::WinogradUse use) {
  auto conv = dyn_cast_or_null<graph::ConvOp>(group.getAnchor());
  if (!conv || !isCandidate(conv))
    return std::nullopt;
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at) || !canPack(group, *at))
    return std::nullopt;
  std::optional<double> direct = directCycles(group, *at, target);
  WinogradProblem problem = winogradProblem(conv);
  if (!direct)
    return std::nullopt;
  std::optional<WinogradPlan> plan =
      tile::planWinograd(problem, target, use, *direct);
  if (!plan)
    return std::nullopt;
  return resultFor(group, *at, conv, problem, *plan);
}
