//===- RankedPlans.h - plans of products by their times ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TILE_RANKEDPLANS_H
#define TENON_LIB_TILE_RANKEDPLANS_H

#include "lib/Tile/GpuContraction.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace tenon::tile {

/// Gathers plans; of those that differ in stages only, which are offered one
/// after the other, the fastest.
class RankedPlans {
public:
  void offer(const GpuProductPlan &plan, double time) {
    if (ranked.empty() ||
        !isLike(std::get<GpuProductPlan>(ranked.back()), plan))
      ranked.emplace_back(plan, time);
    else if (time < std::get<double>(ranked.back()))
      ranked.back() = {plan, time};
  }

  /// Up to `most`, the fastest first; of equal times, the one offered first.
  llvm::SmallVector<GpuProductPlan> first(size_t most) {
    std::stable_sort(ranked.begin(), ranked.end(), [](auto &a, auto &b) {
      return std::get<double>(a) < std::get<double>(b);
    });
    llvm::SmallVector<GpuProductPlan> plans;
    for (size_t i = 0; i < std::min(most, ranked.size()); ++i)
      plans.push_back(std::get<GpuProductPlan>(ranked[i]));
    return plans;
  }

private:
  static bool isLike(GpuProductPlan a, const GpuProductPlan &b) {
    a.stages = b.stages;
    return a == b;
  }

  std::vector<std::tuple<GpuProductPlan, double>> ranked;
};

} // namespace tenon::tile

#endif // TENON_LIB_TILE_RANKEDPLANS_H
