//===- DeviceSchedule.h - launches of a GPU side by side --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_SCHEDULE_DEVICESCHEDULE_H
#define TENON_PASSES_SCHEDULE_DEVICESCHEDULE_H

#include "dialects/Kernel/ScheduleFacts.h"
#include "lib/Schedule/Front.h"
#include "lib/Schedule/Steps/Plan.h"
#include "passes/Schedule/LaunchProblem.h"

namespace tenon::schedule {

/// What launches of a GPU may do beside following each other.
struct Beside {
  bool waves = true;
  unsigned streams = sched::mostThreads; ///< at most
};

/// What an arena may become where no cap says it: three tenths more, or as much
/// as the members of an ensemble would take apart.
int64_t mostArena(int64_t bytes, unsigned members = 1);

/// The fastest plan for launches of a GPU below a cap, proven; none if nothing
/// is worth its while, or fits.
std::optional<sched::Plan> planDevice(const sched::Problem &problem,
                                      int64_t cap, const Beside &beside);

/// Time against the arena, of what may be done below a cap and lower ones.
std::vector<sched::FrontPoint> deviceFront(const sched::Problem &problem,
                                           int64_t cap, const Beside &beside);

/// What pictures show of all plans below the cap.
kernel::ScheduleDetails frontDetails(const sched::Problem &problem, int64_t cap,
                                     const Beside &beside);

/// What pictures show of a plan and others below the cap.
kernel::ScheduleDetails detailsOf(const sched::Problem &problem,
                                  const sched::Plan &plan, int64_t cap,
                                  const Beside &beside);

/// What a report says of a plan, but for details.
kernel::ScheduleFacts factsOf(const sched::Problem &problem,
                              const sched::Plan &plan);

/// Brings launches into the order of a plan's steps and writes down their
/// waves, streams and waits, and where what they use lies. A wave waits as its
/// first launch does.
void apply(mlir::func::FuncOp main, const DeviceProblem &device,
           const sched::Plan &plan);

} // namespace tenon::schedule

#endif // TENON_PASSES_SCHEDULE_DEVICESCHEDULE_H
