//===- Rows.h - cutting an extent into register tiles -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the rows of a contraction are cut: never a full tile
// and a small rest, always two heights that differ by one at most.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_ROWS_H
#define TENON_LIB_TILE_ROWS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace tenon::tile {

/// The quotient of a non-negative and a positive number, rounded up.
inline int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

/// An extent cut into `count` pieces: the first `tall` have `height` elements,
/// the others one less.
///
///   128 by at most 14:  count 10, height 13, tall 8   (8 x 13 + 2 x 12)
struct EvenSplit {
  int64_t extent = 1, count = 1, height = 1, tall = 1;

  /// Cuts into the smallest number of pieces of at most `most` elements.
  static EvenSplit of(int64_t extent, int64_t most);
  /// Whether all pieces have the same height.
  bool uniform() const { return tall == count; }
};

/// Pieces of a launch that a thread takes one after the other, unless it should
/// have all of them in one call: the run time's number.
inline constexpr int64_t chunksPerThread = 4;

/// The first of the items of a share, of `shares`: earlier ones have one more.
inline int64_t shareStart(int64_t items, int64_t shares, int64_t share) {
  return ceilDiv(share * items, shares);
}

/// Launch tiles, about `wanted`, to share out so many items: one for each, else
/// a power of two or a multiple of 8, so that few threads get as many.
int64_t launchTiles(int64_t items, int64_t wanted);

/// The rectangle of rows that one register tile holds, over the two innermost
/// row dimensions. Pixels of a 7 x 7 map become 2 x 7 tiles.
struct RowTiling {
  EvenSplit outer, inner;
  int64_t rest = 1; ///< product of the dimensions further out

  int64_t tiles() const { return rest * outer.count * inner.count; }
  int64_t rows() const { return outer.height * inner.height; }
  /// How many different shapes of tile there are (1, 2 or 4).
  int64_t variants() const {
    return (outer.uniform() ? 1 : 2) * (inner.uniform() ? 1 : 2);
  }
};

/// The tiling with the fewest tiles of at most `most` rows; among equals the
/// one with fewer variants, then the one that is longer in the inner dimension.
RowTiling tileRows(llvm::ArrayRef<int64_t> extents, int64_t most);

/// Whether the rows of any shares that follow each other, of `shares`, can be
/// cut into register tiles of the tiling's height and of one row less. They
/// can if there are many rows, of one dimension.
bool cutsShares(const RowTiling &rows, int64_t shares);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_ROWS_H
