//===- Fold.h - steps of k side by side -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how few columns fill vectors: several steps of k have
// neighbouring lanes. With 12 columns, four steps and vectors of 16 lanes,
//
//     | c0k0 c0k1 c0k2 c0k3  c1k0 ..      | c4k0 ..  | c8k0 ..  |   (B)
//     | a0   a1   a2   a3    a0   a1  ..  | a0   ..  | a0   ..  |   (A)
//
// three multiply-adds do four steps, and A is four elements that lie together,
// loaded once for all columns. The lanes of a column are added at the end.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_FOLD_H
#define TENON_LIB_TILE_FOLD_H

#include "lib/Tile/Contraction.h"

namespace tenon::tile {

/// The problem that is left when so many steps of k are folded into columns.
ContractionProblem folded(const ContractionProblem &problem, int64_t fold);

/// Numbers of steps that are worth trying.
llvm::SmallVector<int64_t> foldsOf(const ContractionProblem &problem,
                                   const Target &target);

/// Numbers of neighbours that are worth joining with so many steps: what fills
/// a vector of results, where each has whole vectors of its own; where A is
/// shared, planes that have such vectors.
llvm::SmallVector<int64_t> joinsOfFolded(const ContractionProblem &problem,
                                         int64_t fold, int64_t lanes);

/// Whether steps that are one in a vector lie together, and neighbours with
/// other A have vectors of their own.
bool canFold(const ContractionProblem &problem, const ContractionPlan &plan);

/// Whether the columns of a row, with their steps, fill vectors, but its
/// results do not: those of neighbouring rows may be added together and then
/// do.
bool fillsRows(const ContractionProblem &problem, const ContractionPlan &plan);

/// Cycles for adding the lanes of a row, in the time of one vector's
/// multiply-add.
double unfoldCycles(const ContractionProblem &problem,
                    const ContractionPlan &plan);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_FOLD_H
