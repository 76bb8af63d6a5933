//===- Depend.h - what steps of a loop need of each other -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the dependences of groups with host dimensions: who wrote
// what a tile reads, how many steps before, and in which tile. A recurrence of
// h[t] = f(h[t - 1], c[t - 1]), tiles along its width:
//
//   c -> c       1 step, the same tile           local: it never leaves the
//   tile h -> gates   1 step, all tiles               global: a barrier between
//   steps gates -> c   in the same step and tile       local
//
// A reach of a few tiles to both sides is a neighbour's: flags are enough.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_DEPEND_H
#define TENON_LIB_POLY_DEPEND_H

#include "lib/Poly/Footprint.h"

namespace tenon::poly {

enum class Reach { Local, Neighbour, Global };

struct Dependence {
  unsigned writer, reader; ///< statements
  unsigned read;           ///< which of the reader's
  /// Steps in between along each host dimension; none if that differs.
  std::optional<std::vector<int64_t>> distance;
  Reach reach = Reach::Global;
  int64_t tiles = 0; ///< of a neighbour: how many to each side

  bool isCarried() const; ///< by a loop: not of the same step
};

struct LoopDependences {
  std::vector<Dependence> dependences;
  /// Of each phase: whether all tiles must have come so far before it begins,
  /// in each step. That of the first one stands between steps.
  std::vector<bool> barriers;
};

/// Of groups with the same host dimensions and the same tile dimensions, of all
/// sizes. They take turns in each step, with the same tiles; each statement is
/// in one. What cannot be decided within the allowance of operations is global.
LoopDependences dependencesOf(const Scop &scop, llvm::ArrayRef<Group> phases,
                              uint64_t operationsPerStatement = 10000);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_DEPEND_H
