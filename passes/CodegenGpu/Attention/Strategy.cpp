//===- Strategy.cpp - the strategy of attention ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Buffers.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/Codegen/Stages/Stages.h"
#include "passes/CodegenGpu/Attention/AttentionKernel.h"
#include "passes/CodegenGpu/Attention/FlatGroup.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static bool isAttention(kernel::GroupOp group) {
  return group.isStaged() &&
         codegen::mayLeaveIn(group, kernel::Level::Register) &&
         attentionIn(FlatGroup(group).get()).has_value();
}

static PlannedChoices planAttention(const PlanRequest &request) {
  FlatGroup flat(request.group);
  kernel::GroupOp group = flat.get();
  SmallVector<BufferType> operands;
  for (Type type : group.getBlock().getArgumentTypes())
    operands.push_back(BufferType::getDense(cast<RankedTensorType>(type)));
  AttentionOps ops = *attentionIn(group);
  tile::GpuAttention problem =
      readAttention(group, ops, operands).problem(precisionOf(request.device));
  problem.causal = isCausal(group, ops);
  tile::GpuAttentionPlan plan = tile::plan(problem, targetOf(request.device));
  if (llvm::errorToBool(
          tile::validate(problem, plan, targetOf(request.device))))
    return noChoice();
  codegen::StagePlan result;
  result.plan =
      codegen::toAttribute(group.getContext(), attentionStrategy.name, plan);
  return oneChoice(result, Time::ofMicroseconds(tile::estimateTime(
                               problem, plan, targetOf(request.device))));
}

static FailureOr<StageInfo> emitAttention(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  FlatGroup flat(group);
  std::optional<AttentionOps> ops = attentionIn(flat.get());
  if (!ops)
    return group.emitOpError() << "is no attention";
  Attention attention = readAttention(flat.get(), *ops, request.operands);
  auto plan = codegen::fromAttribute<tile::GpuAttentionPlan>(request.plan);
  tile::GpuAttention problem = attention.problem(precisionOf(request.device));
  if (llvm::Error error =
          tile::validate(problem, plan, targetOf(request.device)))
    return group.emitOpError() << llvm::toString(std::move(error));
  // What the softmax reads is all that follows the scores here.
  codegen::IndexedTensor logits;
  logits.value = ops->logits;
  FailureOr<codegen::Epilogue> between = codegen::Epilogue::create(
      ops->scores, ops->between, logits, request.operands);
  if (failed(between))
    return failure();
  return AttentionKernel(request, std::move(attention), std::move(*between))
      .emit();
}

/// All is addressed by strides, in 32 bits.
static bool canAddress(kernel::GroupOp, unsigned, BufferType type) {
  return isReached(type);
}

/// The rows of a block, of one head.
static kernel::TileAttr tileOf(kernel::GroupOp group, kernel::PlanAttr plan) {
  auto shape = cast<RankedTensorType>(group.getResult(0).getType()).getShape();
  SmallVector<int64_t> dims, sizes(shape.size() - 1, 1);
  llvm::append_range(dims, llvm::seq<int64_t>(0, sizes.size()));
  sizes.back() =
      std::min(codegen::fromAttribute<tile::GpuAttentionPlan>(plan).rows(),
               shape[sizes.size() - 1]);
  return kernel::TileAttr::get(group.getContext(), dims, sizes);
}

static constexpr codegen::WholeStages attentionStages{mayBeAttention, tileOf,
                                                      kernel::Level::Register};

const Strategy tenon::gpu::attentionStrategy{.name = "gpu_attention",
                                             .matches = isAttention,
                                             .plan = planAttention,
                                             .emit = emitAttention,
                                             .canAddress = canAddress,
                                             .wholeStages = &attentionStages};
