//===- Packing.h - what has been placed so far ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_SEARCH_PACKING_H
#define TENON_LIB_MEMORY_SEARCH_PACKING_H

#include "lib/Memory/Search/Arena.h"
#include "lib/Memory/Solve.h"

namespace tenon::mem {

/// The state of solvers that place one block after the other: the pieces that
/// have a place, sorted by where they begin. Kept once for all of the time, and
/// again for each sixteenth and each 256th of it, so that a short life has to
/// look at few others; but not where most lives are long, since a long one lies
/// in many shelves.
class Packing {
public:
  explicit Packing(const Arena &arena);

  /// The start for `block` that `fit` prefers and no placed piece forbids; its
  /// fixed one, where it has one.
  int64_t find(const Block &block, Fit fit);

  void place(const Block &block, int64_t start);

  /// The end of the highest piece.
  int64_t height() const { return top; }

  /// Pieces that were looked at, the unit of work.
  int64_t work() const { return looked; }

private:
  struct Placed {
    int64_t begin, end;
    unsigned buffer;
  };

  using Shelf = std::vector<Placed>; // by begin

  /// All of the time in shelves of one width.
  struct Level {
    int64_t width;
    std::vector<Shelf> shelves;
  };

  /// The first and the last shelf of a level in which a buffer lies.
  std::pair<int64_t, int64_t> span(int64_t width, unsigned buffer) const;
  int64_t entries(const Arena &arena, int64_t width) const;

  static void insert(Shelf &shelf, const Placed &entry);
  const Shelf &shelfFor(unsigned buffer) const;
  int64_t findPiece(const Block &block, const Piece &piece, int64_t start,
                    Fit fit);

  const Lives &lives;
  int64_t firstBirth;
  std::vector<Level> levels; // the finest first
  int64_t top = 0, looked = 0;
};

/// What greedy orders look at. With several streams a moment is the sum of its
/// clock, which grows along every order of the nodes.
struct GreedyKey {
  int64_t size = 0; ///< bytes
  int64_t born = 0; ///< the first birth
  int64_t life = 0; ///< from then to the last end
};

GreedyKey greedyKey(const Problem &problem, const Block &block);

/// The members in the order in which greedy solvers place them: fixed ones,
/// then as `order` says.
std::vector<unsigned> placementOrder(const Arena &arena, Order order);

/// Places all members in this order. Adds to `work`.
Placement placeInOrder(const Arena &arena, llvm::ArrayRef<unsigned> order,
                       Fit fit, int64_t &work);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_PACKING_H
