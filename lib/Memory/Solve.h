//===- Solve.h - solvers of the placement problem ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the solvers: free functions from a checked Problem to a
// Solution. All are deterministic.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SOLVE_H
#define TENON_LIB_MEMORY_SOLVE_H

#include "lib/Memory/Problem.h"

namespace tenon::mem {

/// In which order a greedy solver places buffers.
enum class Order {
  BySize,     ///< largest first
  ByArea,     ///< size times length of life, largest first
  ByLifetime, ///< longest first
  ByTime,     ///< birth, then larger first
};

/// Which gap a greedy solver takes among those that fit.
enum class Fit {
  First, ///< the lowest
  Best,  ///< the smallest
};

/// Places one buffer after the other, each at an offset that no placed buffer
/// which lives at the same time covers. Never fails; O(n^2 log n).
Solution solveGreedy(const Problem &problem, Order order, Fit fit);

/// The best of all greedy orders and fits; stops at the lower bound.
Solution solvePortfolio(const Problem &problem);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SOLVE_H
