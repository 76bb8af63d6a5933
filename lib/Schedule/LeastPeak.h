//===- LeastPeak.h - the order with the least peak --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_LEASTPEAK_H
#define TENON_LIB_SCHEDULE_LEASTPEAK_H

#include "lib/Schedule/Part.h"

namespace tenon::sched {

/// An order of all launches, one after the other, and what it keeps.
struct LaunchOrder {
  std::vector<unsigned> launches;
  int64_t peak = 0; ///< bytes
};

/// The order with the least peak: best first over sets of launches that wait
/// for nothing outside, of all launches at once. A launch that costs nothing,
/// now or later, comes at once. None if more sets than allowed are visited.
std::optional<LaunchOrder> leastPeakOrder(const Problem &problem,
                                          const Predecessors &before,
                                          int64_t states);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_LEASTPEAK_H
