//===- Waits.h - what steps wait for ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_STEPS_WAITS_H
#define TENON_LIB_SCHEDULE_STEPS_WAITS_H

#include "lib/Schedule/Steps/Steps.h"

namespace tenon::sched {

/// Lets each step wait for the earlier ones that it must come after: those that
/// launches come after, and, where offsets are given (bytes, one for each
/// tensor), those that use bytes in common with it of which one writes. None
/// that threads, streams or other waits imply. Steps must stand in an order in
/// which they may run.
void placeWaits(const Problem &problem, Steps &steps,
                llvm::ArrayRef<int64_t> offsets = {});

/// Proves waits, for every share of every step: waits go backwards; what
/// launches must come after is over; each pair of uses of common bytes, of
/// which one writes, is ordered, but for pieces of one tensor; and what a
/// tensor has in memory stays there until its last use. Needs steps that hold
/// each launch once. Uses nothing that placeWaits() uses.
llvm::Error validateWaits(const Problem &problem, llvm::ArrayRef<Step> steps,
                          llvm::ArrayRef<int64_t> offsets);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_WAITS_H
