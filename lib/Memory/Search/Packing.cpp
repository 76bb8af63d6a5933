//===- Packing.cpp - find a place between placed pieces -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Packing.h"

#include <algorithm>

using namespace tenon::mem;

/// A level with more entries per piece costs more than it saves.
static constexpr int64_t mostEntriesPerPiece = 12;

Packing::Packing(const Arena &arena) : lives(arena.lives) {
  auto [first, last] = lives.horizon();
  firstBirth = first;
  int64_t pieces = 0;
  for (const Block &block : arena.members)
    pieces += int64_t(block.pieces.size());
  for (int64_t count : {256, 16, 1}) {
    int64_t width = (last - first + count - 1) / count;
    bool pays =
        width > 1 && entries(arena, width) <= mostEntriesPerPiece * pieces;
    if (count == 1 || pays)
      levels.push_back({width, std::vector<Shelf>(size_t(count))});
  }
}

std::pair<int64_t, int64_t> Packing::span(int64_t width,
                                          unsigned buffer) const {
  auto [lower, upper] = lives.interval(buffer);
  return {(lower - firstBirth) / width, (upper - 1 - firstBirth) / width};
}

/// Entries of a level once all is placed.
int64_t Packing::entries(const Arena &arena, int64_t width) const {
  int64_t count = 0;
  for (const Block &block : arena.members)
    for (const Piece &piece : block.pieces) {
      auto [first, last] = span(width, piece.buffer);
      count += last - first + 1;
    }
  return count;
}

/// The finest shelf that holds all that a buffer may meet.
const Packing::Shelf &Packing::shelfFor(unsigned buffer) const {
  for (const Level &level : levels) {
    auto [first, last] = span(level.width, buffer);
    if (first == last)
      return level.shelves[size_t(first)];
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
    for (Level &level : levels) {
      auto [first, last] = span(level.width, piece.buffer);
      for (int64_t shelf = first; shelf <= last; ++shelf)
        insert(level.shelves[size_t(shelf)], entry);
    }
    top = std::max(top, entry.end);
  }
}
