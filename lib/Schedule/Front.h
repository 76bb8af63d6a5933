//===- Front.h - time against bytes, in a few steps -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_FRONT_H
#define TENON_LIB_SCHEDULE_FRONT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::sched {

/// What a schedule takes.
struct FrontPoint {
  int64_t time, bytes; ///< nanoseconds
  bool operator==(const FrontPoint &) const = default;
};

/// The fastest schedule below a cap; none if nothing fits.
using FastestBelow =
    llvm::function_ref<std::optional<FrontPoint>(std::optional<int64_t> cap)>;

/// What a search finds without a cap, then below lower and lower ones, down to
/// `least` bytes, in at most 8 even steps: a search may take as long as a
/// compilation's. The fastest first; none is slower and larger than another.
std::vector<FrontPoint> frontInSteps(int64_t least, FastestBelow fastest);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_FRONT_H
