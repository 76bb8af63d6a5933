//===- CacheSets.h - what meets in a set of a cache -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the count of lines in each set of a first-level cache,
// which is indexed inside of a page: pitches that are multiples of large powers
// of two meet in few sets.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_CACHESETS_H
#define TENON_LIB_TILE_CACHESETS_H

#include "lib/Tile/Target.h"
#include <algorithm>
#include <array>

namespace tenon::tile {

/// The lines of what is added, in ascending order.
class CacheSets {
public:
  /// Counts `count` lines from `first` on, but what has been passed already.
  void add(int64_t first, int64_t count = 1) {
    for (int64_t line = std::max(first, next); line < first + count; ++line)
      ++held[line % cacheSets];
    next = std::max(next, first + count);
  }

  /// Lines in the set that has most.
  int64_t most() const { return *std::max_element(held.begin(), held.end()); }

private:
  std::array<int64_t, cacheSets> held = {};
  int64_t next = 0;
};

} // namespace tenon::tile

#endif // TENON_LIB_TILE_CACHESETS_H
