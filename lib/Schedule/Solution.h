//===- Solution.h - stages of launches --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what an answer is, what it takes and what it keeps in
// memory. Stages follow each other; what is in one runs side by side:
//
//   sequential   one track            sum of its launches
//   tracks       several, each on     the slowest track + a join
//                its own threads
//   wave         independent launches max(work of all / threads,
//                over all threads     longest tile) * imbalance + a join
//   wave         independent launches max(longest, sum of times * parts)
//                on a GPU
//
// Nothing in a track waits for another track of its stage. A GPU has stages of
// one launch or unit, and waves.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_SOLUTION_H
#define TENON_LIB_SCHEDULE_SOLUTION_H

#include "lib/Schedule/Problem.h"

namespace tenon::sched {

/// Launches one after the other on some threads.
struct Track {
  unsigned threads = 1;
  std::vector<unsigned> launches;
  std::vector<unsigned> units = {}; ///< each with its launches in a row
  bool operator==(const Track &) const = default;
};

/// What a track does at a time: a launch, or the launches of a unit.
struct TrackItem {
  std::vector<unsigned> launches;
  std::optional<unsigned> unit = {};
};
std::vector<TrackItem> itemsOf(const Problem &problem, const Track &track);

struct Stage {
  /// All threads take tiles of all launches: one launch in each track, whose
  /// `threads` are the device's.
  bool wave = false;
  std::vector<Track> tracks;
  bool operator==(const Stage &) const = default;
};

struct Solution {
  std::vector<Stage> stages = {};
  int64_t time = 0; ///< nanoseconds
  int64_t peak = 0; ///< bytes in use at once
  bool operator==(const Solution &) const = default;

  /// How it came about. All parts of a problem are searched on their own.
  struct Statistics {
    int64_t parts = 0, states = 0, transitions = 0;
    /// Whether it is the fastest of all with tracks and stages within the
    /// search's limits.
    bool exact = false;
    bool operator==(const Statistics &) const = default;
  } statistics = {};
};

/// What a stage takes.
int64_t timeOf(const Problem &problem, const Stage &stage);

/// What stages take and keep, from the definition: lives are places in stages
/// and tracks. Each launch of the problem must be in one track.
struct Measures {
  int64_t time = 0, peak = 0;
  size_t peakStage = 0; ///< the first one with the peak
};
Measures measure(const Problem &problem, const std::vector<Stage> &stages);

/// Proves a solution: each launch is in one track, everything that must come
/// before it is in an earlier stage or before it in its track; a unit's
/// launches stand in a row; threads suffice; a wave's launches may share one
/// and do not wait for each other; time and peak are as stated; the peak is
/// below the cap. Uses nothing that solvers use.
llvm::Error validate(const Problem &problem, const Solution &solution);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_SOLUTION_H
