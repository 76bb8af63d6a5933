//===- Wgmma.cpp - the strategy of products on units of warpgroups --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/GroupProduct.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

/// What constants are packed in: pieces of f32, or rounded to what the units
/// read, since they truncate.
static Type packedElement(const Boxes &boxes, MLIRContext *context) {
  if (boxes.problem.isSplit())
    return VectorType::get({3}, BFloat16Type::get(context));
  return boxes.problem.product.unit == tile::Precision::TF32
             ? Type(FloatTF32Type::get(context))
             : Type();
}

static PlannedChoices planWgmma(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  std::vector<StageChoice> choices;
  if (!areReached(group))
    return choices;
  FailureOr<Product> product = idealProduct(group, Windows::All);
  if (failed(product))
    return failure();
  std::optional<Boxes> boxes = boxesOf(*product, precisionOf(request.device));
  bool isSplit = boxes && boxes->problem.isSplit();
  if (!boxes || (isSplit && !codegen::canPack(group, product->at)))
    return choices;
  const tile::GpuTarget &target = targetOf(request.device);
  for (const auto &plan : tile::planBoxes(boxes->problem, target, request.most))
    choices.push_back({stagePlanOf(group, product->at, wgmmaStrategy.name, plan,
                                   packedElement(*boxes, group.getContext())),
                       Time::ofMicroseconds(
                           tile::estimateBoxes(boxes->problem, plan, target))});
  return choices;
}

static FailureOr<StageInfo> emitWgmma(const StageRequest &request) {
  auto plan = codegen::fromAttribute<tile::GpuProductPlan>(request.plan);
  auto emit = [&](ProductStage stage) -> FailureOr<StageInfo> {
    kernel::GroupOp group = request.group;
    std::optional<Boxes> boxes =
        boxesOf(stage.product, precisionOf(request.device));
    if (!boxes)
      return group.emitOpError("has operands that no boxes are copied from");
    if (llvm::Error error =
            tile::validateBoxes(boxes->problem, plan, targetOf(request.device)))
      return group.emitOpError() << llvm::toString(std::move(error));
    return GroupProduct(request, std::move(stage.product), std::move(*boxes),
                        std::move(stage.epilogue))
        .emit();
  };
  blockOf(request).addMaps(2);
  return emitProduct(request, Windows::All, emit);
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

const Strategy tenon::gpu::wgmmaStrategy{.name = "gpu_wgmma",
                                         .matches = isUnitProduct,
                                         .plan = planWgmma,
                                         .emit = emitWgmma,
                                         .canAddress = canAddress,
                                         .alignment = alignment};
