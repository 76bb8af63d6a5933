//===- Solve.cpp - from the cheapest solver to the dearest ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Solve.h"
#include "lib/Memory/Bound.h"
#include "lib/Memory/Search/Packing.h"
#include "lib/Memory/Search/SolveExact.h"
#include "lib/Memory/Search/SolveRepair.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

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
    std::vector<bool> atPeak(blocks.blocks.size(), false);
    for (const Peak &peak : findPeaks(problem, blocks)) {
      arenas.push_back({problem, lives, {}, {}, peak.bytes});
      for (unsigned buffer : peak.buffers)
        atPeak[blocks.blockOf[buffer]] = true;
    }
    for (unsigned i = 0; i < blocks.blocks.size(); ++i) {
      unsigned scope = blocks.blocks[i].scope;
      blocksOf[scope].push_back(i);
      arenas[scope].members.push_back(blocks.blocks[i]);
      arenas[scope].atPeak.push_back(atPeak[i]);
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

namespace {
struct Greedy {
  Order order;
  Fit fit;
};
} // namespace

static constexpr Greedy portfolio[] = {
    {Order::BySize, Fit::First},     {Order::BySize, Fit::Best},
    {Order::ByArea, Fit::First},     {Order::ByArea, Fit::Best},
    {Order::ByLifetime, Fit::First}, {Order::ByLifetime, Fit::Best},
    {Order::ByTime, Fit::First},     {Order::ByTime, Fit::Best}};

/// Runs greedy solvers until one meets the goal or the work is used up; the
/// first always runs. `work` counts down.
static Placement bestGreedy(const Arena &arena, llvm::ArrayRef<Greedy> greedies,
                            int64_t goal, int64_t &work) {
  Placement best;
  for (Greedy greedy : greedies) {
    int64_t looked = 0;
    Placement placement = placeInOrder(
        arena, placementOrder(arena, greedy.order), greedy.fit, looked);
    work -= looked;
    if (best.starts.empty() || placement.height < best.height)
      best = std::move(placement);
    if (best.height <= goal || work <= 0)
      return best;
  }
  return best;
}

Solution tenon::mem::solveGreedy(const Problem &problem, Order order, Fit fit) {
  Split split(problem);
  std::vector<Placement> placements;
  int64_t looked = 0;
  for (const Arena &arena : split.arenas)
    placements.push_back(
        placeInOrder(arena, placementOrder(arena, order), fit, looked));
  return split.join(placements);
}

Solution tenon::mem::solvePortfolio(const Problem &problem) {
  Split split(problem);
  std::vector<Placement> placements;
  int64_t work = INT64_MAX;
  for (const Arena &arena : split.arenas)
    placements.push_back(bestGreedy(arena, portfolio, arena.lowerBound, work));
  return split.join(placements);
}

namespace {
/// One arena on its way through the solvers.
class Driver {
public:
  Driver(const Arena &arena, const Options &options, int64_t work)
      : work(work), arena(arena), options(options),
        goal(std::max(arena.lowerBound, options.capacity)) {}

  void run() {
    // Something must come out of every budget.
    llvm::ArrayRef<Greedy> greedies(portfolio);
    offer("greedy", bestGreedy(arena, greedies.take_front(), goal, work));
    spend("repair", work / 2, [&](int64_t &left) {
      if (auto found = solveRepair(arena, goal, left))
        offer("repair", std::move(*found));
    });
    spend("greedy", work / 2, [&](int64_t &left) {
      offer("greedy", bestGreedy(arena, greedies.drop_front(), goal, left));
    });
    spend("exact", work, [&](int64_t &left) {
      Exact exact = solveExact(arena, goal, best.height, options.threads, left);
      optimal = exact.optimal;
      if (exact.placement)
        offer("exact", std::move(*exact.placement));
    });
    optimal |= best.height <= arena.lowerBound;
  }

  Placement best;
  std::string solver;
  bool optimal = false;
  int64_t work;

private:
  const Arena &arena;
  const Options &options;
  int64_t goal;

  template <typename Run>
  void spend(llvm::StringRef name, int64_t share, Run run) {
    bool wanted = options.solver.empty() || options.solver == name;
    if (!wanted || best.height <= goal || share <= 0)
      return;
    int64_t left = share;
    run(left);
    work -= share - left;
  }

  void offer(llvm::StringRef name, Placement placement) {
    if (best.starts.empty() || placement.height < best.height) {
      best = std::move(placement);
      solver = name.str();
    }
    if (options.progress)
      options.progress(name, best.height);
  }
};
} // namespace

static constexpr llvm::StringLiteral solvers[] = {"exact", "repair", "greedy"};

bool tenon::mem::isSolver(llvm::StringRef name) {
  return llvm::is_contained(solvers, name);
}

int64_t Outcome::lowerBound() const {
  return std::accumulate(lowerBounds.begin(), lowerBounds.end(), int64_t(0));
}

/// The dearer of two solvers, for a problem of several arenas.
static llvm::StringRef dearer(llvm::StringRef a, llvm::StringRef b) {
  return *llvm::find_if(
      solvers, [&](llvm::StringRef name) { return name == a || name == b; });
}

Outcome tenon::mem::solve(const Problem &problem, const Options &options) {
  Split split(problem);
  Outcome outcome;
  outcome.optimal = true;
  std::vector<Placement> placements;
  int64_t work = options.work;
  for (const Arena &arena : split.arenas) {
    Driver driver(arena, options, work);
    driver.run();
    work = driver.work;
    placements.push_back(std::move(driver.best));
    outcome.lowerBounds.push_back(arena.lowerBound);
    outcome.optimal &= driver.optimal;
    outcome.solver = dearer(outcome.solver, driver.solver).str();
  }
  outcome.work = options.work - work;
  outcome.solution = split.join(placements);
  return outcome;
}
