//===- Simulate.h - when steps begin and end --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_STEPS_SIMULATE_H
#define TENON_LIB_SCHEDULE_STEPS_SIMULATE_H

#include "lib/Schedule/Steps/Steps.h"

namespace tenon::sched {

/// Nanoseconds until a thread learns what another one did.
inline constexpr int64_t travelTime = 150;

struct Timing {
  /// Of each step; shares of a step on other threads may begin later.
  std::vector<int64_t> begins, ends;
  int64_t time = 0;
};

/// Runs steps whose waits are all before them. On a processor each thread goes
/// through its steps, and begins its share of one when it is free and all
/// waits are over; the others of the step may be at something else. On a GPU
/// streams do, and running steps share the device like a fluid: as soon as
/// their parts are more than all of it, all slow down alike. A step that waits
/// for another stream begins a hop later.
Timing simulate(const Problem &problem, llvm::ArrayRef<Step> steps);

/// Steps in an order of their own, with what each waits for and what it costs.
struct Course {
  llvm::ArrayRef<Step> steps;
  llvm::ArrayRef<unsigned> order;
  llvm::ArrayRef<std::vector<unsigned>> waits;
  llvm::ArrayRef<StepCost> costs;
};
Timing simulate(const Problem &problem, const Course &course);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_SIMULATE_H
