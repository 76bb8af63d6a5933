//===- Reach.cpp - what strategies of products share ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/Reach.h"

#include "passes/CodegenCpu/PlanAttribute.h"

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

codegen::StagePlan
tenon::gpu::stagePlanOf(kernel::GroupOp group,
                        const codegen::ContractionOperands &at,
                        kernel::PlanAttr plan, bool isSplit) {
  bool isPacked = codegen::canPack(group, at);
  codegen::StagePlan result;
  result.plan = plan;
  result.halos.resize(group.getOperands_().size());
  result.packs.resize(group.getOperands_().size());
  if (!isPacked)
    return result;
  NamedAttrList pack(codegen::packAttributes(at.anchor, unitPacking));
  auto pieces = VectorType::get({3}, BFloat16Type::get(group.getContext()));
  if (isSplit)
    pack.set("element", TypeAttr::get(pieces));
  result.packs[at.rhs] = pack.getDictionary(group.getContext());
  return result;
}

codegen::StagePlan
tenon::gpu::stagePlanOf(kernel::GroupOp group,
                        const codegen::ContractionOperands &at, StringRef name,
                        const tile::GpuProductPlan &plan, bool isSplit) {
  bool isPacked = codegen::canPack(group, at);
  return stagePlanOf(
      group, at, codegen::toAttribute(group.getContext(), name, plan, isPacked),
      isSplit);
}

bool tenon::gpu::canAddressProduct(kernel::GroupOp group, unsigned index,
                                   BufferType type) {
  FailureOr<codegen::ContractionOperands> at =
      codegen::contractionOperands(group);
  if (failed(at) || !isReached(type))
    return false;
  bool isPacked = group.getPlan()->getInt("packed");
  return index != at->rhs || !isPacked || type.isDense();
}

FailureOr<ProductStage> tenon::gpu::readStage(const EmitRequest &request,
                                              codegen::KernelBuilder &kernel,
                                              Windows which) {
  codegen::StageRequest stage{kernel, request.group, request.operands,
                              request.results, request.plan};
  FailureOr<codegen::Epilogue> epilogue = codegen::Epilogue::create(stage);
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
