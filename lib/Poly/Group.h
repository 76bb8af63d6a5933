//===- Group.h - statements that run tile by tile ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares groups: statements of a program that one kernel runs. It
// goes through tiles, boxes of the dimensions of its sinks; in each it runs all
// of its statements in order, each over what the later ones need for this tile:
//
//   for tile of sink:             tiles of 4 columns of a pool of 2x2
//     for S in statements:        pool   [4t, 4t + 4)
//       for i in footprint(S):    conv   [8t, 8t + 8)
//         S(i)                    relu   [8t - 1, 8t + 9), 2 of them twice
//
// Groups with host dimensions go through all tiles in each step of these.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_GROUP_H
#define TENON_LIB_POLY_GROUP_H

#include "lib/Poly/Scop.h"

namespace tenon::poly {

/// A statement whose instances tiles are made of.
struct Sink {
  unsigned statement;
  /// Tile dimension k is dimension dims[k] of the statement, a parallel one;
  /// -1: each tile takes all of the statement along k.
  std::vector<int> dims;
};

struct Group {
  std::vector<unsigned> statements; ///< in the order in which they run
  std::vector<Sink> sinks;          ///< at least one
  std::vector<int64_t> sizes;       ///< of a tile; tiles begin at multiples
};

/// Along one dimension of the tiles.
struct TileDim {
  int64_t extent = 1; ///< of the sinks
  int64_t size = 1;   ///< of a tile, the last one may have less
  int64_t count() const { return (extent + size - 1) / size; }
};

/// The tile dimensions of a group, and behind them its host dimensions, where a
/// tile is one step.
std::vector<TileDim> tilesOf(const Scop &scop, const Group &group);

/// How many host dimensions a statement has.
unsigned hostDimsOf(const Statement &statement);

/// Whether a group is one: its statements exist, once each, with the same host
/// dimensions; its sinks are among them and have the dimensions tiled, with the
/// same extents.
llvm::Error check(const Scop &scop, const Group &group);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_GROUP_H
