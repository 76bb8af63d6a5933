//===- Seeds.h - plans by minimum cuts --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CHECKPOINT_SEEDS_H
#define TENON_LIB_CHECKPOINT_SEEDS_H

#include "lib/Checkpoint/Marks.h"

namespace tenon::ckpt {

/// Plans of cuts at all prices that matter, of the narrow borders that the
/// problem has, and of what others would do: computed again for each use, and
/// only once. So the search is never worse than these.
std::vector<Marks> seedsOf(const Problem &problem);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_SEEDS_H
