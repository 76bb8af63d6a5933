//===- Canonical.h - exact search among canonical placements ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the exact search for boxes. Push all boxes of a placement down
// until none can fall: what remains is canonical. Listed by offset, each box
// of a canonical placement lies at the lowest offset that the boxes before it
// leave, and no box could have been put wholly below a later one. So the search
// places boxes by ascending offset, each at its lowest possible one (`start`),
// and never goes back down. Four rules cut it:
//
//   * dominance: a box that starts where another, still unplaced one could
//     already have ended is not canonical;
//   * support: an unplaced box whose lowest offset has been passed must rest on
//     an unplaced neighbour, which raises its start;
//   * sections: boxes of a section are stacked. Piled up in the order of their
//     starts, they need the least height; if that is above the capacity, there
//     is no way on (for one machine: earliest release date first);
//   * decomposition: unplaced boxes that are not connected by meeting pairs are
//     solved apart, and a set of boxes with the same starts that failed once is
//     not tried again.
//
// The first three follow MiniMalloc (Moffitt, ASPLOS 2023) in spirit; here
// they hold for every relation of meeting boxes, not only for intervals.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SEARCH_CANONICAL_H
#define TENON_LIB_MEMORY_SEARCH_CANONICAL_H

#include "lib/Memory/Search/Boxes.h"
#include <unordered_set>

namespace tenon::mem {

enum class Verdict { Found, Infeasible, GaveUp };

class CanonicalSearch {
public:
  explicit CanonicalSearch(const Boxes &boxes);

  /// Which box is tried first where several may come next: by their starts and
  /// then by rank, or by rank alone.
  enum class Branch { ByStart, ByRank };

  /// Looks for a placement within `capacity`, trying boxes of low `rank` first,
  /// until `limit` boxes have been placed (and taken back).
  Verdict run(llvm::ArrayRef<unsigned> rank, Branch branch, int64_t capacity,
              int64_t limit);

  /// Offsets per box, after Found.
  llvm::ArrayRef<int64_t> starts() const { return start; }

  /// How often each section broke the capacity, over all runs: where the
  /// difficulty lies.
  llvm::ArrayRef<int64_t> failures() const { return broken; }

  /// Units of work of all runs.
  int64_t work() const { return done; }

private:
  using Set = std::vector<unsigned>;

  bool solve(const Set &open, int64_t last, unsigned lastRank);
  bool solveConnected(const Set &open, int64_t last, unsigned lastRank);
  bool branchOn(const Set &open, int64_t last, unsigned lastRank);
  Set candidates(const Set &open, int64_t last, unsigned lastRank) const;
  bool place(unsigned box, const Set &open);
  bool raiseNeighbours(unsigned box);
  bool support(const Set &open, int64_t last, unsigned lastRank);
  bool pileSections(llvm::ArrayRef<unsigned> changed);
  std::vector<Set> components(const Set &open) const;
  uint64_t fingerprint(const Set &open) const;
  void raise(unsigned box, int64_t to);
  void undo(size_t mark);

  const Boxes &boxes;
  llvm::ArrayRef<unsigned> rank;
  Branch branch = Branch::ByStart;
  int64_t capacity = 0, limit = 0, placed = 0, done = 0;
  std::vector<int64_t> start; // lowest possible while unplaced
  llvm::BitVector unplaced;
  std::vector<std::pair<unsigned, int64_t>> trail; // raised boxes, old starts
  std::vector<int64_t> pile, broken;               // per section
  std::vector<int64_t> stampOf;                    // per section: last piled
  int64_t stamp = 0;
  llvm::BitVector reached;
  std::vector<std::pair<int64_t, unsigned>> byStart;
  std::unordered_set<uint64_t> failed;
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_CANONICAL_H
