//===- SolveExact.h - search for the smallest arena -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_SEARCH_SOLVEEXACT_H
#define TENON_LIB_MEMORY_SEARCH_SOLVEEXACT_H

#include "lib/Memory/Search/Arena.h"

namespace tenon::mem {

/// What exact search found out about an arena.
struct Exact {
  std::optional<Placement> placement; ///< better than the one it began with
  bool optimal = false;               ///< nothing smaller exists
};

/// Looks for a placement not above `goal`, then for ever smaller ones between
/// the goal and `best`, by bisection, until the best is proven or `work` is
/// used up. `work` counts down. Boxes are searched canonically, from several
/// orders that learn from their failures between restarts; arenas with fixed
/// blocks or blocks of pieces by deciding which of two goes below. Results do
/// not depend on `threads`.
Exact solveExact(const Arena &arena, int64_t goal, int64_t best,
                 unsigned threads, int64_t &work);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_SOLVEEXACT_H
