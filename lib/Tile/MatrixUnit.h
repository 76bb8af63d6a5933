//===- MatrixUnit.h - products of f32 on a unit for bf16 --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the plan for a contraction of f32 on a unit that
// multiplies tiles of bf16 (AMX). Each number is the sum of three of bf16,
// x = x1 + x2 + x3, which holds all its 24 bits; six of the nine products are
// summed in f32 (bf16x6; Henry, Tang and Heinecke, "Leveraging the bfloat16
// Artificial Intelligence Datatype For Higher-Precision Computations", 2019).
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_MATRIXUNIT_H
#define TENON_LIB_TILE_MATRIXUNIT_H

#include "lib/Tile/Contraction.h"
#include <optional>

namespace tenon::tile {

/// What is multiplied at once, in 2 x 2 tiles of 16 rows of 64 bytes: a square
/// of results over so many steps of k.
struct MatrixSquare {
  static constexpr int64_t rows = 32, columns = 32, depth = 32;
  static constexpr int64_t tileRows = 16, tileBytes = 1024, pieces = 3;
  /// The pieces of one operand for one step: two tiles of each.
  static constexpr int64_t stepBytes = 2 * pieces * tileBytes;
  static constexpr int64_t sumBytes = rows * columns * 4;
  /// Steps whose pieces of an operand, and of what comes next, stay in the
  /// first-level cache whatever else passes through it.
  static constexpr int64_t nearSteps = 1;
  /// Chunks of the operand that is split beside products: what is multiplied,
  /// and what comes next.
  static constexpr int64_t passingChunks = 2;
};

/// The decision. Rows, numbered over all their dimensions, are cut into
/// squares (the last one may be half of one), columns into panels, and k into
/// steps, none of which crosses the run of A's memory. `rowTiles` squares at
/// most are a block: their A is split into pieces that stay in the second-level
/// cache, for `pass` steps of k at once. B is split panel by panel in chunks of
/// `steps`, mostly a whole pass, each beside the products of the one before, so
/// that two chunks are there, too. What is shared out over so many launch
/// tiles, numbered through all batches, are row tiles, of which a thread makes
/// blocks of its own and splits B for each (`byRows`), or the panels of blocks,
/// and a thread splits A for all that it has of a block. Pieces do not go from
/// one core to another: that takes longer than to split anew.
struct MatrixUnitPlan {
  int64_t rowTiles = 1;
  int64_t pass = 1;
  int64_t steps = 1;
  int64_t tiles = 1;
  bool byRows = false;
  /// Where B is small: a thread splits all of it, which stays in the
  /// second-level cache, and then A, each row tile beside the products of the
  /// one before. Row tiles are shared out, and a pass is all of k.
  bool keepsColumns = false;
  bool prefetch = false; ///< prefetch B's next steps while splitting these
};

/// How a problem is cut.
struct MatrixUnitGrid {
  int64_t batches;
  int64_t rowTiles; ///< of a batch
  int64_t panels;
  int64_t runSteps; ///< steps of the innermost dimension of k
  int64_t steps;    ///< of all of k
  double squares; ///< of a batch; those with half the rows or columns are half

  explicit MatrixUnitGrid(const ContractionProblem &problem);
  int64_t blocks(const MatrixUnitPlan &plan) const {
    return ceilDiv(rowTiles, plan.rowTiles);
  }
  /// What launch tiles share out: row tiles, or panels of blocks.
  int64_t items(const MatrixUnitPlan &plan) const {
    return batches * (plan.byRows ? rowTiles : blocks(plan) * panels);
  }
  /// Whether sums wait for later steps of k, for which all of A is split anew.
  bool isInPasses(const MatrixUnitPlan &plan) const {
    return steps > plan.pass;
  }
  int64_t launchTiles(const MatrixUnitPlan &plan) const {
    return std::min(plan.tiles, items(plan));
  }
};

/// Bytes for the pieces that each thread keeps for itself in the second-level
/// cache, two tiles of the operand that passes by first, and of all threads'
/// sums that wait for the next pass: 0 where one pass does.
struct MatrixUnitScratch {
  int64_t pieces, sums;
};
MatrixUnitScratch matrixUnitScratch(const MatrixUnitGrid &grid,
                                    const MatrixUnitPlan &plan);

/// The plan, if the target has the unit and the problem is one for it. The
/// innermost dimension of k must lie together in A.
std::optional<MatrixUnitPlan> planMatrixUnit(const ContractionProblem &problem,
                                             const Target &target);

/// What plain arithmetic must take for this one not to be worth it.
double chargedCycles(const ContractionProblem &problem,
                     const MatrixUnitPlan &plan, const Target &target);

/// Checks a plan against the rules, whoever made it.
llvm::Error validate(const ContractionProblem &problem,
                     const MatrixUnitPlan &plan, const Target &target);

/// In the unit of the other estimates: products, splitting, what is written
/// between, and the bytes of B from memory.
double estimateCycles(const ContractionProblem &problem,
                      const MatrixUnitPlan &plan, const Target &target);

/// Calls `visit(name, field)` for every number of a plan, in printing order.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, MatrixUnitPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("row_tiles", plan.rowTiles);
  visit("pass", plan.pass);
  visit("steps", plan.steps);
  visit("tiles", plan.tiles);
  visit("by_rows", plan.byRows);
  visit("keeps_columns", plan.keepsColumns);
  visit("prefetch", plan.prefetch);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_MATRIXUNIT_H
