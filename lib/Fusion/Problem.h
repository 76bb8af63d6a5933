//===- Problem.h - which atoms become one kernel ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the problem of grouping: atoms, what each needs of others,
// and an oracle that says what a kernel of several costs. A solution is a
// sequence of groups, each of which needs earlier ones only:
//
//        a            {a, b, c}  then {d}        one launch less, and what a
//       / \    d                                 writes stays in a cache
//      b   c  /
//           \/
//
// The cheapest one is found by a dynamic programme over ideals (sets of atoms
// that need nothing outside of them): best[I + G] = best[I] + cost(G).
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_PROBLEM_H
#define TENON_LIB_FUSION_PROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::fusion {

/// Atoms are numbered so that each needs lower ones only.
struct Problem {
  struct Edge {
    unsigned from, to; ///< `to` needs what `from` makes
  };

  unsigned atoms = 0;
  std::vector<Edge> edges;
  /// Atoms that read one tensor: they may share a kernel though none needs
  /// another.
  std::vector<std::vector<unsigned>> readers;
  /// Atoms that share a kernel with no other.
  std::vector<bool> alone; ///< per atom; empty: none
  /// Atoms that each of their users may compute for itself: element-wise ones.
  std::vector<bool> cloneable; ///< per atom; empty: none
};

/// What a kernel takes, in fixed point, so that sums are exact. Compared member
/// by member: the later ones break ties.
struct Cost {
  int64_t time = 0;   ///< what the device takes, in its unit
  int64_t memory = 0; ///< bytes from and to memory
  int64_t mid = 0;    ///< bytes across the private caches
  int64_t work = 0;   ///< operations
  int64_t tiles = 0;

  auto operator<=>(const Cost &) const = default;
  Cost &operator+=(const Cost &other);
};

/// A kernel: the atoms that it is there for, and those that it computes again
/// for itself. Both ascend.
struct Group {
  std::vector<unsigned> atoms, clones;
  bool operator==(const Group &) const = default;
  auto operator<=>(const Group &) const = default;
};

class Oracle {
public:
  virtual ~Oracle() = default;
  /// What the group costs; none if there is no such kernel. One atom without
  /// clones must have a cost. Asked once for each group.
  virtual std::optional<Cost> cost(const Group &group) = 0;
};

/// Groups in an order in which they can run.
struct Solution {
  std::vector<Group> groups;
  Cost cost;

  /// How it came about.
  struct Statistics {
    int64_t components = 0, ideals = 0, transitions = 0, asked = 0;
    int64_t greedyComponents = 0; ///< too large for the dynamic programme
    int64_t cloned = 0;           ///< atoms that live in their users only
  } statistics;
};

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_PROBLEM_H
