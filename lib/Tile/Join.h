//===- Join.h - columns of neighbours side by side --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the columns of several groups of a convolution, or of
// several points of a transposed one's windows, share vectors that those of one
// do not fill. With two neighbours of 24 columns and vectors of 16 lanes,
//
//     |      a0       |   a0  |  a1   |      a1       |       (vectors)
//     |   columns 0 to 23     |    columns 0 to 23    |
//
// a vector that two share multiplies by a blend of both neighbours' A: three
// multiply-adds and a blend instead of four. Points of a window read the same
// A, so its rows, planes whose results lie apart, may have vectors beside each
// other too, which saves loading A again.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_JOIN_H
#define TENON_LIB_TILE_JOIN_H

#include "lib/Tile/Contraction.h"

namespace tenon::tile {

/// Lanes of a vector that one neighbour has.
struct LaneRun {
  int64_t lane = 0;   ///< the first one
  int64_t count = 0;  ///< lanes
  int64_t member = 0; ///< which neighbour
  int64_t column = 0; ///< of its columns, at the first lane
};

/// The runs of `count` lanes from the joined column `first` on, where each
/// neighbour has `columns`.
llvm::SmallVector<LaneRun, 2> laneRuns(int64_t columns, int64_t first,
                                       int64_t count);

/// The problem that is left when so many neighbours are joined.
ContractionProblem joined(const ContractionProblem &problem, int64_t join);

/// Numbers of neighbours that are worth trying: they need fewer vectors of so
/// many lanes together than alone, and A is put together cheaply.
llvm::SmallVector<int64_t> joinsOf(const ContractionProblem &problem,
                                   int64_t lanes);

/// Whether neighbours fall into such numbers of them: some of the innermost
/// batch dimension, or planes of all of them, with vectors of their own, where
/// A is shared. `problem` is that of the neighbours alone, here and below.
bool canJoin(const ContractionProblem &problem, const ContractionPlan &plan);

/// Whether no vector has more neighbours than are put together cheaply.
bool canBlend(const ContractionProblem &problem, const ContractionPlan &plan);

/// What a register tile needs beside accumulators, a step of B and one A.
int64_t blendRegisters(const ContractionProblem &problem,
                       const ContractionPlan &plan);

/// Cycles for the A of one row and step of k, over `count` joined columns from
/// `first` on. `vector` is the time of one vector in that of a whole one.
double blendCycles(const ContractionProblem &problem,
                   const ContractionPlan &plan, int64_t first, int64_t count,
                   double vector);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_JOIN_H
