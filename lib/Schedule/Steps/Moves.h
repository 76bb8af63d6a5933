//===- Moves.h - small changes to steps -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_STEPS_MOVES_H
#define TENON_LIB_SCHEDULE_STEPS_MOVES_H

#include "lib/Schedule/Steps/Steps.h"

namespace tenon::sched {

/// Tries so many seeded changes: a step on other threads or another stream, or
/// at another place in the order. Keeps what is faster when steps wait for
/// data alone, and needs at most so many bytes in turn, or no more than before.
/// Lists waits as if for data.
Steps improve(const Problem &problem, Steps steps, unsigned moves,
              uint32_t seed, int64_t most = INT64_MAX);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_MOVES_H
