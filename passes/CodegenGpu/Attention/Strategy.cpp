//===- Strategy.cpp - the strategy of attention ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Buffers.h"
#include "passes/CodegenCpu/PlanAttribute.h"
#include "passes/CodegenGpu/Attention/AttentionKernel.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static bool isAttention(kernel::GroupOp group) {
  return attentionIn(group).has_value();
}

static PlannedChoice planAttention(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  SmallVector<BufferType> operands;
  for (Type type : group.getBlock().getArgumentTypes())
    operands.push_back(BufferType::getDense(cast<RankedTensorType>(type)));
  AttentionOps ops = *attentionIn(group);
  tile::GpuAttention problem =
      readAttention(group, ops, operands).problem(request.precision);
  problem.causal = isCausal(group, ops);
  tile::GpuAttentionPlan plan = tile::plan(problem, request.target);
  if (llvm::errorToBool(tile::validate(problem, plan, request.target)))
    return std::optional<StageChoice>();
  codegen::StagePlan result;
  result.plan =
      codegen::toAttribute(group.getContext(), attentionStrategy.name, plan);
  return std::optional(
      StageChoice{result, tile::estimateTime(problem, plan, request.target)});
}

static FailureOr<DeviceKernel> emitAttention(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  std::optional<AttentionOps> ops = attentionIn(group);
  if (!ops)
    return group.emitOpError() << "is no attention";
  Attention attention = readAttention(group, *ops, request.operands);
  auto plan = codegen::fromAttribute<tile::GpuAttentionPlan>(request.plan);
  tile::GpuAttention problem = attention.problem(request.precision);
  if (llvm::Error error = tile::validate(problem, plan, request.target))
    return group.emitOpError() << llvm::toString(std::move(error));
  // What the softmax reads is all that follows the scores here.
  codegen::IndexedTensor logits;
  logits.value = ops->logits;
  FailureOr<codegen::Epilogue> between = codegen::Epilogue::create(
      ops->scores, ops->between, logits, request.operands);
  if (failed(between))
    return failure();
  BlockFunction function(
      request.module, group.getLoc(), request.name, /*numMaps=*/0,
      unsigned(request.operands.size() + request.results.size()),
      {plan.threads()});
  tile::Target thread = tile::threadOf(request.target);
  codegen::KernelBuilder kernel(function, group.getLoc(), thread);
  FailureOr<DeviceKernel> result =
      AttentionKernel(request, kernel, std::move(attention),
                      std::move(*between))
          .emit();
  function.finish();
  return result;
}

/// All is addressed by strides, in 32 bits.
static bool canAddress(kernel::GroupOp, unsigned, BufferType type) {
  return isReached(type);
}

const Strategy tenon::gpu::attentionStrategy{
    "gpu_attention", isAttention, planAttention, emitAttention, canAddress};
