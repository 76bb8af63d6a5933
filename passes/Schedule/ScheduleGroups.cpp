//===- ScheduleGroups.cpp - number the groups in launch order -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::schedule {
#define GEN_PASS_DEF_SCHEDULEGROUPSPASS
#include "passes/Schedule/Passes.h.inc"
} // namespace tenon::schedule

using namespace mlir;
using namespace tenon;

namespace {
struct ScheduleGroups : schedule::impl::ScheduleGroupsPassBase<ScheduleGroups> {
  void runOnOperation() override {
    Builder builder(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      int64_t stage = 0;
      for (auto group : function.getOps<kernel::GroupOp>())
        group.setStageAttr(builder.getI64IntegerAttr(stage++));
      numStages += stage;
    }
  }
};
} // namespace
