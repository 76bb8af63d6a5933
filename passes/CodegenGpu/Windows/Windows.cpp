//===- Windows.cpp - the strategy of pools and depthwise convolutions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Windows/WindowKernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static PlannedChoice planWindows(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  if (!areReached(group))
    return std::optional<StageChoice>();
  SmallVector<BufferType> operands;
  for (Type type : group.getOperandTypes())
    operands.push_back(BufferType::getDense(cast<RankedTensorType>(type)));
  FailureOr<codegen::WindowNest> nest =
      readWindow(group, operands, /*isPacked=*/false, {});
  if (failed(nest))
    return failure();
  tile::GpuWindow problem = problemOf(group, *nest);
  tile::GpuWindowPlan plan = tile::plan(problem, request.target);
  codegen::StagePlan result;
  result.halos.resize(operands.size());
  result.packs.resize(operands.size());
  DictionaryAttr pack = filterPack(group);
  if (pack)
    result.packs[operandOf(group.getAnchor(), 1)] = pack;
  result.plan = codegen::toAttribute(group.getContext(), windowsStrategy.name,
                                     plan, bool(pack));
  return std::optional(
      StageChoice{result, tile::estimateTime(problem, plan, request.target)});
}

namespace {
struct PlannedWindow {
  tile::GpuWindow problem;
  tile::GpuWindowPlan plan;
};
} // namespace

/// Fails with a diagnostic where somebody wrote a plan for something else.
static FailureOr<PlannedWindow> plannedWindow(const EmitRequest &request) {
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
  if (llvm::Error error =
          tile::validate(planned.problem, planned.plan, request.target))
    return group.emitOpError() << llvm::toString(std::move(error));
  return planned;
}

static FailureOr<DeviceKernel> emitWindows(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  FailureOr<PlannedWindow> planned = plannedWindow(request);
  if (failed(planned))
    return failure();
  const tile::GpuWindowPlan &plan = planned->plan;
  BlockShape shape{plan.threads};
  shape.together = tile::blocksTogether(planned->problem, plan, request.target);
  unsigned buffers = request.operands.size() + request.results.size();
  BlockFunction function(request.module, group.getLoc(), request.name,
                         /*numMaps=*/0, buffers, shape);
  tile::Target thread = tile::threadOf(request.target);
  codegen::KernelBuilder kernel(function, group.getLoc(), thread);
  FailureOr<codegen::Epilogue> epilogue = codegen::Epilogue::create(
      {kernel, group, request.operands, request.results, request.plan});
  if (failed(epilogue))
    return failure();
  FailureOr<codegen::WindowNest> nest =
      readWindow(group, request.operands, request.plan.getInt("packed"),
                 epilogue->tensors());
  if (failed(nest))
    return failure();
  FailureOr<DeviceKernel> result =
      WindowKernel(request, kernel, *nest, plan, std::move(*epilogue)).emit();
  function.finish();
  return result;
}

/// All is addressed by strides, in 32 bits; channels of the input lie together.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  return isReached(type) && codegen::canAddressWindow(group, index, type);
}

const Strategy tenon::gpu::windowsStrategy{"gpu_windows", isWindow, planWindows,
                                           emitWindows, canAddress};
