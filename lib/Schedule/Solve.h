//===- Solve.h - the fastest stages below a cap -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_SOLVE_H
#define TENON_LIB_SCHEDULE_SOLVE_H

#include "lib/Schedule/Search.h"

namespace tenon::sched {

/// Each part is searched within `search`; where that is too much, with smaller
/// stages, then as a beam, then by a list. Budgets count states, never seconds:
/// the same problem has the same solution.
struct Options {
  SearchOptions search;
  unsigned mostInPart = 24; ///< items, up to Part::mostItems
};

/// One launch on all threads after the other, in the order of the program,
/// whatever the cap.
Solution programOrder(const Problem &problem);

/// The order with the least peak, whatever the cap; that of the program if the
/// search needs more states than allowed.
Solution leastPeak(const Problem &problem, const Options &options = {});

/// The fastest stages with a peak below the cap, never slower than the order of
/// the program where that fits. An error if the problem is wrong, or if nothing
/// fits: with the least bytes that do, and the node that needs them.
llvm::Expected<Solution> solve(const Problem &problem,
                               const Options &options = {});

/// Time against peak: the fastest solution below the cap, then the fastest with
/// fewer bytes, until nothing fits. None is slower and larger than another.
llvm::Expected<std::vector<Solution>> front(Problem problem,
                                            const Options &options = {});

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_SOLVE_H
