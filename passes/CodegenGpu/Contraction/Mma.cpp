//===- Mma.cpp - the strategy of products on matrix units of warps --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Contraction/UnitProduct.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static PlannedChoices planSeveral(const PlanRequest &request, size_t most) {
  kernel::GroupOp group = request.group;
  std::vector<StageChoice> choices;
  if (!areReached(group))
    return choices;
  FailureOr<Product> product = idealProduct(group);
  if (failed(product))
    return failure();
  tile::GpuProduct problem = product->problem(request.precision);
  for (const auto &plan : tile::plans(problem, request.target, most))
    choices.push_back({stagePlanOf(group, product->at, mmaStrategy.name, plan),
                       tile::estimateTime(problem, plan, request.target)});
  return choices;
}

static PlannedChoice planMma(const PlanRequest &request) {
  return firstOf(planSeveral(request, 1));
}

static FailureOr<DeviceKernel> emitMma(const EmitRequest &request) {
  auto plan = codegen::fromAttribute<tile::GpuProductPlan>(request.plan);
  auto emit = [&](BlockFunction &function, codegen::KernelBuilder &kernel,
                  ProductStage stage) -> FailureOr<DeviceKernel> {
    // Buffers may ask for narrower copies than those that it was planned with.
    tile::GpuProduct problem = stage.product.problem(request.precision);
    problem.lhsCopy = problem.rhsCopy = 16 / problem.elementBytes;
    if (llvm::Error error = tile::validate(problem, plan, request.target))
      return kernel::GroupOp(request.group).emitOpError()
             << llvm::toString(std::move(error));
    return UnitProduct(request, function, kernel, std::move(stage.product),
                       std::move(stage.epilogue))
        .emit();
  };
  return emitProduct(request, /*numMaps=*/0, {plan.threads(), plan.share},
                     Windows::Outside, emit);
}

const Strategy tenon::gpu::mmaStrategy{
    "gpu_mma",         isUnitProduct,         planMma,    emitMma,
    canAddressProduct, /*alignment=*/nullptr, planSeveral};
