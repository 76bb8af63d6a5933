//===- Pieces.h - how many threads get work to do ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how work is cut into launch tiles for many threads, where
// one tile too many for all of them is a whole round of waiting:
//
//            columns       13 rows by 4 columns of cells on 16 threads,
//         +----+----+      each worth a tile:
//   rows  | 0  | 1  |        7 x 2 pieces of 2 x 2: the busiest has 4 cells
//         +----+----+       13 x 1 pieces of 1 x 4: 4, and the rows are cut
//         | 2  | 3  |                              more often
//         +----+----+       13 x 4 pieces of 1 x 1: 4 in 4 rounds
//
// Few threads take many small tiles instead (balancedTiles), which has been
// measured to lose nothing there.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_PIECES_H
#define TENON_LIB_TILE_PIECES_H

#include "lib/Tile/Target.h"

namespace tenon::tile {

/// Up to so many threads all is cut alike, whatever their number.
inline constexpr int64_t fewThreads = 8;

/// Whether work is cut for the number of threads.
inline bool hasManyThreads(const Target &target) {
  return target.threads > fewThreads && !target.isGpuThread();
}

/// What a launch tile takes at least where there are many threads, which all
/// have to be told of it.
inline constexpr Time leastOfMany{3000};

/// Cells of equal work that threads share out.
struct WorkGrid {
  int64_t copies = 1; ///< grids like this one, none of which share a piece
  int64_t rows = 1, columns = 1;
  int64_t leastCells = 1; ///< of a piece
  /// What each row costs once more in each piece that has some of it, in cells.
  double rowSetup = 0;
  /// What each further piece of the rows, or of the columns, reads again, in
  /// one unit of any kind.
  double rowsAgain = 0, columnsAgain = 0;
};

/// Cells of a piece; those at the ends may have fewer.
struct Piece {
  int64_t rows = 1, columns = 1;
};

/// Of the pieces with which the busiest of the target's threads has at most a
/// ninth more than it must, those that read least again, then the fewest. All
/// is one piece where it is not worth two.
Piece cutForMany(const WorkGrid &grid, const Target &target);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_PIECES_H
