//===- Rows.cpp - the strategy of reductions by teams ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Rows/RowKernel.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static PlannedChoice planRowGroup(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  FailureOr<ThreadNest> nest =
      readThreadNest(group, codegen::denseBuffers(group));
  if (failed(nest))
    return failure();
  if (nest->nest.stages() == 0)
    return std::optional<StageChoice>();
  RowPlan plan = planRows(*nest, request.target);
  if (sharedBytes(*nest, plan) > request.target.sharedBytes)
    return std::optional<StageChoice>();
  codegen::StagePlan result;
  result.plan =
      codegen::toAttribute(group.getContext(), rowsStrategy.name, plan);
  int64_t blocks = llvm::divideCeil(nest->units(), plan.units);
  return std::optional(StageChoice{
      result, timeOf(group, blocks, request.target) + timeOf(*nest, plan)});
}

static FailureOr<DeviceKernel> emitRows(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  auto plan = codegen::fromAttribute<RowPlan>(request.plan);
  SmallVector<BufferType> buffers(request.operands);
  llvm::append_range(buffers, request.results);
  FailureOr<ThreadNest> nest = readThreadNest(group, buffers, plan.vector);
  if (failed(nest))
    return failure();
  if (!isValid(*nest, plan, request.target))
    return group.emitOpError()
           << "has a plan of other threads than its rows have";
  // Buffers may ask for narrower vectors than those that it was planned with.
  plan.kept = plan.kept && canKeep(*nest, plan, request.target);
  BlockFunction function(request.module, group.getLoc(), request.name,
                         /*numMaps=*/0, buffers.size(), {plan.threads()});
  tile::Target thread = tile::threadOf(request.target);
  codegen::KernelBuilder kernel(function, group.getLoc(), thread);
  FailureOr<DeviceKernel> result =
      RowKernel(request, kernel, *nest, plan).emit();
  function.finish();
  return result;
}

/// All is addressed by strides.
static bool canAddress(kernel::GroupOp, unsigned, BufferType) { return true; }

const Strategy tenon::gpu::rowsStrategy{"gpu_rows", isThreadNest, planRowGroup,
                                        emitRows, canAddress};
