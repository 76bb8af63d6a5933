//===- Points.cpp - the strategy of nests without reductions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenGpu/Rows/PointKernel.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static constexpr int64_t usualThreads = 256, mostThreads = 1024;

/// Along which something that is as large as the results lies together while
/// the results do along the vector loop.
static std::optional<unsigned> chooseTransposed(const ThreadNest &nest) {
  constexpr int64_t shortest = 8;
  if (nest.extent(nest.vector()) < shortest)
    return std::nullopt;
  for (unsigned loop : nest.rowLoops)
    for (const codegen::LoopAccess &load : nest.nest.loads)
      if (nest.extent(loop) >= shortest &&
          codegen::isTransposed(load, nest.vector(), loop) &&
          llvm::none_of(load.strides,
                        [](const Size &stride) { return stride.is(0); }))
        return loop;
  return std::nullopt;
}

/// Small blocks where there are few vectors, so that all processors have some.
static int64_t blockThreads(const ThreadNest &nest,
                            const tile::GpuTarget &target) {
  int64_t threads = usualThreads;
  while (threads > tile::warpLanes &&
         nest.units() < threads * target.processors)
    threads /= 2;
  return threads;
}

static PlannedChoices planPoints(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  FailureOr<ThreadNest> nest =
      readThreadNest(group, codegen::denseBuffers(group));
  if (failed(nest))
    return failure();
  if (nest->nest.stages() != 0)
    return noChoice();
  PointPlan plan;
  plan.vector = codegen::originalLoop(nest->nest, nest->vector());
  std::optional<unsigned> transposed = chooseTransposed(*nest);
  if (transposed &&
      squareBytes(*nest, *transposed) > targetOf(request.device).sharedBytes)
    transposed.reset();
  if (transposed)
    plan.transposed = codegen::originalLoop(nest->nest, *transposed);
  plan.threads =
      transposed ? usualThreads : blockThreads(*nest, targetOf(request.device));
  codegen::StagePlan result;
  result.plan =
      codegen::toAttribute(group.getContext(), pointsStrategy.name, plan);
  return oneChoice(result, Time::ofMicroseconds(timeOf(
                               group, blocksOf(*nest, transposed, plan.threads),
                               targetOf(request.device))));
}

/// Of the nest on its buffers, which may lie otherwise than planned.
static std::optional<unsigned> transposedOf(const ThreadNest &nest,
                                            const PointPlan &plan) {
  if (uint64_t(plan.transposed) >= nest.nest.origin.size())
    return std::nullopt;
  unsigned loop = codegen::currentLoop(nest.nest, plan.transposed);
  return loop == nest.vector() || nest.nest.reduced(loop) ? std::nullopt
                                                          : std::optional(loop);
}

static FailureOr<StageInfo> emitPoints(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  auto plan = codegen::fromAttribute<PointPlan>(request.plan);
  SmallVector<BufferType> buffers(request.operands);
  llvm::append_range(buffers, request.results);
  FailureOr<ThreadNest> nest = readThreadNest(group, buffers, plan.vector);
  if (failed(nest))
    return failure();
  if (plan.threads < tile::warpLanes || plan.threads > mostThreads ||
      !llvm::isPowerOf2_64(uint64_t(plan.threads)) || nest->nest.stages() != 0)
    return group.emitOpError()
           << "has a plan of other threads than its points have";
  std::optional<unsigned> transposed = transposedOf(*nest, plan);
  if (transposed)
    nest->schedule.lanes = 1;
  return PointKernel(request, *nest, transposed, plan.threads).emit();
}

/// All is addressed by strides.
static bool canAddress(kernel::GroupOp, unsigned, BufferType) { return true; }

const Strategy tenon::gpu::pointsStrategy{"gpu_points", isThreadNest,
                                          planPoints, emitPoints, canAddress};
