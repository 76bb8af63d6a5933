//===- Levels.h - keeping what is small low ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a solver for arenas that caches see. An arena is as large
// as its peak, and solvers are content with that: what lives while little does
// is spread over all of it, and finds nothing in a cache that the buffers
// before it have left. Here the quiet times, in which at most three quarters
// of the arena are alive, are solved for themselves first, and theirs before
// them:
//
//   offset ^     +---+
//          |     |   |
//          |   +-+   +--+
//          |   |        |  +--+
//          +---+--------+--+--+---> time
//           low           low, within their own peak
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_LEVELS_H
#define TENON_LIB_MEMORY_LEVELS_H

#include "lib/Memory/Solve.h"

namespace tenon::mem {

/// Moves the buffers of quiet times down, where that leaves the arena as small.
/// Problems of one stream and one scope without fixed offsets; the outcome of
/// others stays as it is.
void lowerQuietTimes(const Problem &problem, Outcome &outcome);

/// solve(), then that.
Outcome solveInLevels(const Problem &problem, const Options &options = {});

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_LEVELS_H
