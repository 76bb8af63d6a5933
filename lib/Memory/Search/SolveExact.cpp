//===- SolveExact.cpp - search for the smallest arena ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/SolveExact.h"
#include "lib/Memory/Search/Restarts.h"
#include "lib/Memory/Search/Stacking.h"

#include <algorithm>
#include <functional>

using namespace tenon::mem;

/// Deciding pairs is hopeless for more blocks; their pairs would fill memory.
static constexpr size_t mostStacked = 2000;

namespace {
/// Answers whether a placement within a capacity exists; fills the placement.
using Decide = std::function<Verdict(int64_t capacity, int64_t &work,
                                     Placement &placement)>;

/// Closes in on the smallest capacity.
class Bisection {
public:
  Bisection(const Arena &arena, int64_t goal, int64_t best, int64_t step)
      : arena(arena), goal(goal), best(best), step(step) {
    // Everything below is known to be impossible, then merely given up.
    impossible = arena.lowerBound - 1;
  }

  Exact run(const Decide &decide, int64_t &work) {
    // The goal is worth most of the work: it is often met.
    spend(decide, goal, work / 4 * 3, work);
    while (work > 0 && best > goal && open() > 0)
      spend(decide, middle(), work / 4 + 1, work);
    result.optimal = below(impossible) + step >= best;
    return std::move(result);
  }

private:
  const Arena &arena;
  int64_t goal, best, step;
  int64_t impossible, hopeless = 0;
  Exact result;

  /// The highest arena not above `bytes` that a placement can have.
  int64_t below(int64_t bytes) const { return bytes / step * step; }

  /// How many capacities are neither answered nor given up.
  int64_t open() const {
    return (best - below(std::max(impossible, hopeless))) / step - 1;
  }

  int64_t middle() const {
    return below(std::max(impossible, hopeless)) + (open() + 1) / 2 * step;
  }

  void spend(const Decide &decide, int64_t capacity, int64_t share,
             int64_t &work) {
    int64_t left = share;
    ask(decide, capacity, left);
    work -= share - left;
  }

  void ask(const Decide &decide, int64_t capacity, int64_t &work) {
    if (capacity >= best || capacity < arena.lowerBound)
      return;
    Placement placement;
    switch (decide(capacity, work, placement)) {
    case Verdict::Found:
      best = placement.height;
      result.placement = std::move(placement);
      return;
    case Verdict::Infeasible:
      impossible = std::max(impossible, capacity);
      return;
    case Verdict::GaveUp:
      hopeless = std::max(hopeless, capacity);
      return;
    }
  }
};
} // namespace

static Placement placementOf(const Arena &arena,
                             llvm::ArrayRef<int64_t> starts) {
  Placement placement{starts.vec(), 0};
  for (unsigned i = 0; i < arena.size(); ++i)
    placement.height =
        std::max(placement.height, starts[i] + arena.members[i].size);
  return placement;
}

Exact tenon::mem::solveExact(const Arena &arena, int64_t goal, int64_t best,
                             unsigned threads, int64_t &work) {
  if (Boxes::describe(arena)) {
    Boxes boxes(arena);
    Restarts restarts(boxes, threads);
    Decide decide = [&](int64_t capacity, int64_t &left, Placement &placement) {
      Verdict verdict = restarts.find(capacity, left);
      if (verdict == Verdict::Found)
        placement = placementOf(arena, restarts.starts());
      return verdict;
    };
    return Bisection(arena, goal, best, boxes.step).run(decide, work);
  }
  if (arena.size() > mostStacked)
    return {};
  StackingSearch search(arena);
  Decide decide = [&](int64_t capacity, int64_t &left, Placement &placement) {
    Verdict verdict = search.find(capacity, left);
    if (verdict == Verdict::Found)
      placement = placementOf(arena, search.starts());
    return verdict;
  };
  return Bisection(arena, goal, best, 1).run(decide, work);
}
