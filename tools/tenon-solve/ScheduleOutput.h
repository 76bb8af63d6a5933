//===- ScheduleOutput.h - what tenon-solve schedule says --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_SCHEDULEOUTPUT_H
#define TENON_TOOLS_TENON_SOLVE_SCHEDULEOUTPUT_H

#include "lib/Schedule/Steps/Plan.h"

namespace tenon {

/// A problem with its plans, fastest first.
struct ScheduleResult {
  std::string name;
  const sched::Problem &problem;
  sched::Solution program; ///< one launch after the other
  std::vector<sched::Solution> solutions;
};

/// Times, bytes and stages of the only plan.
void printPlan(const ScheduleResult &result);

/// A line for each plan.
void printFront(const ScheduleResult &result);

void printJson(const ScheduleResult &result, bool isFront);

/// A problem with steps for it.
struct StepsResult {
  std::string name;
  const sched::Problem &problem;
  const sched::Plan &program; ///< one launch after the other
  const sched::Plan &plan;
};

/// Time, arena, and each step with its threads or stream and its waits.
void printSteps(const StepsResult &result);

void printJson(const StepsResult &result);

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_SCHEDULEOUTPUT_H
