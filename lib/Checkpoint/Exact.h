//===- Exact.h - the least time of all schedules ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CHECKPOINT_EXACT_H
#define TENON_LIB_CHECKPOINT_EXACT_H

#include "lib/Checkpoint/Problem.h"

namespace tenon::ckpt {

inline constexpr unsigned mostExactValues = 20;

/// The least time, in picoseconds, of any schedule in the order of the steps
/// with at most `budget` bytes in use: what to drop, when to compute a value
/// again, as often as it helps. None if no schedule fits. The oracle of tests:
/// a shortest way through all pairs of steps done and values in memory, at most
/// 2^values for each step. Needs at most `mostExactValues`.
std::optional<int64_t> exactTime(const Problem &problem, int64_t budget);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_EXACT_H
