//===- Solve.h - solvers of the placement problem ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the solvers: free functions from a checked Problem to a
// Solution. All are deterministic, for every number of threads: a budget
// counts units of work (buffers looked at), not seconds.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SOLVE_H
#define TENON_LIB_MEMORY_SOLVE_H

#include "lib/Memory/Problem.h"
#include <functional>

namespace tenon::mem {

/// In which order a greedy solver places blocks.
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

/// Places one block after the other, each at an offset that no placed buffer
/// that meets one of its own covers. Fixed blocks go first. Never fails.
Solution solveGreedy(const Problem &problem, Order order, Fit fit);

/// The best of all greedy orders and fits; stops at the lower bound.
Solution solvePortfolio(const Problem &problem);

/// How far a solver may go.
struct Options {
  /// Units of work over all scopes; about 1e9 a second.
  int64_t work = 7'000'000'000;
  unsigned threads = 1;
  /// The arena that is good enough, per scope; 0: the lower bound.
  int64_t capacity = 0;
  /// "greedy", "repair", "exact"; empty: all of them, until one reaches the
  /// goal.
  std::string solver;
  /// Told after each step, for progress: solver and arena so far.
  std::function<void(llvm::StringRef solver, int64_t arenaBytes)> progress;
};

/// Whether Options::solver may be that, apart from empty.
bool isSolver(llvm::StringRef name);

/// A solution and how it came about.
struct Outcome {
  Solution solution;
  std::vector<int64_t> lowerBounds = {}; ///< per scope, as lowerBounds() says
  std::string solver;                    ///< the one that found it
  bool optimal = false;                  ///< proven: no smaller arena exists
  int64_t work = 0;                      ///< units that were spent

  /// The sum over all scopes.
  int64_t lowerBound() const;
};

/// Greedy, then repair, then exact search, until the lower bound (or the
/// capacity) is reached or the work is spent. The problem must be checked.
Outcome solve(const Problem &problem, const Options &options = {});

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SOLVE_H
