//===- Mma.cpp - the strategy of products on matrix units of warps --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Contraction/UnitProduct.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static PlannedChoice planMma(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  if (!areReached(group))
    return std::optional<StageChoice>();
  FailureOr<Product> product = idealProduct(group);
  if (failed(product))
    return failure();
  tile::GpuProduct problem = product->problem(request.precision);
  tile::GpuProductPlan plan = tile::plan(problem, request.target);
  if (llvm::Error error = tile::validate(problem, plan, request.target)) {
    group.emitOpError() << llvm::toString(std::move(error));
    return failure();
  }
  return std::optional(
      StageChoice{stagePlanOf(group, product->at, mmaStrategy.name, plan),
                  tile::estimateTime(problem, plan, request.target)});
}

static FailureOr<DeviceKernel> emitMma(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  auto plan = codegen::fromAttribute<tile::GpuProductPlan>(request.plan);
  unsigned buffers = request.operands.size() + request.results.size();
  BlockFunction function(request.module, group.getLoc(), request.name,
                         /*numMaps=*/0, buffers, {plan.threads(), plan.share});
  tile::Target thread = tile::threadOf(request.target);
  codegen::KernelBuilder kernel(function, group.getLoc(), thread);
  FailureOr<ProductStage> stage = readStage(request, kernel, Windows::Outside);
  if (failed(stage))
    return failure();
  // Buffers may ask for narrower copies than those that it was planned with.
  tile::GpuProduct problem = stage->product.problem(request.precision);
  problem.lhsCopy = problem.rhsCopy = 16 / problem.elementBytes;
  if (llvm::Error error = tile::validate(problem, plan, request.target))
    return group.emitOpError() << llvm::toString(std::move(error));
  FailureOr<DeviceKernel> result =
      UnitProduct(request, function, kernel, std::move(stage->product),
                  std::move(stage->epilogue))
          .emit();
  function.finish();
  return result;
}

const Strategy tenon::gpu::mmaStrategy{"gpu_mma", isUnitProduct, planMma,
                                       emitMma, canAddressProduct};
