//===- Shares.h - what threads get of a contraction -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the register tiles of a contraction are shared out to
// launch tiles, and so to threads.
//
// A line of 64 bytes that another core holds is far away. On two cores of an
// EPYC 9005 that do not share a third-level cache
//
//   reading a line that the other core wrote takes         1.5 ns
//   writing one that the other core has read since         7.7 ns
//   reading or writing one that is one's own, in L2        0.33 ns
//
// whatever is prefetched, and on other processors it is alike. A thread
// that computes some of the columns reads all of A, and what it writes are
// pieces of rows that the next kernel's threads read half of each: then nearly
// every line of every map is far at some time. A thread that computes some of
// the rows finds the rows that it wrote before, as long as all kernels cut maps
// at the same rows. What it pays is reading all of B, which nobody writes.
//
//        columns shared out                rows shared out
//        A      B: t0 t1    C: t0 t1       A: t0   B      C: t0
//        all  x            =               t1    x all  =  t1
//
// So rows are shared out unless B is several times as large as A and C, or
// there are not enough rows to be even. B from memory counts for more.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_SHARES_H
#define TENON_LIB_TILE_SHARES_H

#include "lib/Tile/Contraction.h"

namespace tenon::tile {

/// Launch tiles that leave no thread waiting long for the last ones.
inline constexpr int64_t balancedTiles = 32;

/// Vector multiply-adds that make a launch tile worth handing to a thread.
inline constexpr int64_t leastTileWork = 16384;

/// So many rows cost as much to read and write from other threads as all of B,
/// of one batch, costs a thread to read: fewer rows are better not shared out.
int64_t rowsWorthAll(int64_t k, int64_t columns, int64_t elementBytes,
                     const Target &target);

/// Cuts the blocks of rows and panels of `plan` further, or shares out rows,
/// where there is work for several threads. `problem` is `alone` with what the
/// plan joins and folds side by side.
void shareOut(const ContractionProblem &alone,
              const ContractionProblem &problem, const Target &target,
              ContractionPlan &plan);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_SHARES_H
