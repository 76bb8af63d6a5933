//===- Orders.cpp - launches one by one, and lists ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Search.h"
#include "llvm/ADT/STLExtras.h"

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
