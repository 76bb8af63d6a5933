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

/// All is addressed by strides, in 32 bits, but packed constants.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  FailureOr<ProductPart> part = partOf(group, index);
  bool isPacked = group.getPlan()->getInt("packed");
  return succeeded(part) && isReached(type) &&
         (part != ProductPart::Rhs || !isPacked || type.isDense());
}

const Strategy tenon::gpu::mmaStrategy{"gpu_mma", isUnitProduct, planMma,
                                       emitMma, canAddress};
