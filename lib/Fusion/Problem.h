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
    auto operator<=>(const Edge &) const = default;
  };

  unsigned atoms = 0;
  std::vector<Edge> edges;
  /// Atoms that read one tensor: they may share a kernel though none needs
  /// another.
  std::vector<std::vector<unsigned>> readers;
  /// Atoms that share a kernel with no other, clones included.
  std::vector<bool> alone; ///< per atom; empty: none
  /// Atoms that each of their users may compute for itself: element-wise ones
  /// that are no output of the program.
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
  Cost &operator-=(const Cost &other);
};

inline Cost operator+(Cost one, const Cost &other) { return one += other; }

/// A kernel: the atoms that it is there for, and those that it computes again
/// for itself. Both ascend. All of them together are connected: two atoms touch
/// if one needs the other and the oracle lets them share, or if both read one
/// tensor.
struct Group {
  std::vector<unsigned> atoms, clones;
  bool operator==(const Group &) const = default;
  auto operator<=>(const Group &) const = default;
};

/// What a kernel of some atoms is worth: the compiler's cost model behind a
/// wall.
class Oracle {
public:
  virtual ~Oracle() = default;

  /// What the group costs; none if there is no such kernel. One atom without
  /// clones must have a cost. Asked once for each group, as seldom as can be.
  virtual std::optional<Cost> cost(const Group &group) = 0;

  /// A cost that the group's is not below, found cheaply; none if there is
  /// certainly no such kernel. Zero says nothing. Good bounds save most
  /// questions: what cannot be on the cheapest way is never asked for.
  virtual std::optional<Cost> bound(const Group &group) { return Cost(); }

  /// Whether there are kernels that one atom and another that needs it may
  /// share because of that. Where not, they may still be in one group by way of
  /// others.
  virtual bool mayShare(unsigned from, unsigned to) { return true; }
};

/// Groups in an order in which they can run.
struct Solution {
  std::vector<Group> groups = {};
  Cost cost = {}; ///< the sum over the groups

  /// How it came about.
  struct Statistics {
    int64_t regions = 0;     ///< sets of atoms solved as a whole
    int64_t cut = 0;         ///< sets too large for that, solved in windows
    int64_t ideals = 0;      ///< states of the dynamic programmes
    int64_t candidates = 0;  ///< groups they chose from
    int64_t transitions = 0; ///< ways from state to state
    int64_t asked = 0;       ///< questions to the oracle
    int64_t steps = 0;       ///< of all loops that count
    int64_t cloned = 0;      ///< atoms that live in their users only
  } statistics = {};
};

/// Whether numbers fit and each atom needs lower ones only; what is wrong.
llvm::Error check(const Problem &problem);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_PROBLEM_H
