//===- Rows.cpp - the strategy of reductions by teams ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenGpu/Rows/RowKernel.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static PlannedChoices planRowGroup(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  FailureOr<ThreadNest> nest =
      readThreadNest(group, codegen::denseBuffers(group));
  if (failed(nest))
    return failure();
  if (nest->nest.stages() == 0)
    return noChoice();
  RowPlan plan = planRows(*nest, targetOf(request.device));
  if (sharedBytes(*nest, plan) > targetOf(request.device).sharedBytes)
    return noChoice();
  codegen::StagePlan result;
  result.plan =
      codegen::toAttribute(group.getContext(), rowsStrategy.name, plan);
  int64_t blocks = llvm::divideCeil(nest->units(), plan.units);
  return oneChoice(result, Time::ofMicroseconds(
                               timeOf(group, blocks, targetOf(request.device)) +
                               timeOf(*nest, plan)));
}

static FailureOr<StageInfo> emitRows(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  auto plan = codegen::fromAttribute<RowPlan>(request.plan);
  SmallVector<BufferType> buffers(request.operands);
  llvm::append_range(buffers, request.results);
  FailureOr<ThreadNest> nest = readThreadNest(group, buffers, plan.vector);
  if (failed(nest))
    return failure();
  if (!isValid(*nest, plan, targetOf(request.device)))
    return group.emitOpError()
           << "has a plan of other threads than its rows have";
  // Buffers may ask for narrower vectors than those that it was planned with.
  plan.kept = plan.kept && canKeep(*nest, plan, targetOf(request.device));
  return RowKernel(request, *nest, plan).emit();
}

/// All is addressed by strides.
static bool canAddress(kernel::GroupOp, unsigned, BufferType) { return true; }

const Strategy tenon::gpu::rowsStrategy{"gpu_rows", isThreadNest, planRowGroup,
                                        emitRows, canAddress};
