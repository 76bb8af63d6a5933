//===- CheckpointSolveTest.cpp - time against bytes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares the search with the least times of all schedules, and
// with what is known.
//===----------------------------------------------------------------------===//
// LINK: TenonCheckpointing MLIR LLVM
#include "lib/Checkpoint/Exact.h"
#include "lib/Checkpoint/Solve.h"
#include "test/unit/CheckpointTestTransformer.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::ckpt;

/// All of its plans are proven.
static Frontier frontierOf(const Problem &problem,
                           const Options &options = {}) {
  Frontier frontier = llvm::cantFail(solve(problem, options));
  for (const Plan &plan : frontier.plans) {
    Evaluation is = evaluate(problem, plan.marks);
    EXPECT_EQ(llvm::toString(validate(problem, plan.marks, is)), "");
    EXPECT_EQ(is.time, plan.time);
    EXPECT_EQ(is.peak, plan.peak);
    EXPECT_GE(is.peak, frontier.bound);
  }
  return frontier;
}

static std::optional<int64_t>
timeWithin(const Problem &problem, const Frontier &frontier, int64_t budget) {
  if (llvm::Expected<Plan> plan = frontier.within(problem, budget))
    return plan->time;
  else
    llvm::consumeError(plan.takeError());
  return std::nullopt;
}

/// Of a chain: what each peak costs beyond the program, in microseconds.
using Extra = std::vector<std::pair<int64_t, int64_t>>;

static void expectExtra(const Problem &problem, const Extra &expected) {
  Extra found;
  Frontier frontier = frontierOf(problem);
  for (const Plan &plan : frontier.plans) {
    found.push_back(
        {plan.peak, (plan.time - frontier.program.time) / microsecond});
    EXPECT_EQ(exactTime(problem, plan.peak), plan.time);
  }
  EXPECT_EQ(found, expected);
  EXPECT_FALSE(exactTime(problem, expected.back().first - 1));
}

TEST(CheckpointSolveTest, ChainsHaveKnownFrontiers) {
  expectExtra(chainOf(4), {{5, 0}, {4, 1}, {3, 3}});
  expectExtra(chainOf(6), {{7, 0}, {6, 1}, {5, 2}, {4, 3}, {3, 10}});
  expectExtra(chainOf(8),
              {{9, 0}, {8, 1}, {7, 2}, {6, 3}, {5, 4}, {4, 7}, {3, 21}});
  expectExtra(chainOf(6, {{{2, 5}}}), {{7, 0}, {6, 1}, {5, 2}, {4, 4}});
  expectExtra(chainOf(6, {{}, {}, {3, 5}}),
              {{7, 0}, {6, 1}, {5, 2}, {4, 3}, {3, 18}});
  expectExtra(chainOf(6, {{}, {3, 3}}), {{9, 0}, {8, 1}, {7, 2}});
}

namespace {
struct Tally {
  unsigned budgets = 0, equal = 0;
};
} // namespace

/// Budgets from the bound to the program's bytes, of random programs.
static Tally compare(unsigned seed, unsigned programs, unsigned mostValues) {
  std::mt19937 random(seed);
  Tally tally;
  for (unsigned round = 0; round < programs; ++round) {
    SCOPED_TRACE(round);
    Problem problem = randomProgram(random, 7, mostValues);
    Frontier frontier = frontierOf(problem);
    int64_t low = frontier.bound, high = frontier.program.peak;
    for (unsigned part = 0; part <= 6; ++part) {
      int64_t budget = low + (high - low) * part / 6;
      std::optional<int64_t> best = exactTime(problem, budget);
      std::optional<int64_t> found = timeWithin(problem, frontier, budget);
      if (found)
        EXPECT_LE(best, *found);
      EXPECT_TRUE(best || !found);
      tally.budgets += best.has_value();
      tally.equal += best && found == best;
    }
  }
  return tally;
}

static void expectEqual(Tally tally, double percent) {
  EXPECT_GE(tally.equal * 100., tally.budgets * percent)
      << tally.equal << " of " << tally.budgets;
}

TEST(CheckpointSolveTest, IsBestOnSmallPrograms) {
  expectEqual(compare(1, 500, 12), 99.5);
}

TEST(CheckpointSolveTest, IsBestOnLargerPrograms) {
  expectEqual(compare(2, 60, 16), 98.5);
}

/// The bound holds, and so does the proof, for all that a problem may say.
TEST(CheckpointSolveTest, SolvesWhatAProblemMaySay) {
  std::mt19937 random(7);
  Tally tally;
  for (unsigned round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    Problem problem = richProgram(random, 7, 12);
    Frontier frontier = frontierOf(problem);
    EXPECT_FALSE(exactTime(problem, frontier.bound - 1));
    for (const Plan &plan : frontier.plans) {
      std::optional<int64_t> best = exactTime(problem, plan.peak);
      ASSERT_TRUE(best);
      EXPECT_LE(*best, plan.time);
      ++tally.budgets;
      tally.equal += *best == plan.time;
    }
  }
  expectEqual(tally, 98);
}

TEST(CheckpointSolveTest, MoreBytesNeverTakeMoreTime) {
  Problem problem = Transformer().draw(3);
  Frontier frontier = frontierOf(problem, {.evaluations = 30'000});
  int64_t peak = frontier.program.peak, bytes = 0;
  std::optional<int64_t> time;
  unsigned answers = 0;
  for (unsigned part = 1; part <= 20; ++part) {
    llvm::Expected<Plan> plan = frontier.within(problem, peak * part / 20);
    if (!plan) {
      llvm::consumeError(plan.takeError());
      EXPECT_FALSE(time);
      continue;
    }
    ++answers;
    EXPECT_LE(plan->peak, peak * part / 20);
    EXPECT_LE(plan->time, time.value_or(plan->time));
    EXPECT_GE(plan->peak, bytes);
    time = plan->time;
    bytes = plan->peak;
  }
  EXPECT_GE(answers, 15u);
}

/// What is known of the transformer: where its layers meet is what checkpoints
/// keep, and all is computed again once.
TEST(CheckpointSolveTest, SolvesALargeProgram) {
  Problem problem = Transformer().draw(12);
  EXPECT_EQ(llvm::toString(problem.check()), "");
  EXPECT_GT(problem.steps.size(), 500u);
  Frontier frontier = llvm::cantFail(solve(problem, {.evaluations = 100'000}));
  EXPECT_LE(frontier.evaluations, 105'000);
  auto within = [&](double part, double percent) {
    int64_t budget = int64_t(double(frontier.program.peak) * part);
    std::optional<int64_t> time = timeWithin(problem, frontier, budget);
    ASSERT_TRUE(time);
    EXPECT_LE(double(*time),
              double(frontier.program.time) * (1 + percent / 100));
  };
  within(.7, 1);
  within(.5, 5);
  within(.2, 22);
}

TEST(CheckpointSolveTest, IsDeterministic) {
  Problem problem = Transformer().draw(2);
  Options options{.evaluations = 10'000};
  EXPECT_EQ(llvm::cantFail(solve(problem, options)).plans,
            llvm::cantFail(solve(problem, options)).plans);
}

TEST(CheckpointSolveTest, SaysWhatFits) {
  Problem problem = chainOf(4);
  Frontier frontier = frontierOf(problem);
  EXPECT_EQ(llvm::toString(frontier.within(problem, 2).takeError()),
            "no plan found needs at most 2 bytes: the least are 3, and none "
            "needs fewer than 3, at node 'g4'");
  problem.loss = 99;
  EXPECT_EQ(llvm::toString(solve(problem).takeError()),
            "the loss is no node of the problem");
}

/// No evaluations leave the program.
TEST(CheckpointSolveTest, KeepsTheProgramWithoutABudget) {
  Problem problem = chainOf(4);
  Frontier frontier = frontierOf(problem, {.evaluations = 0});
  EXPECT_EQ(frontier.plans.front(), frontier.program);
  EXPECT_EQ(frontier.program.peak, 5);
}
