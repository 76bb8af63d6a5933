//===- Exhaustive.h - all stages of a few launches --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_EXHAUSTIVE_H
#define TENON_LIB_SCHEDULE_EXHAUSTIVE_H

#include "lib/Schedule/Solution.h"

namespace tenon::sched {

/// Tries all sequences of stages: each way to put launches into tracks, in the
/// order of the program, each number of threads, each wave. Returns the front
/// of time and peak, fastest first, whatever the cap. For tests: up to 6
/// launches. Shares nothing with the search.
std::vector<Solution> solveExhaustively(const Problem &problem);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_EXHAUSTIVE_H
