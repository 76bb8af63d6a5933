//===- Kills.cpp - when registers are given back --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Control/Kills.h"

#include "mlir/Analysis/Liveness.h"

using namespace mlir;
using namespace tenon;

static bool isNumber(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

/// The values whose last use in a block is `op`, in the order of its operands
/// and results. `later`: those used behind it.
static SmallVector<Value> lastUses(Operation *op, DenseSet<Value> &later) {
  SmallVector<Value> dead;
  auto note = [&](Value value) {
    if (later.insert(value).second && !isNumber(value.getType()))
      dead.push_back(value);
  };
  llvm::for_each(op->getResults(), note);
  llvm::for_each(op->getOperands(), note);
  return dead;
}

static void killIn(Block &block, const LivenessBlockInfo &info) {
  DenseSet<Value> later(info.out().begin(), info.out().end());
  lastUses(block.getTerminator(), later);
  // A function that ends gives back all.
  bool isLast = isa<vm::ReturnOp>(block.getTerminator());
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(block.without_terminator()))) {
    SmallVector<Value> dead = lastUses(&op, later);
    bool isBehindAll = isLast && op.getNextNode() == block.getTerminator();
    if (dead.empty() || isBehindAll)
      continue;
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(&op);
    vm::CallOp::create(builder, op.getLoc(), TypeRange(),
                       builder.getStringAttr("kill"), dead, ArrayRef<int64_t>(),
                       ElementsAttr());
  }
}

void ctrl::killDeadValues(vm::FuncOp function) {
  Liveness liveness(function);
  for (Block &block : function.getBody())
    killIn(block, *liveness.getLiveness(&block));
}
