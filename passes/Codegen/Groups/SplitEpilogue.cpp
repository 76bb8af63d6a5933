//===- SplitEpilogue.cpp - what cannot follow its anchor ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file undoes what fusion put behind an anchor that no strategy computes
// together with it.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/Outline.h"
#include "passes/Codegen/Planning.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;

/// A group of `ops`, which read what `outer` maps their operands to.
static kernel::GroupOp makeGroup(OpBuilder &builder, Location loc,
                                 ArrayRef<Operation *> ops, ValueRange results,
                                 const IRMapping &outer) {
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(ops, operand.getDefiningOp()))
        inputs.insert(operand);
  SmallVector<Value> operands;
  for (Value input : inputs)
    operands.push_back(outer.lookup(input));
  return kernel::createGroup(builder, loc, ops, inputs.getArrayRef(), operands,
                             results);
}

void codegen::splitEpilogue(kernel::GroupOp group, const Device &device) {
  Operation *anchor = group.getAnchor();
  Operation *yield = group.getBlock().getTerminator();
  bool isAlone = anchor && anchor->getNextNode() == yield;
  if (!anchor || isAlone || anchor->getNumResults() != 1 ||
      device.computes(group))
    return;
  SmallVector<Operation *> rest;
  for (Operation &op : group.getBlock().without_terminator())
    if (&op != anchor)
      rest.push_back(&op);
  OpBuilder builder(group);
  IRMapping outer;
  for (auto [argument, operand] :
       llvm::zip_equal(group.getBlock().getArguments(), group.getOperands_()))
    outer.map(argument, operand);
  kernel::GroupOp first = makeGroup(builder, anchor->getLoc(), {anchor},
                                    anchor->getResults(), outer);
  outer.map(anchor->getResult(0), first.getResult(0));
  kernel::GroupOp second =
      makeGroup(builder, group.getLoc(), rest, yield->getOperands(), outer);
  group->replaceAllUsesWith(second->getResults());
  group.erase();
}
