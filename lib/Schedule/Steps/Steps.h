//===- Steps.h - launches on threads or streams, and what waits -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what is left of stages once their barriers are gone: steps,
// each on some threads of a processor or on a stream of a GPU, that wait for
// what they read, and for what their bytes were used by:
//
//   thread 0:  --[ a ]--[ b ]----------[ d ]-->
//                  |                     ^
//   thread 1:      +--->[ c ]------------+
//
// A thread, or a stream, takes its steps one after the other.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_STEPS_STEPS_H
#define TENON_LIB_SCHEDULE_STEPS_STEPS_H

#include "lib/Schedule/Solution.h"
#include "llvm/ADT/ArrayRef.h"

namespace tenon::sched {

/// What begins as one: a launch, those of a unit, or those of a wave.
struct Step {
  std::vector<unsigned> launches;
  std::optional<unsigned> unit = {};
  unsigned first = 0;   ///< thread of a processor, or stream of a GPU
  unsigned threads = 1; ///< from the first on
  /// Steps before it that must be over, beside those that its threads had.
  std::vector<unsigned> waits = {};
  bool operator==(const Step &) const = default;
};
using Steps = std::vector<Step>;

/// Nanoseconds of a step alone, and the part of a GPU that it takes.
struct StepCost {
  int64_t time, part;
};
StepCost costOf(const Problem &problem, const Step &step);

/// Stages without their barriers, in order, and to which stage each step
/// belongs. On a processor the track whose operands lie on the lowest threads
/// has the lowest ones, so that chains stay where they are; a GPU has one
/// stream.
struct LaidOut {
  Steps steps;
  std::vector<unsigned> stageOf;
};
LaidOut layOut(const Problem &problem, const std::vector<Stage> &stages);

/// Which steps come before which, as launches do: direct ones that no others
/// imply, ascending. Needs steps in an order that edges allow.
std::vector<std::vector<unsigned>> stepEdges(const Problem &problem,
                                             llvm::ArrayRef<Step> steps);

/// For each launch, its step.
std::vector<unsigned> stepsOfLaunches(const Problem &problem,
                                      llvm::ArrayRef<Step> steps);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_STEPS_H
