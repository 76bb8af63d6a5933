//===- Waves.h - launches level by level ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_WAVES_H
#define TENON_LIB_SCHEDULE_WAVES_H

#include "lib/Schedule/Solution.h"

namespace tenon::sched {

/// How many launches, at most, a launch waits for one behind the other; or,
/// late, as much as those that wait for it allow.
std::vector<unsigned> levelsOf(const Problem &problem, bool late);

/// All launches of a level that may share a wave are one, or several of
/// mostInWave, if that is faster than one after the other.
Solution wavesByLevel(const Problem &problem, bool late);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_WAVES_H
