//===- Orders.cpp - launches one by one, and lists ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Search.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace tenon;
using namespace tenon::sched;

/// Calls the function with each launch that may follow an ideal.
template <typename Function>
static void forReady(const Part &part, Mask ideal, Function function) {
  forEach(part.all() & ~ideal, [&](unsigned index) {
    if (!(part.needs[index] & ~ideal))
      function(index);
  });
}

namespace {
/// Ideals, lowest peak first and of these the largest, each launch a step.
class LeastPeak {
public:
  LeastPeak(const Part &part, int64_t most) : part(part), most(most) {}

  std::optional<std::vector<unsigned>> run() {
    steps[0] = {0, 0};
    open.push({part.live(0), 0, 0});
    while (!open.empty()) {
      auto [peak, count, ideal] = open.top();
      open.pop();
      if (ideal == part.all())
        return order();
      if (peak > steps[ideal].peak && ideal)
        continue;
      if (int64_t(steps.size()) > most)
        return std::nullopt;
      if (std::optional<unsigned> free = freeLaunch(ideal, peak))
        reach(ideal, *free, peak);
      else
        forReady(part, ideal,
                 [&](unsigned index) { reach(ideal, index, peak); });
    }
    return std::nullopt;
  }

private:
  struct Step {
    int64_t peak;
    unsigned index; ///< the last launch
  };
  using Key = std::tuple<int64_t, int, Mask>; ///< peak, -launches, ideal

  /// A launch that costs nothing, now or later, may as well come next.
  std::optional<unsigned> freeLaunch(Mask ideal, int64_t peak) const {
    std::optional<unsigned> free;
    int64_t live = part.live(ideal);
    forReady(part, ideal, [&](unsigned index) {
      if (!free && part.peak(ideal, index) <= peak &&
          part.live(ideal | bit(index)) <= live)
        free = index;
    });
    return free;
  }

  void reach(Mask ideal, unsigned index, int64_t peak) {
    Mask next = ideal | bit(index);
    peak = std::max(peak, part.peak(ideal, index));
    auto [found, isNew] = steps.try_emplace(next, Step{peak, index});
    if (!isNew && found->second.peak <= peak)
      return;
    found->second = {peak, index};
    open.push({peak, -llvm::popcount(next), next});
  }

  std::vector<unsigned> order() {
    std::vector<unsigned> order;
    for (Mask ideal = part.all(); ideal; ideal &= ~bit(order.back()))
      order.push_back(steps[ideal].index);
    std::reverse(order.begin(), order.end());
    return order;
  }

  const Part &part;
  int64_t most;
  llvm::DenseMap<Mask, Step> steps;
  std::priority_queue<Key, std::vector<Key>, std::greater<Key>> open;
};

class List {
public:
  explicit List(const Part &part) : part(part), tails(tailsOf(part)) {}

  std::optional<PartSolution> run() {
    while (ideal != part.all())
      if (!step())
        return std::nullopt;
    return std::move(solution);
  }

private:
  static constexpr size_t mostSideBySide = 8;

  /// Takes the widest stage that is no slower than its launches in turn.
  bool step() {
    Components ready;
    forReady(part, ideal, [&](unsigned index) { ready.push_back(bit(index)); });
    llvm::sort(ready, [&](Mask a, Mask b) {
      return std::pair(-tails[llvm::countr_zero(a)], a) <
             std::pair(-tails[llvm::countr_zero(b)], b);
    });
    for (size_t count = std::min(ready.size(), mostSideBySide); count > 1;
         --count)
      if (take(llvm::ArrayRef(ready).take_front(count)))
        return true;
    // One alone: the first that fits.
    return llvm::any_of(ready, [&](Mask launch) { return take(launch); });
  }

  int64_t inTurn(llvm::ArrayRef<Mask> launches) const {
    int64_t time = 0;
    for (Mask launch : launches)
      time += part.timeOf(llvm::countr_zero(launch), part.problem().threads);
    return time;
  }

  bool take(llvm::ArrayRef<Mask> launches) {
    Choice choice = cheapest(part, ideal, launches, inTurn(launches));
    if (!choice.exists())
      return false;
    solution.stages.push_back(stageOf(part, choice));
    solution.time += choice.time;
    solution.peak = std::max(solution.peak, choice.peak);
    for (Mask launch : launches)
      ideal |= launch;
    return true;
  }

  const Part &part;
  std::vector<int64_t> tails;
  Mask ideal = 0;
  PartSolution solution;
};
} // namespace

std::optional<std::vector<unsigned>> sched::leastPeakOrder(const Part &part,
                                                           int64_t states) {
  return LeastPeak(part, states).run();
}

std::optional<PartSolution> sched::listSchedule(const Part &part) {
  return List(part).run();
}

std::optional<PartSolution> sched::inOrder(const Part &part,
                                           llvm::ArrayRef<unsigned> order) {
  PartSolution solution;
  Mask ideal = 0;
  for (unsigned index : order) {
    Choice choice = cheapest(part, ideal, bit(index), INT64_MAX);
    if (!choice.exists())
      return std::nullopt;
    solution.stages.push_back(stageOf(part, choice));
    solution.time += choice.time;
    solution.peak = std::max(solution.peak, choice.peak);
    ideal |= bit(index);
  }
  return solution;
}
