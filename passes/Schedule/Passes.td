//===- Passes.td - in what order groups run ----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_SCHEDULE
#define TENON_PASSES_SCHEDULE

include "mlir/Pass/PassBase.td"

def ScheduleGroupsPass : Pass<"tenon-schedule-groups", "::mlir::ModuleOp"> {
  let summary = "number the groups in launch order";
  let description = [{
    Gives each group its `stage`. Groups of one stage may run at the same time; the
    sequential schedule has one group per stage, in program order.

    ```mlir
    kernel.group(%x) : ...
    // becomes
    kernel.group(%x) {stage = 0 : i64} : ...
    ```
  }];
  let statistics = [Statistic<"numStages", "stages", "stages made">];
}

def VerifySchedulePass : Pass<"tenon-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "check that stages exist and respect dependences";
  let description = [{
    Every group has a stage, later than the stages of the groups it reads from.

    ```mlir
    kernel.group(%x) : ...   // error: has no stage
    ```
  }];
}

#endif // TENON_PASSES_SCHEDULE
