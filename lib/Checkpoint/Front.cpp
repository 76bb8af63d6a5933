//===- Front.cpp - plans that nothing beats -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Front.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon::ckpt;

const Plan *Front::within(int64_t budget) const {
  auto behind =
      llvm::upper_bound(points, budget, [](int64_t budget, const Plan &plan) {
        return budget < plan.peak;
      });
  return behind == points.begin() ? nullptr : &behind[-1];
}

bool Front::wants(int64_t peak, int64_t time) const {
  const Plan *best = within(peak);
  return !best || time < best->time;
}

void Front::offer(Plan plan) {
  if (!wants(plan.peak, plan.time))
    return;
  auto first =
      llvm::lower_bound(points, plan.peak, [](const Plan &point, int64_t peak) {
        return point.peak < peak;
      });
  auto last = first;
  while (last != points.end() && last->time >= plan.time)
    ++last;
  if (first == last) {
    points.insert(first, std::move(plan));
    return;
  }
  *first = std::move(plan);
  points.erase(first + 1, last);
}
