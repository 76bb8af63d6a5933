//===- Moments.h - launches that run at one time ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a program of processors is scheduled as: moments one
// behind the other, each a launch or a wave. Whether a wave pays is asked again
// here, tile by tile; the search counts work alone.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_SCHEDULE_MOMENTS_H
#define TENON_PASSES_SCHEDULE_MOMENTS_H

#include "lib/Schedule/Solution.h"
#include "llvm/ADT/ArrayRef.h"

namespace tenon::schedule {

/// Launches of a problem, ascending; several are a wave.
using Moments = std::vector<std::vector<unsigned>>;

/// Each launch alone, in the order of the stages; those of one stage ascend.
Moments inTurn(llvm::ArrayRef<sched::Stage> stages);

/// The same, but for waves that are predicted to take at most 0.97 of what
/// their launches take one after the other.
Moments withWaves(const sched::Problem &problem,
                  llvm::ArrayRef<sched::Stage> stages);

/// What moments take, in nanoseconds: a wave until the last thread is done,
/// each of which takes the next tile when it is free, those that take longest
/// first.
int64_t timeOf(const sched::Problem &problem, const Moments &moments);

/// What one thread does of one launch in one go. Times in nanoseconds from the
/// begin.
struct Run {
  unsigned launch, thread;
  int64_t begin, end;
};

/// Moments as timeOf() expects them.
struct Course {
  std::vector<Run> runs;       ///< moment by moment
  std::vector<int64_t> begins; ///< of the moments, and the end of the last one
};
Course courseOf(const sched::Problem &problem, const Moments &moments);

/// The moments as stages of the problem.
std::vector<sched::Stage> stagesOf(const sched::Problem &problem,
                                   const Moments &moments);

} // namespace tenon::schedule

#endif // TENON_PASSES_SCHEDULE_MOMENTS_H
