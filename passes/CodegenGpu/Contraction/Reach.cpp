//===- Reach.cpp - what strategies of products share ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/Reach.h"

#include "passes/Codegen/PlanAttribute.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

bool tenon::gpu::isReached(BufferType type) {
  constexpr int64_t mostBytes = int64_t(1) << 31;
  return type.getBytes() > 0 && type.getBytes() < mostBytes;
}

bool tenon::gpu::areReached(kernel::GroupOp group) {
  auto isSmall = [](Type type) {
    return isReached(BufferType::getDense(cast<RankedTensorType>(type)));
  };
  return llvm::all_of(group.getOperandTypes(), isSmall) &&
         llvm::all_of(group.getResultTypes(), isSmall);
}

FailureOr<ProductPart> tenon::gpu::partOf(kernel::GroupOp group,
                                          unsigned index) {
  FailureOr<codegen::ContractionOperands> at =
      codegen::contractionOperands(group);
  if (failed(at))
    return failure();
  return index == at->lhs   ? ProductPart::Lhs
         : index == at->rhs ? ProductPart::Rhs
                            : ProductPart::Other;
}

codegen::StagePlan
tenon::gpu::stagePlanOf(kernel::GroupOp group,
                        const codegen::ContractionOperands &at,
                        kernel::PlanAttr plan, Type element) {
  bool isPacked = codegen::canPack(group, at);
  codegen::StagePlan result;
  result.plan = plan;
  result.halos.resize(group.getOperands_().size());
  result.packs.resize(group.getOperands_().size());
  if (!isPacked)
    return result;
  NamedAttrList pack(codegen::packAttributes(at.anchor, unitPacking));
  if (element)
    pack.set("element", TypeAttr::get(element));
  result.packs[at.rhs] = pack.getDictionary(group.getContext());
  return result;
}

codegen::StagePlan
tenon::gpu::stagePlanOf(kernel::GroupOp group,
                        const codegen::ContractionOperands &at, StringRef name,
                        const tile::GpuProductPlan &plan, Type element) {
  bool isPacked = codegen::canPack(group, at);
  return stagePlanOf(
      group, at, codegen::toAttribute(group.getContext(), name, plan, isPacked),
      element);
}

bool tenon::gpu::canAddressProduct(kernel::GroupOp group, unsigned index,
                                   BufferType type) {
  FailureOr<ProductPart> part = partOf(group, index);
  bool isPacked = group.getPlan()->getInt("packed");
  return succeeded(part) && isReached(type) &&
         (part != ProductPart::Rhs || !isPacked || type.isDense());
}

static FailureOr<ProductStage> readStage(const StageRequest &request,
                                         Windows which) {
  FailureOr<codegen::Epilogue> epilogue = codegen::Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  SmallVector<ArrayRef<Size>> strides;
  for (const codegen::IndexedTensor &tensor : epilogue->tensors())
    strides.push_back(tensor.strides);
  FailureOr<Product> product =
      readProduct(request.group, request.operands,
                  request.plan.getInt("packed"), strides, which);
  if (failed(product))
    return failure();
  return ProductStage{std::move(*product), std::move(*epilogue)};
}

FailureOr<StageInfo> tenon::gpu::emitProduct(const StageRequest &request,
                                             Windows which, EmitProduct emit) {
  FailureOr<ProductStage> stage = readStage(request, which);
  if (failed(stage))
    return failure();
  return emit(std::move(*stage));
}
