//===- FlatGroup.cpp - stages as one block of operations ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Attention/FlatGroup.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

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

/// The operands of the group, constants as they are, in a function of `module`.
static SmallVector<Value> addFunction(OpBuilder &b, ModuleOp module,
                                      kernel::GroupOp staged) {
  b.setInsertionPointToEnd(module.getBody());
  auto function =
      func::FuncOp::create(b, module.getLoc(), "flat",
                           b.getFunctionType(staged->getOperandTypes(), {}));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  SmallVector<Value> operands(entry->getArguments());
  for (auto [operand, outer] : llvm::zip_equal(operands, staged.getOperands_()))
    if (auto constant = outer.getDefiningOp<graph::ConstantOp>())
      operand = b.clone(*constant)->getResult(0);
  return operands;
}

FlatGroup::FlatGroup(kernel::GroupOp staged)
    : module(ModuleOp::create(staged.getLoc())) {
  OpBuilder b(staged.getContext());
  SmallVector<Value> operands = addFunction(b, *module, staged);
  flat = kernel::GroupOp::create(b, staged.getLoc(), staged->getResultTypes(),
                                 operands);
  flat->setAttrs(staged->getAttrDictionary());
  flat.removeTileAttr();
  Block &body = flat.getBody().emplaceBlock();
  b.setInsertionPointToEnd(&body);
  IRMapping values;
  for (BlockArgument argument : staged.getBlock().getArguments())
    values.map(argument,
               body.addArgument(argument.getType(), argument.getLoc()));
  for (auto stage : staged.getBlock().getOps<kernel::StageOp>()) {
    for (auto [argument, input] :
         llvm::zip_equal(stage.getBlock().getArguments(), stage.getInputs()))
      values.map(argument, values.lookup(input));
    for (Operation &op : stage.getBlock().without_terminator())
      b.clone(op, values);
    Value yielded = stage.getBlock().getTerminator()->getOperand(0);
    values.map(stage.getResult(), values.lookup(yielded));
  }
  SmallVector<Value> results;
  for (Value yielded : staged.getBlock().getTerminator()->getOperands())
    results.push_back(values.lookup(yielded));
  kernel::YieldOp::create(b, staged.getLoc(), results);
  for (auto stage : staged.getBlock().getOps<kernel::StageOp>())
    if (!llvm::is_contained(results, values.lookup(stage.getResult())))
      dropRounding(values.lookup(stage.getResult()));
}
