//===- Judge.h - arenas of plans --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_JUDGE_H
#define TENON_PASSES_CHECKPOINT_JUDGE_H

#include "lib/Checkpoint/Solve.h"

namespace tenon::checkpoint {

/// A plan, and what the memory planner makes of it.
struct Judged {
  ckpt::Plan plan;
  int64_t arena = 0; ///< bytes, proven
};

/// The arena of a program's events, placed and proven by lib/Memory. Results
/// that no event reads take their bytes while their kernel runs, and so does
/// what clones store `beside` a value (bytesBeside).
llvm::Expected<int64_t> arenaOf(const ckpt::Problem &problem,
                                const ckpt::Evaluation &evaluation,
                                llvm::ArrayRef<int64_t> beside);

/// A plan, proven and placed.
llvm::Expected<Judged> judge(const ckpt::Problem &problem,
                             const ckpt::Plan &plan,
                             llvm::ArrayRef<int64_t> beside);

/// The plans of a frontier that nothing beats once they are placed, fastest
/// first: what is slower has a smaller arena.
llvm::Expected<std::vector<Judged>> judge(const ckpt::Problem &problem,
                                          const ckpt::Frontier &frontier,
                                          llvm::ArrayRef<int64_t> beside);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_JUDGE_H
