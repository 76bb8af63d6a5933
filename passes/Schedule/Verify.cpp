//===- Verify.cpp - stages respect dependences ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::schedule {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "passes/Schedule/Passes.h.inc"
} // namespace tenon::schedule

using namespace mlir;
using namespace tenon;

/// The stage after which `value` exists, looking through views; -1 for inputs
/// and constants.
static int64_t readyStage(Value value) {
  while (Operation *producer = value.getDefiningOp()) {
    if (auto group = dyn_cast<kernel::GroupOp>(producer))
      return group.getStage().value_or(-1);
    if (producer->getNumOperands() == 0)
      return -1;
    value = producer->getOperand(0);
  }
  return -1;
}

static LogicalResult verifyStage(kernel::GroupOp group) {
  if (!group.getStage())
    return group.emitOpError("has no stage");
  for (Value operand : group.getOperands_())
    if (readyStage(operand) >= int64_t(*group.getStage()))
      return group.emitOpError("of stage ")
             << *group.getStage() << " reads a value of stage "
             << readyStage(operand);
  return success();
}

namespace {
struct VerifySchedule : schedule::impl::VerifySchedulePassBase<VerifySchedule> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (auto group : function.getOps<kernel::GroupOp>())
        if (failed(verifyStage(group)))
          return signalPassFailure();
  }
};
} // namespace
