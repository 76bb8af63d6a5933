//===- Stacking.h - exact search over who lies below ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the exact search for every kind of block. Of two pieces that
// meet, one lies below the other. Once that is decided for every pair, the
// lowest starts are longest paths. So: begin without decisions, take the pair
// that overlaps the most at the lowest starts, try both ways, and stop where a
// block is pushed above the capacity or a fixed one away from its place. For
// few blocks; boxes alone go to canonical search.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SEARCH_STACKING_H
#define TENON_LIB_MEMORY_SEARCH_STACKING_H

#include "lib/Memory/Search/Arena.h"
#include "lib/Memory/Search/Canonical.h"

namespace tenon::mem {

class StackingSearch {
public:
  explicit StackingSearch(const Arena &arena);

  /// Looks for a placement within `capacity` until `work` is used up.
  Verdict find(int64_t capacity, int64_t &work);

  /// Starts per member, after Found.
  llvm::ArrayRef<int64_t> starts() const { return start; }

private:
  /// Two pieces that meet: `a` is below `b` if b starts `upper` after a, and
  /// above it if a starts `lower` after b.
  struct Pair {
    unsigned a, b;
    int64_t upper, lower;
  };
  /// `above` starts at least `distance` after `below`.
  struct Rest {
    unsigned above;
    int64_t distance;
  };

  bool search(int64_t &work);
  bool decide(unsigned below, unsigned above, int64_t distance, int64_t &work);
  bool push(unsigned block, int64_t to);
  const Pair *worst() const;
  void undo(size_t mark);

  const Arena &arena;
  std::vector<Pair> pairs;
  std::vector<std::vector<Rest>> rests; // per block, what rests on it
  std::vector<int64_t> start;
  std::vector<std::pair<unsigned, int64_t>> trail;
  int64_t capacity = 0;
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_STACKING_H
