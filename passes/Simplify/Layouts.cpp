//===- Layouts.cpp - which operations care where channels stand -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file classifies operations by what they can do with channels last.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Layouts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

SmallVector<int64_t> simplify::channelsLast(int64_t rank) {
  SmallVector<int64_t> order = {0};
  llvm::append_range(order, llvm::seq<int64_t>(2, rank));
  order.push_back(1);
  return order;
}

SmallVector<int64_t> simplify::channelsFirst(int64_t rank) {
  SmallVector<int64_t> order = {0, rank - 1};
  llvm::append_range(order, llvm::seq<int64_t>(1, rank - 1));
  return order;
}

bool simplify::isImage(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 3 && type.getRank() <= 5;
}

static LayoutRole roleOf(LayoutKind kind) {
  LayoutRole role;
  role.kind = kind;
  return role;
}

/// Without the reduced dimensions, the rest of a channels-last image may be
/// channels last too, or in the model's order, or neither.
static LayoutRole reduceRole(Operation *op, ArrayRef<int64_t> axes,
                             bool keepDims) {
  if (!isImage(op->getOperand(0)))
    return {};
  LayoutRole role = roleOf(LayoutKind::Either);
  if (keepDims)
    return role;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<int64_t> rest;
  for (int64_t dim : channelsLast(type.getRank()))
    if (!llvm::is_contained(axes, dim))
      rest.push_back(
          dim - llvm::count_if(axes, [&](int64_t axis) { return axis < dim; }));
  role.resultFollows = false;
  if (llvm::is_sorted(rest))
    return role;
  int64_t rank = rest.size();
  role.resultFollows = true;
  return rank >= 3 && rest == channelsLast(rank) ? role : LayoutRole();
}

static LayoutRole transposeRole(TransposeOp op) {
  if (!isImage(op.getInput()))
    return {};
  ArrayRef<int64_t> order = op.getPermutation();
  bool toLast = order == ArrayRef(channelsLast(order.size()));
  bool toFirst = order == ArrayRef(channelsFirst(order.size()));
  // In rank 3 both are the same; then what made the operand decides.
  if (toLast && toFirst) {
    Operation *producer = op.getInput().getDefiningOp();
    toLast = producer && !isa<TransposeOp>(producer) &&
             layoutRole(producer).kind != LayoutKind::Fixed;
  }
  return toLast    ? roleOf(LayoutKind::MovesToLast)
         : toFirst ? roleOf(LayoutKind::MovesToFirst)
                   : LayoutRole();
}

/// A reshape that only rearranges the spatial dimensions.
static bool keepsChannels(ReshapeOp op) {
  if (!isImage(op.getInput()) || !isImage(op.getResult()))
    return false;
  Dims from = dimsOf(op.getInput()), to = dimsOf(op.getResult());
  return from[0] && from[1] && from[0] == to[0] && from[1] == to[1];
}

static LayoutRole reshapeRole(ReshapeOp op) {
  if (Operation *outer = channelShuffleOf(op)) {
    LayoutRole role;
    role.kind = outer == op ? LayoutKind::Either : LayoutKind::Inner;
    role.outer = outer;
    if (outer == op) {
      auto swap = op.getInput().getDefiningOp<TransposeOp>();
      role.inputs = {swap.getInput().getDefiningOp<ReshapeOp>().getInput()};
    }
    return role;
  }
  return roleOf(keepsChannels(op) ? LayoutKind::Either : LayoutKind::Fixed);
}

LayoutRole simplify::layoutRole(Operation *op) {
  if (op->getNumResults() != 1 || !isa<TensorOpInterface>(op))
    return {};
  bool image = isImage(op->getResult(0));
  auto either = [&](bool can = true) {
    return image && can ? roleOf(LayoutKind::Either) : LayoutRole();
  };
  return llvm::TypeSwitch<Operation *, LayoutRole>(op)
      .Case<ConvOp, ConvTransposeOp, MaxPoolOp, AvgPoolOp, LrnOp>(
          [&](auto windowed) {
            // Channels that stand last already stay where they are.
            return image && windowed.getLayout() == Layout::NCHW
                       ? roleOf(LayoutKind::Last)
                       : LayoutRole();
          })
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp>(
          [&](auto reduce) {
            return reduceRole(op, reduce.getAxes(), reduce.getKeepDims());
          })
      .Case<ArgMaxOp, ArgMinOp>([&](auto arg) {
        return reduceRole(op, {static_cast<int64_t>(arg.getAxis())},
                          arg.getKeepDims());
      })
      .Case([&](TransposeOp transpose) {
        if (Operation *outer = channelShuffleOf(op)) {
          LayoutRole role = roleOf(LayoutKind::Inner);
          role.outer = outer;
          return role;
        }
        return transposeRole(transpose);
      })
      .Case([](ReshapeOp reshape) { return reshapeRole(reshape); })
      .Case<SoftmaxOp, ConcatOp, SliceOp, PadOp, BroadcastOp, ResizeOp>(
          [&](auto) { return either(); })
      .Default(
          [&](Operation *) { return either(op->hasTrait<Elementwise>()); });
}

//===-- Channel shuffles --------------------------------------------------===//

/// Whether `merge` ends [N, C, S...] -> [N, g, k, S...] -> [N, k, g, S...] ->
/// [N, C, S...].
static bool endsShuffle(ReshapeOp merge) {
  auto swap = merge.getInput().getDefiningOp<TransposeOp>();
  if (!swap || !swap->hasOneUse() || !isImage(merge.getResult()))
    return false;
  auto split = swap.getInput().getDefiningOp<ReshapeOp>();
  if (!split || !split->hasOneUse() ||
      split.getInput().getType() != merge.getType())
    return false;
  auto middle = swap.getInput().getType();
  int64_t rank = merge.getType().getRank();
  if (middle.getRank() != rank + 1 || rank > 4)
    return false;
  SmallVector<int64_t> order = {0, 2, 1};
  llvm::append_range(order, llvm::seq<int64_t>(3, rank + 1));
  Dims outer = dimsOf(merge.getType()), inner = dimsOf(middle);
  return swap.getPermutation() == ArrayRef(order) && outer[0] == inner[0] &&
         ArrayRef(outer).drop_front(2) == ArrayRef(inner).drop_front(3);
}

/// The only user of an operation, or null.
static Operation *onlyUser(Operation *op) {
  return op->hasOneUse() ? *op->user_begin() : nullptr;
}

Operation *simplify::channelShuffleOf(Operation *op) {
  for (Operation *at = op; at; at = onlyUser(at)) {
    auto reshape = dyn_cast<ReshapeOp>(at);
    if (reshape && endsShuffle(reshape))
      return at == op || onlyUser(op) == at ||
                     (isa<ReshapeOp>(op) && isa<TransposeOp>(onlyUser(op)))
                 ? at
                 : nullptr;
    if (!isa<ReshapeOp, TransposeOp>(at) || (at != op && reshape))
      return nullptr;
  }
  return nullptr;
}
