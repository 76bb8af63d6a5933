//===- StencilPlan.cpp - which windows are stencils, and how --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Window/Stencil.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Footprint.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;

//===-- What is one -------------------------------------------------------===//

template <typename Pool> static bool isPoolOfOneChannel(Pool pool) {
  constexpr int64_t mostTaps = 144;
  auto type = cast<RankedTensorType>(pool.getInput().getType());
  int64_t taps = 1;
  for (int64_t extent : pool.getKernel())
    taps *= extent;
  return pool.getLayout() == graph::Layout::NHWC && type.hasStaticShape() &&
         type.getElementType().isF32() && type.getShape().back() == 1 &&
         (type.getRank() == 3 || type.getRank() == 4) && taps > 1 &&
         taps <= mostTaps && isa<BlockArgument>(pool.getInput());
}

static bool isStencil(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  if (auto pool = dyn_cast_or_null<graph::MaxPoolOp>(anchor))
    return isPoolOfOneChannel(pool);
  if (auto pool = dyn_cast_or_null<graph::AvgPoolOp>(anchor))
    return isPoolOfOneChannel(pool);
  return kernel::isStencil(anchor);
}

/// The pixels of a row are neighbours.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  Operation *anchor = group.getAnchor();
  auto isOperand = [&](unsigned i) {
    auto argument = dyn_cast<BlockArgument>(anchor->getOperand(i));
    return argument && argument.getArgNumber() == index;
  };
  if (anchor->getNumOperands() > 1 && isOperand(1))
    return type.isDense();
  ArrayRef<int64_t> strides = type.getStrides();
  return !isOperand(0) || strides[strides.size() - 2] == 1;
}

//===-- How ---------------------------------------------------------------===//

StencilRows StencilRows::of(const WindowDim &dim, int64_t height) {
  auto [first, last] = dim.interior();
  int64_t groups = (last - first) / height;
  return {first, groups, height, dim.output.fixed() - first - groups * height};
}

StencilRow StencilRow::of(const WindowDim &dim, int64_t lanes) {
  StencilRow row;
  auto [first, last] = dim.interior();
  row.count = ceilDiv(dim.output.fixed(), lanes);
  row.first = std::min(row.count, ceilDiv(first, lanes));
  row.last = std::max(row.first, last / lanes);
  return row;
}

/// Rows share what they read, so a tile has many of them, but few enough that
/// little is left of the image. Vectors share weights.
StencilPlan codegen::planStencilTile(const WindowNest &nest,
                                     const tile::Target &target) {
  constexpr int64_t leastWork = 8192, mostEmitted = 512;
  const WindowDim &height = nest.dims[1], &width = nest.dims[2];
  StencilPlan plan;
  plan.lanes = std::max<int64_t>(1, target.lanes(4));
  auto [first, last] = height.interior();
  int64_t inside = last - first;
  int64_t most = std::max<int64_t>(1, target.registers / 4);
  most =
      std::min({most, inside, std::max<int64_t>(1, mostEmitted / nest.taps())});
  if (nest.dims[1].kernel == 1)
    most = 1;
  plan.height = 1;
  for (int64_t rows = most; rows > std::max<int64_t>(1, most / 2); --rows)
    if (plan.height == 1 || inside % rows < inside % plan.height)
      plan.height = rows;
  int64_t vectors = ceilDiv(width.output.fixed(), plan.lanes);
  plan.vectors = std::clamp<int64_t>(most / plan.height, 1, vectors);
  if (nest.dims[1].kernel == 1)
    plan.vectors = std::min<int64_t>(4, vectors);
  int64_t units =
      nest.planes().fixed() * StencilRows::of(height, plan.height).units();
  int64_t work = vectors * plan.height * nest.taps();
  plan.rows = std::clamp<int64_t>(
      leastWork / work, 1, std::max<int64_t>(1, units / (2 * target.threads)));
  return plan;
}

/// Cycles of a core: a multiply-add of a vector takes one of them, and so does
/// a load that crosses lines, as most do.
static double cyclesOf(const WindowNest &nest, const StencilPlan &plan) {
  const WindowDim &height = nest.dims[1], &width = nest.dims[2];
  int64_t vectors = ceilDiv(width.output.fixed(), plan.lanes);
  double read = double(countUsed(height, plan.height)) / double(plan.height);
  double loads = read * double(width.kernel * width.stride);
  return double(nest.planes().fixed() * height.output.fixed() * vectors) *
         std::max(double(nest.taps()), loads);
}

static PlannedChoices plan(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *anchor = windowAnchor(group);
  if (!anchor)
    return failure();
  auto bufferOf = [&](unsigned i) {
    return BufferType::getDense(
        cast<RankedTensorType>(anchor->getOperand(i).getType()));
  };
  BufferType filter = isa<graph::ConvOp>(anchor) ? bufferOf(1) : BufferType();
  FailureOr<WindowNest> nest =
      buildWindowNest(anchor, bufferOf(0), filter, false, {}, Border::Clipped);
  if (failed(nest))
    return failure();
  StencilPlan tile = planStencilTile(*nest, request.target);
  StagePlan result;
  result.halos.resize(group.getNumOperands());
  result.packs.resize(group.getNumOperands());
  result.plan = toAttribute(group.getContext(), stencilStrategy.name, tile,
                            /*packed=*/false);
  return oneChoice(std::move(result),
                   request.target.timeOf(cyclesOf(*nest, tile)));
}

static FailureOr<StageInfo> emit(const StageRequest &request) {
  Operation *anchor = windowAnchor(request.group);
  if (!anchor)
    return failure();
  FailureOr<Epilogue> epilogue = Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  auto bufferOf = [&](unsigned i) {
    unsigned number = cast<BlockArgument>(anchor->getOperand(i)).getArgNumber();
    return request.operands[number];
  };
  BufferType filter = isa<graph::ConvOp>(anchor) ? bufferOf(1) : BufferType();
  FailureOr<WindowNest> nest = buildWindowNest(
      anchor, bufferOf(0), filter, false, epilogue->tensors(), Border::Clipped);
  if (failed(nest))
    return failure();
  epilogue->runAlong(nest->dims[2].result);
  auto plan = fromAttribute<StencilPlan>(request.plan);
  OverwritePairs inPlace = overwritesOf(request.group, *epilogue);
  FailureOr<StageInfo> result =
      StencilEmitter(request, std::move(*nest), plan, std::move(*epilogue))
          .emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}

const Strategy codegen::stencilStrategy{"stencil", isStencil, plan, emit,
                                        canAddress};
