//===- Arena.h - one arena's share of a problem -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has what solvers share: the blocks of one scope, in flat arrays.
// Solvers number the blocks of their arena from 0 ("members").
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SEARCH_ARENA_H
#define TENON_LIB_MEMORY_SEARCH_ARENA_H

#include "lib/Memory/Blocks.h"

namespace tenon::mem {

/// All lives side by side: one interval per buffer for one stream, clocks for
/// several.
class Lives {
public:
  explicit Lives(const Problem &problem);

  bool meet(unsigned a, unsigned b) const {
    if (streams == 1)
      return lower[a] < upper[b] && lower[b] < upper[a];
    return !before(a, b) && !before(b, a);
  }

  /// With one stream a life is the interval [birth, end); with several it is
  /// all of the time, [0, 1).
  std::pair<int64_t, int64_t> interval(unsigned buffer) const {
    if (streams == 1)
      return {lower[buffer], upper[buffer]};
    return {0, 1};
  }

  /// The interval from the first birth to the last end.
  std::pair<int64_t, int64_t> horizon() const;

private:
  bool before(unsigned a, unsigned b) const {
    for (unsigned s = 0; s < streams; ++s)
      if (upper[a * streams + s] > lower[b * streams + s])
        return false;
    return true;
  }

  unsigned streams;
  std::vector<int64_t> lower, upper;
};

struct Arena {
  const Problem &problem;
  const Lives &lives;
  std::vector<Block> members;
  std::vector<bool> atPeak; ///< which members have a buffer at the peak
  int64_t lowerBound = 0;   ///< bytes of the peak

  size_t size() const { return members.size(); }

  /// Whether pieces of two members meet.
  bool meet(unsigned a, unsigned b) const;
};

/// A start per member, and the end of the highest.
struct Placement {
  std::vector<int64_t> starts;
  int64_t height = 0;
};

/// 0, 1, ..., count - 1: an order to begin with.
std::vector<unsigned> numbersBelow(size_t count);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_ARENA_H
