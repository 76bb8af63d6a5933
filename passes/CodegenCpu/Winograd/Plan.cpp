//===- Plan.cpp - when a convolution is filtered minimally ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Strategies.h"
#include "passes/CodegenCpu/Winograd/Winograd.h"

#include "lib/Interpreter/Interpreter.h"
#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::WinogradPlan;
using tile::WinogradProblem;

static ArrayRef<int64_t> tapsOf(graph::ConvOp conv) {
  return conv.getFilter().getType().getShape().drop_front(2);
}

SmallVector<unsigned, 2> codegen::filteredDims(graph::ConvOp conv) {
  SmallVector<unsigned, 2> dims;
  if (!conv.getFilter().getType().getElementType().isF32() ||
      conv.getLayout() != graph::Layout::NHWC)
    return dims;
  ArrayRef<int64_t> taps = tapsOf(conv);
  for (unsigned dim = taps.size(); dim-- > 0 && dims.size() < 2;) {
    if (taps[dim] == 1)
      continue;
    bool isSquare = dims.empty() || taps[dim] == taps[dims.front()];
    if (!isSquare || conv.getStrides()[dim] != 1)
      break;
    dims.insert(dims.begin(), dim);
  }
  return dims;
}

WinogradProblem codegen::winogradProblem(graph::ConvOp conv) {
  ArrayRef<int64_t> taps = tapsOf(conv);
  SmallVector<int64_t> result(conv.getType().getShape());
  SmallVector<unsigned, 2> dims = filteredDims(conv);
  WinogradProblem problem;
  problem.isTypical = llvm::any_of(result, ShapedType::isDynamic);
  for (int64_t &extent : result)
    extent = ShapedType::isDynamic(extent) ? 1 : extent;
  problem.images = result.front();
  problem.groups = conv.getGroup();
  problem.channels = conv.getFilter().getType().getDimSize(1);
  problem.filters = result.back() / problem.groups;
  problem.taps = tile::winogradTaps(taps[dims.front()], dims.size());
  for (auto [dim, count] : llvm::enumerate(taps))
    if (llvm::is_contained(dims, dim)) {
      problem.dims.push_back({result[dim + 1], conv.getDilations()[dim]});
      problem.windows *= tile::windowsAlong(count, problem.taps);
    } else {
      problem.images *= result[dim + 1];
      problem.windows *= count;
    }
  return problem;
}

FailureOr<WindowGeometry> codegen::winogradGeometry(graph::ConvOp conv,
                                                    int64_t m) {
  FailureOr<WindowGeometry> geometry = windowGeometry(conv);
  if (failed(geometry))
    return failure();
  SmallVector<unsigned, 2> dims = filteredDims(conv);
  for (unsigned dim : dims) {
    int64_t &taps = geometry->kernel[dim];
    Size &output = geometry->output[dim];
    int64_t dilation = geometry->dilations[dim], step = m * dilation;
    int64_t before = taps;
    taps = llvm::alignTo(taps, tile::winogradTaps(taps, dims.size()));
    if (output.isFixed() && geometry->input[dim].isFixed())
      output = int64_t(llvm::alignTo(output.fixed(), step));
    else
      geometry->padsAfter[dim] += (taps - before) * dilation +
                                  (output.isMultipleOf(step) ? 0 : step - 1);
  }
  return geometry;
}

void codegen::widenWinogradHalo(kernel::GroupOp group, StagePlan &result) {
  auto conv = cast<graph::ConvOp>(group.getAnchor());
  unsigned number = cast<BlockArgument>(conv.getInput()).getArgNumber();
  int64_t m = result.plan.getInt("m");
  result.halos[number] = wantedHalo(*winogradGeometry(conv, m));
}

/// Transformed, a weight that is not finite would be all over its window. Those
/// that cannot be read cannot be compiled, either.
static bool hasFiniteWeights(kernel::GroupOp group,
                             const ContractionOperands &at) {
  auto constant =
      group.getOperands_()[at.rhs].getDefiningOp<graph::ConstantOp>();
  auto tensor = interp::Tensor::fromElements(constant.getValue());
  if (failed(tensor))
    return true;
  ArrayRef<float> weights(
      reinterpret_cast<const float *>(tensor->bytes().data()), tensor->size());
  return llvm::all_of(weights, [](float x) { return std::isfinite(x); });
}

//===-- Planning ----------------------------------------------------------===//

/// The filtered dimensions first, then the others, and the channels.
static DictionaryAttr packOf(graph::ConvOp conv, const WinogradPlan &plan) {
  Builder b(conv.getContext());
  SmallVector<unsigned, 2> dims = filteredDims(conv);
  SmallVector<int64_t> k;
  for (unsigned dim : dims)
    k.push_back(dim + 2);
  for (unsigned dim = 0; dim < tapsOf(conv).size(); ++dim)
    if (!llvm::is_contained(dims, dim))
      k.push_back(dim + 2);
  k.push_back(1);
  NamedAttrList attributes(packAttributes(conv, packingOf(plan.tile)));
  attributes.set("k_dims", b.getDenseI64ArrayAttr(k));
  attributes.append("winograd", b.getI64IntegerAttr(plan.m));
  if (dims.size() != 2)
    attributes.append("window_rank", b.getI64IntegerAttr(dims.size()));
  int64_t side = tapsOf(conv)[dims.front()];
  if (int64_t taps = tile::winogradTaps(side, dims.size()); taps != side)
    attributes.append("window", b.getI64IntegerAttr(taps));
  return attributes.getDictionary(conv.getContext());
}

static StagePlan resultFor(kernel::GroupOp group, const ContractionOperands &at,
                           graph::ConvOp conv, const WinogradProblem &problem,
                           const WinogradPlan &plan) {
  StagePlan result;
  size_t operands = group.getOperands_().size();
  result.plan = toAttribute(group.getContext(), winogradStrategy.name, plan,
                            /*packed=*/true);
  result.halos.resize(operands);
  result.halos[at.lhs] = wantedHalo(*winogradGeometry(conv, plan.m));
  result.packs.resize(operands);
  result.packs[at.rhs] = packOf(conv, plan);
  tile::WinogradScratch scratch = tile::winogradScratch(problem, plan);
  result.threadScratch = scratch.elements() * int64_t(sizeof(float));
  return result;
}

PlannedChoices codegen::planWinograd(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  auto conv = cast<graph::ConvOp>(group.getAnchor());
  if (filteredDims(conv).empty())
    return noChoice();
  WinogradProblem problem = winogradProblem(conv);
  problem.isTypical = request.isTypical;
  if (problem.groups > 1 && problem.windows > 1)
    return noChoice();
  FailureOr<ContractionOperands> at = contractionOperands(group);
  if (failed(at))
    return failure();
  if (!canPack(group, *at))
    return noChoice();
  auto planBelow = [&](double cycles) {
    return tile::planWinograd(problem, request.target,
                              request.arithmetic.winograd, cycles);
  };
  std::optional<WinogradPlan> plan =
      planBelow(request.target.cyclesOf(request.bound));
  if (!plan) // for the report
    plan = planBelow(std::numeric_limits<double>::infinity());
  if (!plan || !hasFiniteWeights(group, *at))
    return noChoice();
  double cycles = tile::chargedCycles(problem, *plan, request.target);
  return oneChoice(resultFor(group, *at, conv, problem, *plan),
                   request.target.timeOf(cycles));
}
