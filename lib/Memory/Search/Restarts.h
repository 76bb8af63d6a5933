//===- Restarts.h - canonical search from several orders --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_SEARCH_RESTARTS_H
#define TENON_LIB_MEMORY_SEARCH_RESTARTS_H

#include "lib/Memory/Search/Canonical.h"
#include <memory>

namespace tenon::mem {

/// Exact search is lucky or lost: with one order of the boxes it ends after a
/// few hundred placements, with another never. So several searchers, each with
/// its own order, run in rounds. In one round of `period` a searcher follows
/// the order it was born with, for twice as long as the time before; in the
/// others, which are short, it moves up the boxes in whose sections its last
/// run failed, a little shuffled.
class Restarts {
public:
  Restarts(const Boxes &boxes, unsigned threads);

  /// Looks for a placement within `capacity` until one is found, one searcher
  /// has exhausted all, or `work` is used up.
  Verdict find(int64_t capacity, int64_t &work);

  /// Offsets per box, after Found.
  llvm::ArrayRef<int64_t> starts() const { return found; }

private:
  struct Searcher {
    std::unique_ptr<CanonicalSearch> search;
    CanonicalSearch::Branch branch;
    double learning = 0;        // how much failures move a box up, in lengths
    std::vector<unsigned> rank; // the order it was born with
    std::vector<int64_t> seen;  // failures when it was last reordered
    std::vector<double> weight; // per section
    Verdict verdict = Verdict::GaveUp;
    int64_t work = 0; // of the last run
  };

  std::vector<unsigned> reorder(Searcher &searcher, unsigned round) const;
  void runRound(unsigned round, int64_t capacity, int64_t limit);

  const Boxes &boxes;
  unsigned threads;
  std::vector<Searcher> searchers;
  std::vector<int64_t> found;
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_RESTARTS_H
