//===- Packing.cpp - find a place between placed pieces -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Packing.h"

#include <algorithm>

using namespace tenon::mem;

Packing::Packing(const Lives &lives) : lives(lives) {
  auto [first, last] = lives.horizon();
  firstBirth = first;
  for (int64_t count : {256, 16, 1}) {
    int64_t width = (last - first + count - 1) / count;
    if (count == 1 || width > 1)
      levels.push_back({width, std::vector<Shelf>(size_t(count))});
  }
}

/// The finest shelf that holds all that a buffer may meet.
const Packing::Shelf &Packing::shelfFor(unsigned buffer) const {
  auto [lower, upper] = lives.interval(buffer);
  for (const Level &level : levels) {
    int64_t shelf = (lower - firstBirth) / level.width;
    if (shelf == (upper - 1 - firstBirth) / level.width)
      return level.shelves[size_t(shelf)];
  }
  return levels.back().shelves.front();
}

/// The lowest (or tightest) start of the block, not below `start`, at which
/// this one of its pieces overlaps nothing that it meets.
int64_t Packing::findPiece(const Block &block, const Piece &piece,
                           int64_t start, Fit fit) {
  int64_t cursor = start, best = -1, bestGap = INT64_MAX;
  for (const Placed &other : shelfFor(piece.buffer)) {
    ++looked;
    if (other.end <= cursor + piece.delta ||
        !lives.meet(other.buffer, piece.buffer))
      continue;
    int64_t gap = other.begin - (cursor + piece.delta);
    if (gap >= piece.size && gap < bestGap) {
      best = cursor;
      bestGap = gap;
      if (fit == Fit::First)
        return best;
    }
    cursor = block.align(other.end - piece.delta);
  }
  return best < 0 ? cursor : best;
}

int64_t Packing::find(const Block &block, Fit fit) {
  if (block.fixed)
    return *block.fixed;
  int64_t start = block.align(0);
  if (block.pieces.size() == 1)
    return findPiece(block, block.pieces.front(), start, fit);
  // Each piece may push the block up; when none does, it fits.
  for (bool moved = true; moved;) {
    moved = false;
    for (const Piece &piece : block.pieces) {
      int64_t next = findPiece(block, piece, start, Fit::First);
      moved |= next != start;
      start = next;
    }
  }
  return start;
}

void Packing::insert(Shelf &shelf, const Placed &entry) {
  auto at = std::upper_bound(
      shelf.begin(), shelf.end(), entry,
      [](const Placed &a, const Placed &b) { return a.begin < b.begin; });
  shelf.insert(at, entry);
}

void Packing::place(const Block &block, int64_t start) {
  for (const Piece &piece : block.pieces) {
    Placed entry{start + piece.delta, start + piece.delta + piece.size,
                 piece.buffer};
    auto [lower, upper] = lives.interval(piece.buffer);
    for (Level &level : levels) {
      int64_t last = (upper - 1 - firstBirth) / level.width;
      for (int64_t i = (lower - firstBirth) / level.width; i <= last; ++i)
        insert(level.shelves[size_t(i)], entry);
    }
    top = std::max(top, entry.end);
  }
}
