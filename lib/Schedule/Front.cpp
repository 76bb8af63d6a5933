//===- Front.cpp - time against bytes, in a few steps ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Front.h"

#include <algorithm>

using namespace tenon;
using namespace tenon::sched;

std::vector<FrontPoint> sched::frontInSteps(int64_t least,
                                            FastestBelow fastest) {
  constexpr int64_t steps = 8;
  std::vector<FrontPoint> front;
  std::optional<FrontPoint> next = fastest(std::nullopt);
  int64_t step = next ? std::max<int64_t>((next->bytes - least) / steps, 1) : 0;
  while (next) {
    // With less freedom something faster may have been found.
    std::erase_if(front, [&](const FrontPoint &point) {
      return point.time >= next->time;
    });
    front.push_back(*next);
    if (next->bytes <= least)
      break;
    next = fastest(std::max(next->bytes - step, least));
  }
  return front;
}
