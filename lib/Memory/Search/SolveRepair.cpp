//===- SolveRepair.cpp - mend what touches the peak -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/SolveRepair.h"
#include "lib/Memory/Search/Packing.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace tenon::mem;

namespace {
/// How the blocks at the peak are stacked, from the bottom.
enum class Stack { LastEnd, Size, Lifetime, FirstBirth };

class Repair {
public:
  Repair(const Arena &arena, Stack stack)
      : arena(arena), blame(arena.size(), 0) {
    for (const Block &block : arena.members)
      keys.push_back(greedyKey(arena.problem, block));
    for (unsigned i = 0; i < arena.size(); ++i)
      peakRank.push_back(rankAtPeak(keys[i], stack));
  }

  Placement replay(int64_t &looked) const {
    std::vector<unsigned> order = numbersBelow(arena.size());
    llvm::sort(order,
               [&](unsigned a, unsigned b) { return place(a) < place(b); });
    return placeInOrder(arena, order, Fit::First, looked);
  }

  /// Moves up what ended above the goal; false where only the first tier did.
  bool learn(const Placement &placement, int64_t goal) {
    bool changed = false;
    for (unsigned i = 0; i < arena.size(); ++i) {
      const Block &block = arena.members[i];
      if (tier(i) == 0 || placement.starts[i] + block.size <= goal)
        continue;
      ++blame[i];
      changed = true;
    }
    return changed;
  }

private:
  const Arena &arena;
  std::vector<GreedyKey> keys;
  std::vector<int64_t> peakRank;
  std::vector<int64_t> blame;

  static int64_t rankAtPeak(const GreedyKey &key, Stack stack) {
    switch (stack) {
    case Stack::LastEnd:
      return -(key.born + key.life);
    case Stack::Size:
      return -key.size;
    case Stack::Lifetime:
      return -key.life;
    case Stack::FirstBirth:
      return key.born;
    }
    return 0;
  }

  int tier(unsigned i) const {
    if (arena.members[i].fixed)
      return -1;
    if (arena.atPeak[i])
      return 0;
    return blame[i] ? 1 : 2;
  }

  /// Where the block comes in the order; smaller is earlier.
  std::tuple<int, int64_t, int64_t, int64_t, unsigned> place(unsigned i) const {
    int tier = this->tier(i);
    if (tier == 0)
      return {tier, peakRank[i], -keys[i].size, 0, i};
    return {tier, -blame[i], -keys[i].size, -keys[i].life, i};
  }
};
} // namespace

/// Replays of one stack, as long as they may still help.
static constexpr int mostReplays = 6;

std::optional<Placement> tenon::mem::solveRepair(const Arena &arena,
                                                 int64_t goal, int64_t &work) {
  std::optional<Placement> best;
  for (Stack stack :
       {Stack::Size, Stack::LastEnd, Stack::Lifetime, Stack::FirstBirth}) {
    Repair repair(arena, stack);
    for (int i = 0; i < mostReplays && work > 0; ++i) {
      int64_t looked = 0;
      Placement placement = repair.replay(looked);
      work -= looked + int64_t(arena.size());
      bool learnt = repair.learn(placement, goal);
      if (!best || placement.height < best->height)
        best = std::move(placement);
      if (best->height <= goal || work <= 0)
        return best;
      if (!learnt)
        break;
    }
  }
  return best;
}
