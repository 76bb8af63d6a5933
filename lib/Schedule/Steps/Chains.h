//===- Chains.h - steps on streams ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares ways to make steps, before anything is waited for.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_STEPS_CHAINS_H
#define TENON_LIB_SCHEDULE_STEPS_CHAINS_H

#include "lib/Schedule/Steps/Steps.h"

namespace tenon::sched {

/// Puts steps on as few streams as have no two that could run side by side: a
/// maximum matching of the edges that others do not imply (Nimble). Returns
/// how many.
unsigned spreadOverChains(const Problem &problem, Steps &steps);

/// Each launch alone, level by level.
Steps stepsByLevel(const Problem &problem, bool late);

/// Streams of a GPU by a list: of the launches that may begin and are near each
/// other in the program, the one that can begin first, then the one with the
/// longest way to the end, on the stream where it begins first. Each keeps its
/// part of the device to itself. Glued: what waits for nothing runs directly
/// before what needs it.
Steps listOfStreams(const Problem &problem, unsigned streams, bool glued);

/// Launches on the threads of a processor by a list: of those that may begin
/// when a thread is free, the one with the longest way to the end, on the
/// threads where its end and `price` thousandths of the time that it takes of
/// all threads are least.
Steps listOfThreads(const Problem &problem, int64_t price);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_CHAINS_H
