//===- Contraction.h - how a contraction is tiled ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one problem that matrix products, convolutions and
// matrix-vector products are, and the plan for it.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_CONTRACTION_H
#define TENON_LIB_TILE_CONTRACTION_H

#include "lib/Tile/Rows.h"
#include "lib/Tile/Target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tenon::tile {

/// `C[batch][row][column] += A[batch][row, k] * B[batch][k][column]`.
///
/// A product has one row dimension and one k dimension. A convolution's rows
/// are its output pixels and its k dimensions (kernel height, width x channel):
/// the address of an element of A is linear in both, so nothing else differs.
struct ContractionProblem {
  int64_t batches = 1;                ///< each with its own B
  llvm::SmallVector<int64_t, 4> rows; ///< dimensions, outer to inner
  int64_t columns = 1;                ///< per batch
  llvm::SmallVector<int64_t, 4> k;    ///< the last is the run in memory
  int64_t run = 1;                    ///< what of the last surely lies together
                                      ///< in A
  int64_t elementBytes = 4;           ///< of A and B
  int64_t accumulatorBytes = 4;       ///< of C in registers
  int64_t rowBytes = 0;               ///< of A per row, each byte once
  llvm::SmallVector<int64_t, 4> pitch; ///< of A's rows in bytes, by dimension;
                                       ///< none if unknown
  bool constantB = false;              ///< packed at compile time
  bool packsB = false;                 ///< panels are packed in the kernel
  int64_t epilogueLoads = 0;           ///< whole tensors read at the end
  bool resultStays = false;            ///< C is read again from a cache
  int64_t joinable = 1; ///< neighbours whose results lie side by side: those of
                        ///< the innermost batch dimension
  bool sharesA = false; ///< all batches multiply the same rows
  int64_t planes = 1; ///< those of the next batch dimension, where A is shared
  bool rowsAdjoin = false; ///< of C: neighbours lie behind each other, where A
                           ///< is shared with the results of all joinable

  int64_t totalRows() const;
  int64_t totalK() const;
  int64_t resultBytes() const;
  int64_t weightBytes() const; ///< of one batch's B
};

/// The decision; for one column see `planDots`. B is cut into panels of `panel`
/// columns, those of neighbours and of steps of k that lie side by side
/// counted; rows into register tiles of at most `mr`; a tile of the launch is
/// `rowTiles` register tiles by `panels` panels, and inside it panels are the
/// outer loop. With `shares` it is one of so many shares of the rows by
/// `panels` panels, those of all batches counted, and `rowTiles` are a block:
/// see Shares.h.
struct ContractionPlan {
  int64_t mr = 1;       ///< rows of a register tile
  int64_t nv = 1;       ///< vectors of a register tile
  int64_t lanes = 1;    ///< of a vector
  int64_t panel = 1;    ///< columns of a panel of B
  int64_t join = 1;     ///< neighbours side by side in the columns: see Join.h
  int64_t fold = 1;     ///< so are steps of k: see Fold.h
  int64_t unroll = 1;   ///< steps of the innermost k loop
  int64_t kBlock = 0;   ///< iterations of the outermost k loop per pass; 0: all
  int64_t rowTiles = 1; ///< register tiles per launch tile
  int64_t panels = 1;   ///< panels per launch tile
  bool panelsOuter = true; ///< consecutive tiles share a panel, not rows
  int64_t shares = 0; ///< of the rows, for threads; 0: rows and panels are cut
  bool prefetch = false; ///< prefetch the next block of B while using this one,
                         ///< with few rows for the next page
  bool fetchRows = false;   ///< prefetch A's next rows while using these
  int64_t fetchResults = 0; ///< prefetch C, and what is added, so many register
                            ///< tiles before they are stored; 0: never
};

/// So many rows use each block of B for so short that it only streams by.
constexpr int64_t fewRows = 4;

/// The plan for one column, where each result is a dot product: vectors lie
/// along k, `mr` rows have accumulators at once, and a tile of the launch is
/// `rowTiles` such blocks. `plan` calls it.
ContractionPlan planDots(const ContractionProblem &problem,
                         const Target &target);

/// Lanes of the vectors of a last, narrower panel: half as many where that
/// saves half a vector and the register tile has room.
int64_t lanesOfRest(const ContractionPlan &plan, int64_t columns,
                    int64_t accumulatorBytes, const Target &target);

/// Chooses a plan. Never fails: any problem has at least the 1 x 1 tile.
ContractionPlan plan(const ContractionProblem &problem, const Target &target);

/// Checks a plan against the rules, whoever made it: registers, divisibility,
/// coverage.
llvm::Error validate(const ContractionProblem &problem,
                     const ContractionPlan &plan, const Target &target);

/// Estimated cycles: multiply-adds, loads of the register tiles, and the bytes
/// that B costs beyond the second-level cache.
double estimateCycles(const ContractionProblem &problem,
                      const ContractionPlan &plan, const Target &target);

/// "mr=8 nv=3 lanes=16 panel=48 ...".
std::string toText(const ContractionPlan &plan);

/// Calls `visit(name, field)` for every number of a plan, in printing order.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, ContractionPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("mr", plan.mr);
  visit("nv", plan.nv);
  visit("lanes", plan.lanes);
  visit("panel", plan.panel);
  visit("join", plan.join);
  visit("fold", plan.fold);
  visit("unroll", plan.unroll);
  visit("k_block", plan.kBlock);
  visit("row_tiles", plan.rowTiles);
  visit("panels", plan.panels);
  visit("panels_outer", plan.panelsOuter);
  visit("shares", plan.shares);
  visit("prefetch", plan.prefetch);
  visit("fetch_rows", plan.fetchRows);
  visit("fetch_results", plan.fetchResults);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_CONTRACTION_H
