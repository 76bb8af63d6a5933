//===- Chains.cpp - steps on streams --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Chains.h"
#include "lib/Schedule/Waves.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

namespace {
/// Which step follows which on a stream, at most one each.
class Matching {
public:
  explicit Matching(const std::vector<std::vector<unsigned>> &before)
      : after(before.size()), follows(before.size()) {
    for (auto [step, direct] : llvm::enumerate(before))
      for (unsigned one : direct)
        after[one].push_back(unsigned(step));
  }

  std::vector<std::optional<unsigned>> run() {
    for (unsigned step = 0; step < after.size(); ++step) {
      llvm::BitVector seen(after.size());
      find(step, seen);
    }
    return std::move(follows);
  }

private:
  /// Finds the step a successor, if need be by moving others.
  bool find(unsigned step, llvm::BitVector &seen) {
    for (unsigned next : after[step]) {
      if (seen.test(next))
        continue;
      seen.set(next);
      if (follows[next] && !find(*follows[next], seen))
        continue;
      follows[next] = step;
      return true;
    }
    return false;
  }

  std::vector<std::vector<unsigned>> after;
  std::vector<std::optional<unsigned>> follows;
};
} // namespace

unsigned sched::spreadOverChains(const Problem &problem, Steps &steps) {
  auto follows = Matching(stepEdges(problem, steps)).run();
  unsigned chains = 0;
  for (auto [number, step] : llvm::enumerate(steps))
    step.first = follows[number] ? steps[*follows[number]].first : chains++;
  return chains;
}

Steps sched::stepsByLevel(const Problem &problem, bool late) {
  std::vector<unsigned> level = levelsOf(problem, late);
  std::vector<unsigned> order(level.size());
  for (unsigned launch = 0; launch < order.size(); ++launch)
    order[launch] = launch;
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return level[a] < level[b]; });
  Steps steps;
  for (unsigned launch : order)
    steps.push_back({{launch}});
  return steps;
}
