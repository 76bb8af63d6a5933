//===- Mma.cpp - the strategy of products on matrix units of warps --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Contraction/UnitProduct.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

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

/// All is addressed by strides, in 32 bits, but packed constants.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  FailureOr<codegen::ContractionOperands> at =
      codegen::contractionOperands(group);
  if (failed(at) || !isReached(type))
    return false;
  bool isPacked = group.getPlan()->getInt("packed");
  return index != at->rhs || !isPacked || type.isDense();
}

const Strategy tenon::gpu::mmaStrategy{"gpu_mma", isUnitProduct, planMma,
                                       emitMma,   canAddress,    planSeveral};
