//===- CheckIndices.cpp - indices outside of what they pick from ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file refuses constants that are outside, and lets the kernels of other
// indices look at each.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Planning.h"

#include "dialects/Graph/Graph.h"
#include "lib/Interpreter/Indices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_CHECKINDICESPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;

/// What stands outside of the group for a value that its operations use, or
/// those of its stages.
static Value outsideOf(kernel::GroupOp group, Value value) {
  if (auto inner = dyn_cast<BlockArgument>(value))
    if (auto stage = dyn_cast<kernel::StageOp>(inner.getOwner()->getParentOp()))
      value = stage.getInputs()[inner.getArgNumber()];
  auto argument = dyn_cast<BlockArgument>(value);
  return argument
             ? codegen::viewRoot(group.getOperands_()[argument.getArgNumber()])
             : value;
}

static void addFaultWord(kernel::GroupOp group) {
  SmallVector<int64_t> scratch(
      group.getScratch().value_or(ArrayRef<int64_t>()));
  scratch.push_back(sizeof(int64_t));
  group.setScratch(scratch);
  group.setChecked(true);
}

namespace {
struct CheckIndices : codegen::impl::CheckIndicesPassBase<CheckIndices> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult walked = getOperation().walk([&](kernel::GroupOp group) {
      return group.walk([&](Operation *op) {
        return succeeded(check(group, op)) ? WalkResult::advance()
                                           : WalkResult::interrupt();
      });
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult check(kernel::GroupOp group, Operation *op) {
    std::optional<interp::Picks> picks = interp::picksOf(op);
    if (!picks || graph::isEmpty(op->getOperand(picks->operand).getType()))
      return success();
    if (picks->rows == 0)
      return op->emitError("has indices, but no rows to select from");
    Value indices = outsideOf(group, op->getOperand(picks->operand));
    auto constant = indices.getDefiningOp<graph::ConstantOp>();
    if (constant && picks->rows) {
      std::string why = interp::findOutside(constant.getValue(), *picks->rows);
      return why.empty() ? success() : LogicalResult(op->emitError(why));
    }
    if (!atRunTime || group.getChecked())
      return success();
    addFaultWord(group);
    ++numChecked;
    return success();
  }
};
} // namespace
