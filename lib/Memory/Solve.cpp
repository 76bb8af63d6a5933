//===- Solve.cpp - from the cheapest solver to the dearest ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Solve.h"
#include "lib/Memory/Packing.h"

using namespace tenon::mem;

namespace {
/// A problem split by scope, and the way back.
struct Split {
  const Problem &problem;
  Blocks blocks;
  Lives lives;
  std::vector<Arena> arenas;
  std::vector<std::vector<unsigned>> blocksOf; // of each arena's members

  explicit Split(const Problem &problem)
      : problem(problem), blocks(llvm::cantFail(buildBlocks(problem))),
        lives(problem), blocksOf(problem.scopes()) {
    for (int64_t bound : lowerBounds(problem))
      arenas.push_back({problem, lives, {}, bound});
    for (unsigned i = 0; i < blocks.blocks.size(); ++i) {
      unsigned scope = blocks.blocks[i].scope;
      blocksOf[scope].push_back(i);
      arenas[scope].members.push_back(blocks.blocks[i]);
    }
  }

  Solution join(llvm::ArrayRef<Placement> placements) const {
    std::vector<int64_t> starts(blocks.blocks.size());
    for (size_t a = 0; a < arenas.size(); ++a)
      for (size_t i = 0; i < blocksOf[a].size(); ++i)
        starts[blocksOf[a][i]] = placements[a].starts[i];
    return blocks.solution(problem, starts);
  }
};
} // namespace

static Placement bestGreedy(const Arena &arena, int64_t &work) {
  Placement best;
  for (Order order :
       {Order::BySize, Order::ByArea, Order::ByLifetime, Order::ByTime}) {
    std::vector<unsigned> indices = placementOrder(arena, order);
    for (Fit fit : {Fit::First, Fit::Best}) {
      Placement placement = placeInOrder(arena, indices, fit, work);
      if (best.starts.empty() || placement.height < best.height)
        best = std::move(placement);
      if (best.height <= arena.lowerBound)
        return best;
    }
  }
  return best;
}

Solution tenon::mem::solveGreedy(const Problem &problem, Order order, Fit fit) {
  Split split(problem);
  std::vector<Placement> placements;
  int64_t work = 0;
  for (const Arena &arena : split.arenas)
    placements.push_back(
        placeInOrder(arena, placementOrder(arena, order), fit, work));
  return split.join(placements);
}

Solution tenon::mem::solvePortfolio(const Problem &problem) {
  Split split(problem);
  std::vector<Placement> placements;
  int64_t work = 0;
  for (const Arena &arena : split.arenas)
    placements.push_back(bestGreedy(arena, work));
  return split.join(placements);
}

Outcome tenon::mem::solve(const Problem &problem, const Options &options) {
  Outcome outcome;
  outcome.solution = solvePortfolio(problem);
  outcome.lowerBound = lowerBound(problem);
  outcome.solver = "greedy";
  outcome.optimal = outcome.solution.arenaBytes() == outcome.lowerBound;
  return outcome;
}
