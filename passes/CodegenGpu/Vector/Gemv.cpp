//===- Gemv.cpp - the strategy of products with few rows ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Vector/VectorProduct.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

/// Columns must have their steps of k together, or each would be its own line.
static PlannedChoice planGemv(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  if (!areReached(group))
    return std::optional<StageChoice>();
  FailureOr<Product> product = idealProduct(group);
  if (failed(product))
    return failure();
  std::optional<VectorProblem> problem = vectorProblem(*product);
  if (!problem || (problem->k > 1 && product->rhs.k.back().stride != 1))
    return std::optional<StageChoice>();
  VectorPlan plan = planVectors(*problem, request.target);
  return std::optional(StageChoice{
      stagePlanOf(group, product->at,
                  codegen::toAttribute(group.getContext(), gemvStrategy.name,
                                       plan,
                                       codegen::canPack(group, product->at))),
      estimateTime(*problem, plan, request.target)});
}

static FailureOr<DeviceKernel> emitGemv(const EmitRequest &request) {
  auto plan = codegen::fromAttribute<VectorPlan>(request.plan);
  auto emit = [&](BlockFunction &, codegen::KernelBuilder &kernel,
                  ProductStage stage) -> FailureOr<DeviceKernel> {
    std::optional<VectorProblem> problem = vectorProblem(stage.product);
    if (!problem || !isValid(*problem, plan))
      return kernel::GroupOp(request.group).emitOpError()
             << "has a plan for other rows and columns";
    return VectorProduct(request, kernel, stage.product, *problem,
                         stage.epilogue, plan)
        .emit();
  };
  return emitProduct(request, /*numMaps=*/0, {plan.threads()}, Windows::Outside,
                     emit);
}

const Strategy tenon::gpu::gemvStrategy{"gpu_gemv", isUnitProduct, planGemv,
                                        emitGemv, canAddressProduct};
