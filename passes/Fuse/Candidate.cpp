//===- Candidate.cpp - groups as stages of one kernel ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Candidate.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "passes/Codegen/Planning.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

/// Whether somebody else reads what a member computes. A clone stays outside,
/// too, as long as others read it there, and needs what it reads.
static bool isReadOutside(const Members &members, size_t index) {
  kernel::GroupOp group = members.groups[index];
  return llvm::any_of(group.getResult(0).getUsers(), [&](Operation *user) {
    if (llvm::is_contained(members.leaving, user))
      return false;
    auto reader = llvm::find(members.groups, user);
    if (reader == members.groups.end())
      return true;
    size_t at = reader - members.groups.begin();
    return members.clones[at] && isReadOutside(members, at);
  });
}

static bool isLiveOut(const Members &members, size_t index) {
  return !members.clones[index] && isReadOutside(members, index);
}

static SmallVector<Value> liveOuts(const Members &members) {
  SmallVector<Value> values;
  for (size_t i = 0; i < members.groups.size(); ++i)
    if (kernel::GroupOp group = members.groups[i]; isLiveOut(members, i))
      values.push_back(group.getResult(0));
  return values;
}

static llvm::SetVector<Value> liveIns(const Members &members) {
  llvm::SetVector<Value> values;
  for (kernel::GroupOp group : members.groups)
    for (Value operand : group.getOperands_()) {
      auto producer = operand.getDefiningOp<kernel::GroupOp>();
      if (!producer || !members.contain(producer))
        values.insert(operand);
    }
  return values;
}

bool fuse::readThroughViews(const Members &members) {
  return llvm::any_of(liveIns(members), [&](Value value) {
    auto producer = codegen::viewRoot(value).getDefiningOp<kernel::GroupOp>();
    return producer && members.contain(producer);
  });
}

int64_t fuse::trafficOf(const Members &members) {
  int64_t bytes = 0;
  for (Value value : liveIns(members))
    bytes += graph::tensorBytes(value.getType()).value_or(0);
  for (Value value : liveOuts(members))
    bytes += graph::tensorBytes(value.getType()).value_or(0);
  return bytes;
}

/// Whether operations read an argument at other places than each other. Rows
/// are read as wholes by what reduces them, and so by what is computed of them.
static bool isReadInWays(BlockArgument argument) {
  return !argument.hasOneUse() &&
         !llvm::all_of(argument.getUsers(), [](Operation *user) {
           graph::Role role = graph::roleOf(user);
           return role == graph::Role::Pointwise ||
                  role == graph::Role::Reduction;
         });
}

/// Gives each use of such an argument of a stage an argument of its own.
static void separateUses(kernel::StageOp stage) {
  Block &block = stage.getBlock();
  for (unsigned i = 0, count = block.getNumArguments(); i < count; ++i) {
    BlockArgument argument = block.getArgument(i);
    if (!isReadInWays(argument))
      continue;
    Value input = stage.getInputs()[i];
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(argument.getUses()))) {
      stage.getInputsMutable().append(input);
      use.set(block.addArgument(argument.getType(), argument.getLoc()));
    }
  }
}

/// A member as a stage. `outer` knows where its operands are.
static void addStage(OpBuilder &b, kernel::GroupOp group, IRMapping &outer) {
  SmallVector<Value> inputs;
  for (Value operand : group.getOperands_())
    inputs.push_back(outer.lookup(operand));
  auto stage = kernel::StageOp::create(
      b, group.getLoc(), group.getResult(0).getType(), inputs,
      kernel::LevelAttr(), kernel::PlanAttr(), DenseI64ArrayAttr());
  IRMapping inner;
  group.getBody().cloneInto(&stage.getBody(), inner);
  separateUses(stage);
  outer.map(group.getResult(0), stage.getResult());
}

/// A constant that is one number; null for all other values.
static graph::ConstantOp numberIn(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  auto elements =
      constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  return elements && elements.size() == 1 ? constant : graph::ConstantOp();
}

/// Gives a stage the number that some of its inputs are.
static void sinkInto(kernel::StageOp stage, Value outer,
                     graph::ConstantOp number) {
  Block &block = stage.getBlock();
  for (unsigned i = block.getNumArguments(); i-- > 0;) {
    if (stage.getInputs()[i] != outer)
      continue;
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    Value own = b.clone(*number)->getResult(0);
    block.getArgument(i).replaceAllUsesWith(own);
    block.eraseArgument(i);
    stage.getInputsMutable().erase(i);
  }
}

/// Makes operands that are numbers a part of the stages that read them.
static void sinkNumbers(kernel::GroupOp staged) {
  Block &block = staged.getBlock();
  for (unsigned i = block.getNumArguments(); i-- > 0;) {
    graph::ConstantOp number = numberIn(staged.getOperands_()[i]);
    if (!number)
      continue;
    for (auto stage : block.getOps<kernel::StageOp>())
      sinkInto(stage, block.getArgument(i), number);
    block.eraseArgument(i);
    staged.getOperands_Mutable().erase(i);
  }
}

kernel::GroupOp fuse::createStaged(const Members &members,
                                   const codegen::Device &device) {
  SmallVector<Location> locations;
  for (kernel::GroupOp group : members.groups)
    locations.push_back(group.getLoc());
  Block *block = members.groups.front()->getBlock();
  OpBuilder b(block->getTerminator());
  llvm::SetVector<Value> inputs = liveIns(members);
  SmallVector<Value> outputs = liveOuts(members);
  auto staged = kernel::GroupOp::create(b, b.getFusedLoc(locations),
                                        ValueRange(outputs).getTypes(),
                                        inputs.getArrayRef());
  Block *body = &staged.getBody().emplaceBlock();
  IRMapping outer;
  for (Value input : inputs)
    outer.map(input, body->addArgument(input.getType(), input.getLoc()));
  b.setInsertionPointToEnd(body);
  for (kernel::GroupOp group : members.groups)
    addStage(b, group, outer);
  SmallVector<Value> yields;
  for (Value output : outputs)
    yields.push_back(outer.lookup(output));
  kernel::YieldOp::create(b, staged.getLoc(), yields);
  if (!device.tilesStages())
    sinkNumbers(staged);
  return staged;
}

void fuse::setLevels(kernel::GroupOp staged, kernel::Level between) {
  Operation *yield = staged.getBlock().getTerminator();
  for (auto stage : staged.getBlock().getOps<kernel::StageOp>()) {
    bool leaves = llvm::is_contained(yield->getOperands(), stage.getResult());
    stage.setLevel(leaves ? kernel::Level::Memory : between);
  }
}

void fuse::replaceMembers(const Members &members, kernel::GroupOp staged) {
  SmallVector<Value> outputs = liveOuts(members);
  staged->moveBefore(members.groups.back());
  for (auto [output, result] : llvm::zip_equal(outputs, staged.getResults()))
    output.replaceAllUsesWith(result);
  for (size_t i = members.groups.size(); i-- > 0;)
    if (kernel::GroupOp group = members.groups[i];
        !members.clones[i] || group.use_empty())
      group.erase();
}
