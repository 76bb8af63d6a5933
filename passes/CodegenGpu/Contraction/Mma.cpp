//===- Mma.cpp - the strategy of products on matrix units of warps --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Contraction/UnitProduct.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static PlannedChoices planMma(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  std::vector<StageChoice> choices;
  if (!areReached(group))
    return choices;
  FailureOr<Product> product = idealProduct(group);
  if (failed(product))
    return failure();
  tile::GpuProduct problem = product->problem(precisionOf(request.device));
  const tile::GpuTarget &target = targetOf(request.device);
  for (const auto &plan : tile::plans(problem, target, request.most))
    choices.push_back(
        {stagePlanOf(group, product->at, mmaStrategy.name, plan),
         Time::ofMicroseconds(tile::estimateTime(problem, plan, target))});
  return choices;
}

static FailureOr<StageInfo> emitMma(const StageRequest &request) {
  auto plan = codegen::fromAttribute<tile::GpuProductPlan>(request.plan);
  auto emit = [&](ProductStage stage) -> FailureOr<StageInfo> {
    // Buffers may ask for narrower copies than those that it was planned with.
    tile::GpuProduct problem =
        stage.product.problem(precisionOf(request.device));
    problem.lhsCopy = problem.rhsCopy = 16 / problem.elementBytes;
    if (llvm::Error error =
            tile::validate(problem, plan, targetOf(request.device)))
      return kernel::GroupOp(request.group).emitOpError()
             << llvm::toString(std::move(error));
    return UnitProduct(request, std::move(stage.product),
                       std::move(stage.epilogue))
        .emit();
  };
  return emitProduct(request, Windows::Outside, emit);
}

const Strategy tenon::gpu::mmaStrategy{"gpu_mma", isUnitProduct, planMma,
                                       emitMma, canAddressProduct};
