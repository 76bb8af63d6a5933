//===- Slice.cpp - the part of a group that makes a result ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/Slice.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Roles.h"
#include "dialects/Kernel/Outline.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

static size_t countOps(kernel::GroupOp group) {
  return llvm::range_size(group.getBlock().without_terminator());
}

bool Slice::isWhole() const { return ops.size() == countOps(group); }

/// The operations that a value of a group depends on.
static llvm::DenseSet<Operation *> makersOf(Value value) {
  llvm::DenseSet<Operation *> makers;
  SmallVector<Value> work = {value};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (op && makers.insert(op).second)
      llvm::append_range(work, op->getOperands());
  }
  return makers;
}

static bool reduces(Operation *op) {
  return graph::roleOf(op) == graph::Role::Reduction;
}

/// A product that a sum adds up at once if nobody else needs it: its bits
/// depend on whether somebody does.
static bool feedsSum(Value value) {
  return llvm::any_of(value.getUsers(), reduces);
}

/// Whether a kernel of these operations sums as the group's does.
static bool keepsSums(const Slice &slice) {
  kernel::GroupOp group = slice.group;
  if (group.isStaged() || group.getNumResults() == 1)
    return true;
  if (group.getAnchor())
    return false;
  if (llvm::none_of(slice.ops, reduces))
    return true;
  auto yields = group.getBlock().getTerminator()->getOperands();
  return slice.isWhole() && llvm::none_of(yields, feedsSum);
}

static Slice wholeOf(kernel::GroupOp group) {
  Slice slice;
  slice.group = group;
  llvm::append_range(slice.results, llvm::seq(group->getNumResults()));
  llvm::append_range(slice.operands, llvm::seq(group->getNumOperands()));
  for (Operation &op : group.getBlock().without_terminator())
    slice.ops.push_back(&op);
  return slice;
}

std::optional<Slice> checkpoint::sliceOf(kernel::GroupOp group,
                                         unsigned result) {
  Block &block = group.getBlock();
  if (!block.getOps<graph::StepsOp>().empty())
    return std::nullopt;
  Slice slice;
  slice.group = group;
  slice.results = {result};
  auto makers = makersOf(block.getTerminator()->getOperand(result));
  llvm::DenseSet<Value> read;
  for (Operation &op : block.without_terminator())
    if (makers.contains(&op)) {
      slice.ops.push_back(&op);
      read.insert(op.operand_begin(), op.operand_end());
    }
  if (slice.ops.empty())
    return std::nullopt;
  if (!keepsSums(slice))
    return wholeOf(group);
  for (BlockArgument argument : block.getArguments())
    if (slice.isWhole() || read.contains(argument))
      slice.operands.push_back(argument.getArgNumber());
  return slice;
}

kernel::GroupOp checkpoint::cloneSlice(OpBuilder &builder, const Slice &slice,
                                       ValueRange operands) {
  kernel::GroupOp group = slice.group;
  Block &block = group.getBlock();
  SmallVector<Value> inputs, results;
  for (unsigned operand : slice.operands)
    inputs.push_back(block.getArgument(operand));
  for (unsigned result : slice.results)
    results.push_back(block.getTerminator()->getOperand(result));
  Location loc = builder.getFusedLoc({group->getLoc()},
                                     builder.getStringAttr("recomputed"));
  auto clone =
      kernel::createGroup(builder, loc, slice.ops, inputs, operands, results);
  if (slice.isWhole() && slice.results.size() == group->getNumResults())
    clone->setAttrs(group->getAttrDictionary());
  return clone;
}
