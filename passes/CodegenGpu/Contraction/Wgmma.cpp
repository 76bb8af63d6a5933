//===- Wgmma.cpp - the strategy of products on units of warpgroups --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Layout/Views.h"
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
  kernel::GroupOp group = request.group;
  auto plan = codegen::fromAttribute<tile::GpuProductPlan>(request.plan);
  unsigned buffers = request.operands.size() + request.results.size();
  BlockFunction function(request.module, group.getLoc(), request.name,
                         /*numMaps=*/2, buffers,
                         {plan.threads() + tile::warpLanes, plan.share});
  tile::Target thread = tile::threadOf(request.target);
  codegen::KernelBuilder kernel(function, group.getLoc(), thread);
  FailureOr<ProductStage> stage = readStage(request, kernel, Windows::All);
  if (failed(stage))
    return failure();
  std::optional<Boxes> boxes = boxesOf(stage->product, request.precision);
  if (!boxes)
    return group.emitOpError("has operands that no boxes are copied from");
  if (llvm::Error error =
          tile::validateBoxes(boxes->problem, plan, request.target))
    return group.emitOpError() << llvm::toString(std::move(error));
  FailureOr<DeviceKernel> result =
      GroupProduct(request, function, kernel, std::move(stage->product),
                   std::move(*boxes), std::move(stage->epilogue))
          .emit();
  function.finish();
  return result;
}

/// Maps have strides of 16 bytes, and begin at multiples of that.
static bool canAddress(kernel::GroupOp group, unsigned index,
                       const codegen::PlacedBuffer &buffer) {
  BufferType type = buffer.type;
  FailureOr<codegen::ContractionOperands> at =
      codegen::contractionOperands(group);
  if (failed(at) || !isReached(type))
    return false;
  bool isCopied = index == at->lhs || index == at->rhs;
  bool isAligned =
      buffer.byteOffset.isFixed() && buffer.byteOffset.fixed() % mapBytes == 0;
  return !isCopied || (type.isDense() && isAligned);
}

const Strategy tenon::gpu::wgmmaStrategy{"gpu_wgmma", isUnitProduct, planWgmma,
                                         emitWgmma, canAddress};
