//===- Gemv.cpp - the strategy of products with few rows ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Vector/VectorProduct.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

/// Columns must have their steps of k together, or each would be its own line.
static PlannedChoices planGemv(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  if (!areReached(group))
    return noChoice();
  FailureOr<Product> product = idealProduct(group);
  if (failed(product))
    return failure();
  std::optional<VectorProblem> problem = vectorProblem(*product);
  if (!problem || (problem->k > 1 && product->rhs.k.back().stride != 1))
    return noChoice();
  VectorPlan plan = planVectors(*problem, targetOf(request.device));
  return oneChoice(stagePlanOf(group, product->at,
                               codegen::toAttribute(
                                   group.getContext(), gemvStrategy.name, plan,
                                   codegen::canPack(group, product->at))),
                   Time::ofMicroseconds(
                       estimateTime(*problem, plan, targetOf(request.device))));
}

static FailureOr<StageInfo> emitGemv(const StageRequest &request) {
  auto plan = codegen::fromAttribute<VectorPlan>(request.plan);
  auto emit = [&](ProductStage stage) -> FailureOr<StageInfo> {
    std::optional<VectorProblem> problem = vectorProblem(stage.product);
    if (!problem || !isValid(*problem, plan))
      return kernel::GroupOp(request.group).emitOpError()
             << "has a plan for other rows and columns";
    return VectorProduct(request, stage.product, *problem, stage.epilogue, plan)
        .emit();
  };
  return emitProduct(request, Windows::Outside, emit);
}

const Strategy tenon::gpu::gemvStrategy{"gpu_gemv", isUnitProduct, planGemv,
                                        emitGemv, canAddressProduct};
