//===- Windows.cpp - the strategy of pools and depthwise convolutions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Groups/WindowGroup.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Windows/WindowKernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static PlannedChoices planWindows(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  if (!areReached(group))
    return noChoice();
  SmallVector<BufferType> operands;
  for (Type type : group.getOperandTypes())
    operands.push_back(BufferType::getDense(cast<RankedTensorType>(type)));
  FailureOr<codegen::WindowNest> nest =
      readWindow(group, operands, /*isPacked=*/false, {});
  if (failed(nest))
    return failure();
  tile::GpuWindow problem = problemOf(group, *nest);
  tile::GpuWindowPlan plan = tile::plan(problem, targetOf(request.device));
  codegen::StagePlan result;
  result.halos.resize(operands.size());
  result.packs.resize(operands.size());
  DictionaryAttr pack = filterPack(group);
  if (pack)
    result.packs[operandOf(group.getAnchor(), 1)] = pack;
  result.plan = codegen::toAttribute(group.getContext(), windowsStrategy.name,
                                     plan, bool(pack));
  return oneChoice(result, Time::ofMicroseconds(tile::estimateTime(
                               problem, plan, targetOf(request.device))));
}

namespace {
struct PlannedWindow {
  tile::GpuWindow problem;
  tile::GpuWindowPlan plan;
};
} // namespace

/// Fails with a diagnostic where somebody wrote a plan for something else.
static FailureOr<PlannedWindow> plannedWindow(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  if (!isWindow(group))
    return group.emitOpError("has no window of floats with channels inside");
  FailureOr<codegen::WindowNest> nest =
      readWindow(group, request.operands, request.plan.getInt("packed"), {});
  if (failed(nest))
    return failure();
  PlannedWindow planned{
      problemOf(group, *nest),
      codegen::fromAttribute<tile::GpuWindowPlan>(request.plan)};
  if (llvm::Error error = tile::validate(planned.problem, planned.plan,
                                         targetOf(request.device)))
    return group.emitOpError() << llvm::toString(std::move(error));
  return planned;
}

static FailureOr<StageInfo> emitWindows(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  FailureOr<PlannedWindow> planned = plannedWindow(request);
  if (failed(planned))
    return failure();
  const tile::GpuWindowPlan &plan = planned->plan;
  FailureOr<codegen::Epilogue> epilogue = codegen::Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  FailureOr<codegen::WindowNest> nest =
      readWindow(group, request.operands, request.plan.getInt("packed"),
                 epilogue->tensors());
  if (failed(nest))
    return failure();
  blockOf(request).together =
      tile::blocksTogether(planned->problem, plan, targetOf(request.device));
  return WindowKernel(request, *nest, plan, std::move(*epilogue)).emit();
}

/// All is addressed by strides, in 32 bits; channels of the input lie together.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  return isReached(type) && codegen::canAddressWindow(group, index, type);
}

const Strategy tenon::gpu::windowsStrategy{"gpu_windows", isWindow, planWindows,
                                           emitWindows, canAddress};
