//===- Solve.h - the cheapest kernels -----------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the solver: a dynamic programme over ideals for each
// region of atoms, within counted work. README.md has the idea and what is
// exact.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_SOLVE_H
#define TENON_LIB_FUSION_SOLVE_H

#include "lib/Fusion/Problem.h"

namespace tenon::fusion {

/// How far the solver may go. All limits count; none is a time.
struct Options {
  /// In one kernel. Where a region has too many groups, 8, 6 and 4 are tried.
  unsigned mostAtoms = 12;
  /// States of a region, above which it is solved in windows.
  int64_t mostIdeals = 20'000;
  /// Questions to the oracle, for each region and for the whole problem.
  int64_t mostAsked = 10'000, mostAskedInAll = 100'000;
  /// Atoms of a region; 60 is the most there may be.
  unsigned mostInRegion = 60;
  /// Transitions of a region.
  int64_t mostTransitions = 200'000;
  /// Steps of all loops that may be long. About 1e8 a second.
  int64_t mostSteps = 50'000'000;
  /// Whether atoms may be cloned into their users.
  bool clones = true;
  /// Groups in an order in which they can run, without clones; empty: none.
  /// The solution costs no more than they do.
  std::vector<Group> start = {};
};

/// The cheapest solution that was found. It costs no more than each atom on its
/// own, and no more than the start. The problem must be checked. The same
/// problem has the same solution.
Solution solve(const Problem &problem, Oracle &oracle,
               const Options &options = {});

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_SOLVE_H
