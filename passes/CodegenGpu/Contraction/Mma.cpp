//===- Mma.cpp - the strategy of products on matrix units of warps --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/UnitProduct.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

/// Elements of a buffer that 32-bit indices reach.
static constexpr int64_t mostElements = int64_t(1) << 31;

static bool isReached(BufferType type) {
  return type.getBytes() > 0 && type.getBytes() < mostElements;
}

static bool areReached(kernel::GroupOp group) {
  auto isSmall = [](Type type) {
    return isReached(BufferType::getDense(cast<RankedTensorType>(type)));
  };
  return llvm::all_of(group.getOperandTypes(), isSmall) &&
         llvm::all_of(group.getResultTypes(), isSmall);
}

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
  bool isPacked = codegen::canPack(group, product->at);
  codegen::StagePlan result;
  result.plan = codegen::toAttribute(group.getContext(), mmaStrategy.name, plan,
                                     isPacked);
  result.halos.resize(group.getOperands_().size());
  result.packs.resize(group.getOperands_().size());
  if (isPacked)
    result.packs[product->at.rhs] =
        codegen::packAttributes(product->at.anchor, unitPacking);
  return std::optional(
      StageChoice{result, tile::estimateTime(problem, plan, request.target)});
}

static FailureOr<DeviceKernel> emitMma(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  auto plan = codegen::fromAttribute<tile::GpuProductPlan>(request.plan);
  unsigned buffers = request.operands.size() + request.results.size();
  BlockFunction function(request.module, group.getLoc(), request.name,
                         /*numMaps=*/0, buffers, {plan.threads(), plan.share});
  tile::Target thread = tile::threadOf(request.target);
  codegen::KernelBuilder kernel(function, group.getLoc(), thread);
  codegen::StageRequest stage{kernel, group, request.operands, request.results,
                              request.plan};
  FailureOr<codegen::Epilogue> epilogue = codegen::Epilogue::create(stage);
  if (failed(epilogue))
    return failure();
  SmallVector<ArrayRef<Size>> strides;
  for (const codegen::IndexedTensor &tensor : epilogue->tensors())
    strides.push_back(tensor.strides);
  FailureOr<Product> product = readProduct(
      group, request.operands, request.plan.getInt("packed"), strides);
  if (failed(product))
    return failure();
  // Buffers may ask for narrower copies than those that it was planned with.
  tile::GpuProduct problem = product->problem(request.precision);
  problem.lhsCopy = problem.rhsCopy = 16 / problem.elementBytes;
  if (llvm::Error error = tile::validate(problem, plan, request.target))
    return group.emitOpError() << llvm::toString(std::move(error));
  FailureOr<DeviceKernel> result =
      UnitProduct(request, function, kernel, std::move(*product),
                  std::move(*epilogue))
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
                                       emitMma, canAddress};
