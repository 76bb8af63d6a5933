//===- Stages.h - what may run side by side behind an ideal -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_STAGES_H
#define TENON_LIB_SCHEDULE_STAGES_H

#include "lib/Schedule/Part.h"
#include "lib/Schedule/Solution.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tenon::sched {

/// How large stages may be. A unit counts as one launch of a component.
struct Limits {
  unsigned inComponent = 3; ///< launches that wait for each other
  unsigned components = 4;  ///< apart from each other
  unsigned inStage = 8;     ///< launches
};

/// Sets of a stage's launches that nothing in the stage ties to the others.
using Components = llvm::SmallVector<Mask, 8>;

/// A stage as the search keeps it.
struct Choice {
  int64_t time = INT64_MAX, peak = INT64_MAX;
  bool wave = false;
  struct Bin {
    Mask launches;
    unsigned threads;
  };
  llvm::SmallVector<Bin, 4> tracks;
  llvm::SmallVector<unsigned, 2> units = {}; ///< of the part
  bool exists() const { return !tracks.empty(); }
};

/// Components of a stage, and which units of the part run in it.
using StageFunction =
    llvm::function_ref<void(llvm::ArrayRef<Mask>, llvm::ArrayRef<unsigned>)>;

/// Calls the function with each stage that may follow an ideal, each once: one
/// launch or unit, or several components. Counts all sets looked at, and gives
/// up, false, once there are more than `most`.
bool forStages(const Part &part, Mask ideal, const Limits &limits,
               int64_t &count, int64_t most, StageFunction function);

/// The fastest way to run components behind an ideal below the cap, and of
/// several the one with the lowest peak: one launch on all threads, components
/// in tracks, launches as a wave; units count as one launch each. None if each
/// takes longer than `slowest` or needs too many bytes.
Choice cheapest(const Part &part, Mask ideal, llvm::ArrayRef<Mask> components,
                int64_t slowest, llvm::ArrayRef<unsigned> units = {});

/// The choice as a stage of the whole problem.
Stage stageOf(const Part &part, const Choice &choice);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STAGES_H
