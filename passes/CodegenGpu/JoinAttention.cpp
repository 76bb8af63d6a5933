//===- JoinAttention.cpp - attention as one group -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-join-attention.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Contest.h"
#include "passes/CodegenGpu/Attention/Attention.h"
#include "passes/CodegenGpu/Passes.h"
#include "passes/CodegenGpu/Strategies.h"

#include "dialects/Kernel/Facts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::gpu {
#define GEN_PASS_DEF_JOINATTENTIONPASS
#include "passes/CodegenGpu/Passes.h.inc"
} // namespace tenon::gpu

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using kernel::GroupOp;

//===-- Finding -----------------------------------------------------------===//

static bool isProduct(GroupOp group) {
  return group.getNumResults() == 1 && isUnitProduct(group) &&
         isa<graph::MatmulOp>(group.getAnchor());
}

/// The group that computes `value` for one reader alone, if it has no other
/// result; null if there is none.
static GroupOp onlyFor(Value value) {
  auto group = value.getDefiningOp<GroupOp>();
  return group && group.getNumResults() == 1 && value.hasOneUse() ? group
                                                                  : GroupOp();
}

/// The product and the softmax before a product, and that: from its left
/// operand back to the product that has as many numbers. Empty if they are not
/// there.
static SmallVector<GroupOp> partsBefore(GroupOp context) {
  constexpr size_t most = 4;
  auto weights =
      cast<BlockArgument>(cast<graph::MatmulOp>(context.getAnchor()).getLhs());
  GroupOp group = onlyFor(context.getOperands_()[weights.getArgNumber()]);
  SmallVector<GroupOp> parts{context};
  while (group && parts.size() < most) {
    parts.push_back(group);
    if (isProduct(group)) {
      std::reverse(parts.begin(), parts.end());
      return parts;
    }
    auto shape =
        cast<RankedTensorType>(group.getResult(0).getType()).getShape();
    GroupOp before;
    for (Value operand : group.getOperands_())
      if (!before &&
          cast<RankedTensorType>(operand.getType()).getShape() == shape)
        before = onlyFor(operand);
    group = before;
  }
  return {};
}

//===-- Joining -----------------------------------------------------------===//

/// What was rounded to be stored, and widened behind that, need not be.
static void dropRounding(Value stored) {
  auto round = stored.getDefiningOp<graph::CastOp>();
  Type half = getElementTypeOrSelf(stored);
  if (!round || !(half.isF16() || half.isBF16()))
    return;
  for (Operation *user : llvm::make_early_inc_range(stored.getUsers())) {
    auto widen = dyn_cast<graph::CastOp>(user);
    if (!widen || widen.getType() != round.getInput().getType())
      continue;
    widen.getResult().replaceAllUsesWith(round.getInput());
    widen->erase();
  }
  if (round->use_empty())
    round->erase();
}

/// One that a kernel has in registers.
static graph::ConstantOp numberIn(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  auto elements =
      constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  return elements && elements.size() == 1 ? constant : nullptr;
}

/// One group of all, where the last one stands.
static GroupOp join(ArrayRef<GroupOp> parts) {
  OpBuilder b(parts.back());
  llvm::SetVector<Value> operands;
  SmallVector<Location> locations;
  for (GroupOp part : parts) {
    locations.push_back(part.getLoc());
    for (Value operand : part.getOperands_())
      if (!numberIn(operand) &&
          !llvm::is_contained(parts, operand.getDefiningOp<GroupOp>()))
        operands.insert(operand);
  }
  GroupOp last = parts.back();
  auto group = GroupOp::create(b, b.getFusedLoc(locations),
                               last->getResultTypes(), operands.getArrayRef());
  group.setStageAttr(last.getStageAttr());
  Block &body = group.getBody().emplaceBlock();
  IRMapping values;
  for (Value operand : operands)
    values.map(operand, body.addArgument(operand.getType(), operand.getLoc()));
  b.setInsertionPointToEnd(&body);
  for (GroupOp part : parts) {
    for (auto [argument, operand] :
         llvm::zip_equal(part.getBlock().getArguments(), part.getOperands_())) {
      if (graph::ConstantOp number = numberIn(operand))
        b.clone(*number, values);
      values.map(argument, values.lookup(operand));
    }
    for (Operation &op : part.getBlock().without_terminator())
      b.clone(op, values);
    Value result = part.getBlock().getTerminator()->getOperand(0);
    values.map(part.getResult(0), values.lookup(result));
  }
  kernel::YieldOp::create(b, group.getLoc(), values.lookup(last.getResult(0)));
  for (GroupOp part : parts.drop_back())
    dropRounding(values.lookup(part.getResult(0)));
  return group;
}

/// For reports.
static void keepFacts(ArrayRef<GroupOp> parts, GroupOp group) {
  kernel::FusionFacts facts = kernel::measure(group);
  facts.bytesBefore = 0;
  for (GroupOp part : parts) {
    auto own = kernel::factsOf(part);
    facts.bytesBefore += (own ? *own : kernel::measure(part)).bytesBefore;
  }
  kernel::setFacts(group, facts);
  auto function = group->getParentOfType<func::FuncOp>();
  llvm::StringSet<> names;
  for (Operation &op : group.getBlock().without_terminator())
    names.insert(kernel::nameOf(&op));
  SmallVector<kernel::UnfusedEdge> edges = kernel::unfusedOf(function);
  llvm::erase_if(edges, [&](const kernel::UnfusedEdge &edge) {
    return names.contains(edge.from) && names.contains(edge.to);
  });
  kernel::setUnfused(function, edges);
}

namespace {
struct JoinAttention : tenon::gpu::impl::JoinAttentionPassBase<JoinAttention> {
  using Base::Base;

  void runOnOperation() override {
    std::unique_ptr<codegen::Device> device = codegen::makeDevice(
        getOperation(), {target, threads, winograd, bf16x6, precision});
    if (!device)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (auto group : llvm::make_early_inc_range(function.getOps<GroupOp>()))
        if (isProduct(group) && failed(tryJoin(group, *device)))
          return signalPassFailure();
  }

  LogicalResult tryJoin(GroupOp context, const codegen::Device &device) {
    SmallVector<GroupOp> parts = partsBefore(context);
    if (parts.empty())
      return success();
    GroupOp group = join(parts);
    PlannedChoices own = noChoice();
    if (attentionStrategy.matches(group))
      own = attentionStrategy.plan({group, device, device.thread()});
    FailureOr<Time> apart = timeApart(parts, device);
    if (failed(own) || failed(apart))
      return failure();
    if (own->empty() || own->front().time >= *apart) {
      group->erase();
      return success();
    }
    keepFacts(parts, group);
    context.getResult(0).replaceAllUsesWith(group.getResult(0));
    for (GroupOp part : llvm::reverse(parts))
      part->erase();
    ++numJoined;
    return success();
  }

  FailureOr<Time> timeApart(ArrayRef<GroupOp> parts,
                            const codegen::Device &device) {
    Time time;
    codegen::Measuring none;
    for (GroupOp part : parts) {
      codegen::Contest contest(part, device, none);
      if (failed(device.enter(contest)))
        return failure();
      time += contest.decide().time;
    }
    return time;
  }
};
} // namespace
