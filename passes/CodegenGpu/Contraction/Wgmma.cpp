//===- Wgmma.cpp - the strategy of products on units of warpgroups --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/GroupProduct.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static PlannedChoice planWgmma(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  if (!areReached(group))
    return std::optional<StageChoice>();
  FailureOr<Product> product = idealProduct(group, Windows::All);
  if (failed(product))
    return failure();
  std::optional<Boxes> boxes = boxesOf(*product, request.precision);
  std::optional<tile::GpuProductPlan> plan;
  bool isSplit = boxes && boxes->problem.isSplit();
  if (boxes && (!isSplit || codegen::canPack(group, product->at)))
    plan = tile::planBoxes(boxes->problem, request.target);
  if (!plan)
    return std::optional<StageChoice>();
  return std::optional(StageChoice{
      stagePlanOf(group, product->at, wgmmaStrategy.name, *plan, isSplit),
      tile::estimateBoxes(boxes->problem, *plan, request.target)});
}

static FailureOr<DeviceKernel> emitWgmma(const EmitRequest &request) {
  auto plan = codegen::fromAttribute<tile::GpuProductPlan>(request.plan);
  auto emit = [&](BlockFunction &function, codegen::KernelBuilder &kernel,
                  ProductStage stage) -> FailureOr<DeviceKernel> {
    kernel::GroupOp group = request.group;
    std::optional<Boxes> boxes = boxesOf(stage.product, request.precision);
    if (!boxes)
      return group.emitOpError("has operands that no boxes are copied from");
    if (llvm::Error error =
            tile::validateBoxes(boxes->problem, plan, request.target))
      return group.emitOpError() << llvm::toString(std::move(error));
    return GroupProduct(request, function, kernel, std::move(stage.product),
                        std::move(*boxes), std::move(stage.epilogue))
        .emit();
  };
  return emitProduct(request, /*numMaps=*/2,
                     {plan.threads() + tile::warpLanes, plan.share},
                     Windows::All, emit);
}

/// Maps have strides of 16 bytes.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  FailureOr<ProductPart> part = partOf(group, index);
  return succeeded(part) && isReached(type) &&
         (part == ProductPart::Other || type.isDense());
}

/// Maps begin at multiples of 16 bytes, too.
static int64_t alignment(kernel::GroupOp group, unsigned index) {
  FailureOr<ProductPart> part = partOf(group, index);
  return failed(part) || part == ProductPart::Other ? 1 : mapBytes;
}

const Strategy tenon::gpu::wgmmaStrategy{"gpu_wgmma", isUnitProduct, planWgmma,
                                         emitWgmma,   canAddress,    alignment};
