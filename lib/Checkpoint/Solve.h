//===- Solve.h - time against bytes -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the search. Its answer is not a plan for a budget, but a
// frontier that does not depend on one: the plan for a budget is the fastest
// point within it. So more bytes never take more time, and less time never
// fewer bytes, whatever the search missed.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_SOLVE_H
#define TENON_LIB_CHECKPOINT_SOLVE_H

#include "lib/Checkpoint/Front.h"

namespace tenon::ckpt {

/// Counts evaluations, never seconds: the same problem has the same frontier.
struct Options {
  /// None: a thousand for each step, at most a quarter of a million. That many
  /// take two seconds for the 540 steps of BERT.
  std::optional<int64_t> evaluations = {};
  unsigned gaps = 24; ///< that one step down looks at
};

struct Frontier {
  Plan program;            ///< nothing is computed again
  int64_t bound = 0;       ///< no plan needs fewer bytes; see leastBytes()
  int64_t evaluations = 0; ///< how many the search made
  /// Fastest first: times ascend, bytes descend.
  std::vector<Plan> plans = {};

  /// The fastest plan with at most `budget` bytes. An error names the least
  /// bytes known, the bound, and the node that it comes from.
  llvm::Expected<Plan> within(const Problem &problem, int64_t budget) const;
};

/// The largest step alone: what it reads and cannot compute itself, what it
/// stores, and what is there because it cannot be computed again.
struct LeastBytes {
  int64_t bytes = 0;
  unsigned step = 0; ///< the first one that needs them
};
LeastBytes leastBytes(const Problem &problem);

/// An error if the problem is wrong.
llvm::Expected<Frontier> solve(const Problem &problem,
                               const Options &options = {});

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_SOLVE_H
