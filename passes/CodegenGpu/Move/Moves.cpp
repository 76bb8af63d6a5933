//===- Moves.cpp - the strategy of what only moves ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Size.h"
#include "passes/Codegen/Groups/MoveGroup.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/CodegenGpu/Move/MoveKernel.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static constexpr int64_t usualThreads = 256, mostThreads = 1024;

/// Of known sizes, which 32-bit numbers count.
static bool isCounted(Type type) {
  constexpr int64_t most = int64_t(1) << 31;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() < most;
}

static bool isMove(kernel::GroupOp group) {
  if (group.isStaged() || codegen::moveKind(group) != codegen::MoveKind::Copy)
    return false;
  Operation *op = &group.getBlock().front();
  if (!isa<graph::ConcatOp, graph::PadOp, graph::GatherOp,
           graph::GatherElementsOp, graph::ReshapeOp>(op) ||
      !llvm::equal(group.getBlock().getTerminator()->getOperands(),
                   op->getResults()))
    return false;
  if (!llvm::all_of(op->getOperandTypes(), isCounted) ||
      !isCounted(op->getResult(0).getType()))
    return false;
  // Parts of a concatenation may be empty; nothing is picked from nothing.
  auto isEmpty = [](Type type) { return graph::isEmpty(type); };
  return !isEmpty(op->getResult(0).getType()) &&
         (isa<graph::ConcatOp>(op) ||
          llvm::none_of(op->getOperandTypes(), isEmpty));
}

/// Small blocks where there are few vectors, so that all processors have some.
static int64_t blockThreads(int64_t vectors, const tile::GpuTarget &target) {
  int64_t threads = usualThreads;
  while (threads > tile::warpLanes && vectors < threads * target.processors)
    threads /= 2;
  return threads;
}

static PlannedChoices planMoves(const PlanRequest &request) {
  constexpr int64_t vectorBytes = 16;
  kernel::GroupOp group = request.group;
  Type result = group.getResultTypes().front();
  int64_t bytes = graph::tensorBytes(result).value_or(0);
  MovePlan plan{blockThreads(bytes / vectorBytes, targetOf(request.device))};
  codegen::StagePlan stage;
  stage.plan =
      codegen::toAttribute(group.getContext(), movesStrategy.name, plan);
  return oneChoice(
      stage, Time::ofMicroseconds(tile::shortestKernel +
                                  2 * double(bytes) /
                                      targetOf(request.device).memoryBytes));
}

/// The operation on its buffers.
static codegen::Move moveOf(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *op = &group.getBlock().front();
  codegen::Move move{request.b, op, {}, {}, {}, {}};
  auto numOperands = unsigned(request.operands.size());
  for (Value operand : op->getOperands()) {
    unsigned number = cast<BlockArgument>(operand).getArgNumber();
    move.types.push_back(request.operands[number]);
    move.buffers.push_back(number);
  }
  move.types.push_back(request.results.front());
  move.buffers.push_back(numOperands);
  if (group.getChecked())
    move.fault = request.b.buffer(numOperands + 1);
  return move;
}

static FailureOr<StageInfo> emitMoves(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  auto plan = codegen::fromAttribute<MovePlan>(request.plan);
  if (plan.threads < tile::warpLanes || plan.threads > mostThreads ||
      !isMove(group))
    return group.emitOpError() << "has a plan for other moves";
  return MoveKernel(request, moveOf(request), plan).emit();
}

/// All is addressed by strides, but what a reshape cuts otherwise.
static bool canAddress(kernel::GroupOp group, unsigned, BufferType type) {
  return !isa<graph::ReshapeOp>(group.getBlock().front()) || type.isDense();
}

const Strategy tenon::gpu::movesStrategy{"gpu_moves", isMove, planMoves,
                                         emitMoves, canAddress};
