//===- Draw.h - steps as a picture ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws steps as one self-contained SVG: time goes across, each
// thread or stream is a row, each step a rectangle with its nodes, its time and
// its waits in a tooltip. Below are the bytes in use:
//
//   thread 0 |  a  ||   b   |      |  d  |
//   thread 1 |     |    c          |     |
//            +---------------------------+
//            |bytes in use  ^ peak       |
//            +---------------------------+--> us
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_DRAW_DRAW_H
#define TENON_LIB_SCHEDULE_DRAW_DRAW_H

#include "lib/Schedule/Steps/Simulate.h"

namespace tenon::sched {

/// When steps of stages begin and end, with a barrier behind each stage.
Timing timeStages(const Problem &problem, const std::vector<Stage> &stages,
                  const LaidOut &laid);

/// When something begins and ends, in nanoseconds.
struct Span {
  int64_t begin, end;
};

/// What a picture of steps may say beside them.
struct Remarks {
  /// Several steps may be parts of one launch, or threads wait for each other
  /// behind a wave: then these say when launches begin and end for memory.
  llvm::ArrayRef<Span> launches = {};
  std::string text = {}; ///< below the title
};

/// The picture of steps that run at those times. The same input gives the same
/// bytes.
std::string drawSteps(const Problem &problem, llvm::ArrayRef<Step> steps,
                      const Timing &timing, llvm::StringRef title,
                      const Remarks &remarks = {});

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_DRAW_DRAW_H
