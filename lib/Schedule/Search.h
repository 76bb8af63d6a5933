//===- Search.h - the best stages of a part ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the searches over the ideals of a part:
//
//   best[I + S] = min(best[I] + time(S))  over stages S with peak(I, S) <= cap
//
// What is in use behind an ideal depends on the ideal alone, so a cap leaves
// this exact. Ideals are visited layer by layer (a dynamic programme), or by
// the least time that may be reached through them (A*), which visits fewer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_SEARCH_H
#define TENON_LIB_SCHEDULE_SEARCH_H

#include "lib/Schedule/Stages.h"

namespace tenon::sched {

struct SearchOptions {
  enum Kind {
    Layers, ///< all ideals, by their number of launches
    Best,   ///< A*
    Beam,   ///< layers, of each the `beam` most promising ideals
  } kind = Best;
  Limits limits;
  size_t beam = 100;
  int64_t states = 50'000;         ///< ideals at most
  int64_t transitions = 5'000'000; ///< sets looked at, at most: of all parts
};

struct PartSolution {
  std::vector<Stage> stages;
  int64_t time = 0, peak = 0;
};

/// What a search came to.
struct SearchResult {
  /// The fastest stages, and of these the ones with the lowest peak; none if
  /// nothing fits, or there are more states or transitions than allowed.
  std::optional<PartSolution> solution;
  int64_t states = 0, transitions = 0;
  bool complete = true; ///< false if it was given up
};
SearchResult search(const Part &part, const SearchOptions &options);

/// Stages from the front: the launches with the longest way to the end that are
/// ready, side by side if that pays and fits. None if it runs into the cap.
std::optional<PartSolution> listSchedule(const Part &part);

/// Launches one by one, on all threads or as a wave of one. None if that is
/// above the cap.
std::optional<PartSolution> inOrder(const Part &part,
                                    llvm::ArrayRef<unsigned> order);

/// For each launch the time that it and what waits for it take at least.
std::vector<int64_t> tailsOf(const Part &part);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_SEARCH_H
