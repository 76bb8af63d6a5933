//===- ContractionCost.h - what a contraction's plan costs ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the planner counts: registers, and cycles over the
// real split of rows and columns, on a core that multiplies and adds a vector
// in each. Problems are those of neighbours and steps alone (Join.h,
// Fold.h).
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_CONTRACTIONCOST_H
#define TENON_LIB_TILE_CONTRACTIONCOST_H

#include "lib/Tile/Contraction.h"

namespace tenon::tile {

/// The problem whose columns are those of all that the plan puts side by side:
/// steps of k and neighbours.
ContractionProblem sideBySide(const ContractionProblem &problem,
                              const ContractionPlan &plan);

/// Registers that the plan's register tile takes.
int64_t registersOf(const ContractionProblem &problem,
                    const ContractionPlan &plan, const Target &target);

/// Registers that it may take.
int64_t registerLimit(const Target &target, bool unrolled);

/// The time of a vector of so many lanes, in that of a whole one.
double vectorTime(const ContractionProblem &problem, int64_t lanes,
                  const Target &target);

/// Clock cycles in which a register tile is summed, at the peak. `problem` is
/// that of what lies side by side.
double tileCycles(const ContractionProblem &problem,
                  const ContractionPlan &plan, const Target &target);

/// Whether lines of A, of a register tile of so many rows by `nv` vectors, do
/// not stay in the first-level cache from step to step, and multiply-adds do
/// not hide that they come back.
bool losesRows(const ContractionProblem &problem, int64_t height, int64_t width,
               int64_t nv, const Target &target);

/// Cycles of one k step over all rows and columns of all batches.
double gridCycles(const ContractionProblem &problem,
                  const ContractionPlan &plan, const Target &target);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_CONTRACTIONCOST_H
