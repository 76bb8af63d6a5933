//===- Plan.h - the best steps of many --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_STEPS_PLAN_H
#define TENON_LIB_SCHEDULE_STEPS_PLAN_H

#include "lib/Schedule/Solve.h"
#include "lib/Schedule/Steps/Simulate.h"

namespace tenon::sched {

/// Steps with all that they wait for, and where tensors lie.
struct Plan {
  std::string name; ///< how its steps came about
  Steps steps;
  std::vector<int64_t> offsets; ///< bytes, one for each tensor
  int64_t arena = 0;            ///< bytes
  int64_t time = 0;             ///< nanoseconds, simulated
};

struct PlanOptions {
  Options search;
  /// Without a cap, the arena is at most so much of that of the program's
  /// order, in percent.
  int64_t mostArena = 130;
  int64_t placementWork = 5'000'000;  ///< as in mem::Options, for each arena
  unsigned moves = 8000;              ///< changes to try, of up to 200 steps
  unsigned mostStreams = mostThreads; ///< of a GPU
  /// Steps that a caller has found in another way. They hold each launch once,
  /// in an order in which they may run.
  std::vector<Steps> given = {};
};

/// Launches one after the other, on all threads or one stream.
Plan programPlan(const Problem &problem, const PlanOptions &options = {});

/// The fastest by the simulator, below the cap: the order of the program, waves
/// level by level, the stages of solve(), lists, launches and waves on the
/// fewest chains, and what moves make of the best of them. Memory is planned
/// as if stages had barriers; steps then wait for data and common bytes only.
/// Never slower than the order of the program where that fits. Errors are
/// those of solve().
llvm::Expected<Plan> plan(const Problem &problem,
                          const PlanOptions &options = {});

/// Proves a plan: validateWaits(), the arena holds all tensors and is below the
/// cap, the time is what the simulator says.
llvm::Error validate(const Problem &problem, const Plan &plan);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_PLAN_H
