//===- Passes.td - in what order launches run --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_SCHEDULE
#define TENON_PASSES_SCHEDULE

include "mlir/Pass/PassBase.td"

def ScheduleLaunchesPass : Pass<"tenon-schedule-launches", "::mlir::ModuleOp"> {
  let summary = "decide in which order launches run, and which share a wave";
  let description = [{
    Launches take the order that keeps least alive, where its arena is smaller than
    that of the order they have. On several threads, launches that do not need each
    other become a wave where that is predicted to end sooner and fits: below `cap`,
    or within 1.3 times the arena, for each of the `members` of an ensemble. Programs
    with states, symbols or streams stay as they are. Fails where no arena is as
    small as `cap`.

    On a `device` launches go to streams, and those that do not need each other
    become waves of one kernel (tenon-form-waves), where that is predicted to end
    sooner; each then has a `stream`, `waits` for those of other streams whose data
    or bytes it uses, and allocations have the offsets that this was planned for.

    ```mlir
    kernel.launch @a writes(%a)             // a
    kernel.launch @b writes(%b)             // b: read last of all
    kernel.launch @c reads(%a) writes(%c)   // c
    // becomes a, c, b; or a, then b and c with `wave = 0`
    ```
  }];
  let options = [
    Option<"threads", "threads", "unsigned", "1", "that launches run on">,
    Option<"device", "device", "std::string", "\"\"", "a row of the table of GPUs; empty: processors">,
    Option<"streams", "streams", "unsigned", "1", "of a device, at most">,
    Option<"waves", "waves", "bool", "false", "whether launches may share a wave">,
    Option<"cap", "cap", "int64_t", "-1", "bytes that an arena may have; -1: any">,
    Option<"members", "members", "unsigned", "1", "models that the program computes">,
    Option<"details", "details", "bool", "false",
      "note for reports when each launch of a device runs, and which other plans there are">];
  let statistics = [Statistic<"numMoved", "moved", "launches in another place">,
                    Statistic<"numWaves", "waves", "waves of several launches">,
                    Statistic<"numStreams", "streams", "streams of programs that have several">,
                    Statistic<"numWaits", "waits", "launches of other streams that are waited for">];
}

#endif // TENON_PASSES_SCHEDULE
