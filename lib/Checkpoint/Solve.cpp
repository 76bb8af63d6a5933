//===- Solve.cpp - time against bytes -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file leads the search down a fixed series of budgets. At each it goes
// down from the cheapest plan that it has and from the seeds next to the
// budget. Then it comes back up, as plans met on the way further down may be
// the best for larger budgets; there it forgets parts of a plan and repairs
// them. Budgets share what evaluations are left.
//===----------------------------------------------------------------------===//
#include "lib/Checkpoint/Solve.h"
#include "lib/Checkpoint/Descent.h"
#include "lib/Checkpoint/Seeds.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::ckpt;

namespace {
class Solver {
public:
  Solver(const Problem &problem, const Options &options)
      : problem(problem),
        evaluations(options.evaluations.value_or(
            std::min<int64_t>(int64_t(problem.steps.size()) * 1'000, 250'000))),
        descent(problem, front) {
    descent.lookAt(options.gaps);
    descent.stopAt(evaluations);
  }

  Frontier run();

private:
  int64_t left() const { return evaluations - descent.evaluations(); }
  void plant();
  void goDown(int64_t budget, int64_t share);
  void comeUp(int64_t smaller, int64_t budget, int64_t share);
  void tryFrom(const Marks &marks, int64_t budget, int64_t most);
  void trySeeds(int64_t budget, int64_t end);
  void trySmaller(int64_t budget, int64_t end);
  void repair(int64_t budget, int64_t end);

  const Problem &problem;
  int64_t evaluations; ///< that it may make
  Front front;
  Descent descent;
  std::vector<Plan> seeds; ///< by bytes, ascending
  Marks current;           ///< the best marks for the budget before
  std::mt19937_64 random;
};
} // namespace

/// Seeds, as they are and pruned.
void Solver::plant() {
  auto add = [&] {
    const Evaluator &state = descent.state();
    seeds.push_back({state.marks(), state.time(), state.peak()});
  };
  for (const Marks &marks : seedsOf(problem)) {
    descent.load(marks);
    add();
    if (left() < evaluations / 2)
      continue;
    descent.prune(descent.state().peak());
    add();
  }
  llvm::sort(seeds, [](const Plan &one, const Plan &other) {
    return std::tie(one.peak, one.time, one.marks.marks) <
           std::tie(other.peak, other.time, other.marks.marks);
  });
}

/// Goes down from these marks, and back as far as the budget allows.
void Solver::tryFrom(const Marks &marks, int64_t budget, int64_t most) {
  descent.load(marks);
  if (descent.reach(budget, most))
    descent.prune(budget);
}

/// Those next to the budget: two within it, two above.
void Solver::trySeeds(int64_t budget, int64_t end) {
  auto above =
      llvm::upper_bound(seeds, budget, [](int64_t budget, const Plan &plan) {
        return budget < plan.peak;
      });
  size_t at = above - seeds.begin();
  for (size_t i = at - std::min<size_t>(at, 2);
       i < std::min(seeds.size(), at + 2); ++i)
    if (descent.evaluations() < end)
      tryFrom(seeds[i].marks, budget, (end - descent.evaluations()) / 2);
}

/// From plans that are a little too large.
void Solver::trySmaller(int64_t budget, int64_t end) {
  std::vector<Plan> plans = front.plans();
  for (const Plan &plan : plans) {
    if (front.within(budget) || descent.evaluations() >= end)
      return;
    if (plan.peak <= budget + budget / 5 * 3)
      tryFrom(plan.marks, budget, (end - descent.evaluations()) / 4);
  }
}

/// Forgets some marks, goes down again, and begins anew from the best.
void Solver::repair(int64_t budget, int64_t end) {
  while (descent.evaluations() < end) {
    const Plan *best = front.within(budget);
    if (!best || best->marks.marks.empty())
      break;
    descent.load(best->marks);
    descent.forget(random);
    descent.tryPairs(random() % 2);
    if (!descent.reach(budget, end - descent.evaluations()))
      continue;
    descent.prune(budget);
    descent.takeFree(budget);
  }
  descent.tryPairs(false);
}

void Solver::goDown(int64_t budget, int64_t share) {
  int64_t end = descent.evaluations() + share;
  tryFrom(current, budget, share / 2);
  if (const Plan *best = front.within(budget))
    tryFrom(best->marks, budget, share / 4);
  trySeeds(budget, end);
  if (!front.within(budget))
    tryFrom({}, budget, share / 4);
  if (!front.within(budget))
    trySmaller(budget, end);
  if (const Plan *best = front.within(budget))
    current = best->marks;
}

/// What the way down left between two budgets, then around the larger one.
void Solver::comeUp(int64_t smaller, int64_t budget, int64_t share) {
  int64_t end = descent.evaluations() + share;
  std::vector<Plan> plans = front.plans();
  for (const Plan &plan : plans)
    if (plan.peak > smaller && plan.peak <= budget &&
        descent.evaluations() < end - share / 2) {
      descent.load(plan.marks);
      descent.prune(plan.peak);
      descent.takeFree(plan.peak);
    }
  repair(budget, end);
}

/// From the program's bytes down to what none does without.
static std::vector<int64_t> budgetsBetween(int64_t most, int64_t least) {
  std::vector<int64_t> budgets;
  for (int64_t budget = most; budget > least;
       budget -= (budget * 12 + 99) / 100)
    budgets.push_back(budget);
  budgets.push_back(least);
  return budgets;
}

Frontier Solver::run() {
  Frontier found;
  found.program = {{}, descent.state().time(), descent.state().peak()};
  found.bound = leastBytes(problem).bytes;
  descent.takeFree(found.program.peak);
  current = descent.state().marks();
  plant();
  std::vector<int64_t> budgets =
      budgetsBetween(found.program.peak, found.bound);
  int64_t count = int64_t(budgets.size());
  for (int64_t at = 0; at < count; ++at)
    goDown(budgets[at], left() / 2 / (count - at));
  for (int64_t at = count - 1; at >= 0; --at)
    comeUp(at + 1 < count ? budgets[at + 1] : 0, budgets[at],
           left() / (at + 1));
  found.evaluations = descent.evaluations();
  found.plans.assign(front.plans().rbegin(), front.plans().rend());
  return found;
}

llvm::Expected<Frontier> ckpt::solve(const Problem &problem,
                                     const Options &options) {
  if (llvm::Error error = problem.check())
    return error;
  return Solver(problem, options).run();
}

llvm::Expected<Plan> Frontier::within(const Problem &problem,
                                      int64_t budget) const {
  for (const Plan &plan : plans)
    if (plan.peak <= budget)
      return plan;
  LeastBytes least = leastBytes(problem);
  return llvm::createStringError(
      "no plan found needs at most %lld bytes: the least are %lld, and none "
      "needs fewer than %lld, at node '%s'",
      (long long)budget, (long long)plans.back().peak, (long long)least.bytes,
      problem.steps[least.step].name.c_str());
}
