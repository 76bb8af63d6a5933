//===- SolveRepair.h - mend what touches the peak ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_SEARCH_SOLVEREPAIR_H
#define TENON_LIB_MEMORY_SEARCH_SOLVEREPAIR_H

#include "lib/Memory/Search/Arena.h"

namespace tenon::mem {

/// Replays greedy placement with blocks in three tiers, until nothing ends
/// above `goal` or `work` is used up:
///
///   1. the blocks at the peak: they meet pairwise, so placed first they lie
///      one on the other without a gap, and the arena can reach the bound;
///   2. the blocks that ended above the goal in an earlier replay;
///   3. all others, largest first.
///
/// What decides is how the first tier is stacked, because the others must fit
/// around it; several orders are tried. Returns the best placement seen, or
/// none where the work did not suffice for one. `work` counts down.
std::optional<Placement> solveRepair(const Arena &arena, int64_t goal,
                                     int64_t &work);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_SOLVEREPAIR_H
