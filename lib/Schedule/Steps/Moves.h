//===- Moves.h - small changes to steps -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_STEPS_MOVES_H
#define TENON_LIB_SCHEDULE_STEPS_MOVES_H

#include "lib/Schedule/Steps/Steps.h"

namespace tenon::sched {

/// Tries so many seeded changes: a step on other threads or another stream, or
/// at another place in the order. Keeps what is faster when steps wait for
/// data alone, and needs at most so many bytes in turn, or no more than before.
/// Lists waits as if for data. On a GPU there may be one stream more than the
/// steps have, of `mostStreams`.
struct MoveOptions {
  unsigned moves = 2000;
  uint32_t seed = 1;
  int64_t most = INT64_MAX; ///< bytes
  unsigned mostStreams = mostThreads;
};
Steps improve(const Problem &problem, Steps steps, const MoveOptions &options);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_MOVES_H
