//===- Gaps.h - where values wait for a late use ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CHECKPOINT_GAPS_H
#define TENON_LIB_CHECKPOINT_GAPS_H

#include "lib/Checkpoint/Evaluator.h"

namespace tenon::ckpt {

/// What a change gains for what it costs. Compared exactly, as fractions.
struct Worth {
  int64_t gain = 0; ///< bytes above the budget, summed over events
  int64_t cost = 0; ///< picoseconds; not above 0: it is free
  bool operator>(const Worth &other) const;
};

/// A value that waits in memory until a step that could compute it again.
struct Gap {
  unsigned value = 0, step = 0;
  Worth worth; ///< about
};

/// The gaps at events above the budget, the most worth first, at most so many.
/// A gap may also begin at such an event, if that may overwrite the value.
std::vector<Gap> gapsOf(const Evaluator &evaluator, int64_t budget,
                        size_t most);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_GAPS_H
