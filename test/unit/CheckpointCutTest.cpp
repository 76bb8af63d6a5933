//===- CheckpointCutTest.cpp - sets of values to drop ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what cuts and borders drop, and what that costs if each
// value is computed again only once, as others do.
//===----------------------------------------------------------------------===//
// LINK: TenonCheckpointing MLIR LLVM
#include "lib/Checkpoint/Dropped.h"
#include "lib/Checkpoint/Others.h"
#include "lib/Checkpoint/Seeds.h"
#include "test/unit/CheckpointTestTransformer.h"
#include <gtest/gtest.h>

#include <map>

using namespace tenon;
using namespace tenon::ckpt;

/// Peak, and kernels beyond the program's.
static std::pair<int64_t, int64_t> costOf(const Problem &problem,
                                          const Dropped &dropped, bool once) {
  Marks marks = marksOf(problem, dropped, once);
  EXPECT_EQ(llvm::toString(marks.check(problem)), "");
  Evaluation is = evaluate(problem, marks);
  EXPECT_EQ(llvm::toString(validate(problem, marks, is)), "");
  return {is.peak, int64_t(is.events.size() - problem.steps.size())};
}

/// Nothing kept, and computed once: all of it waits.
TEST(CheckpointCutTest, ComputingOnceFreesNothing) {
  for (unsigned length : {4u, 6u, 8u}) {
    Problem problem = chainOf(length);
    Dropped all = droppedBetween(problem, {});
    EXPECT_EQ(costOf(problem, all, /*once=*/true),
              std::pair(int64_t(length + 1), int64_t(length - 1)));
    EXPECT_EQ(costOf(problem, all, /*once=*/false).first, 3);
  }
}

/// All sets of kept values, each of the others computed once.
TEST(CheckpointCutTest, BestSetsOfComputingOnce) {
  auto best = [](unsigned length) {
    Problem problem = chainOf(length);
    std::map<int64_t, int64_t> least;
    for (unsigned set = 0; set < 1u << length; ++set) {
      Dropped dropped(problem.values.size(), false);
      for (unsigned value = 0; value < length; ++value)
        dropped[value] = set >> value & 1;
      auto [peak, extra] = costOf(problem, dropped, /*once=*/true);
      auto found = least.try_emplace(peak, extra).first;
      found->second = std::min(found->second, extra);
    }
    return least;
  };
  using Least = std::map<int64_t, int64_t>;
  EXPECT_EQ(best(4), (Least{{5, 0}, {4, 1}}));
  EXPECT_EQ(best(6), (Least{{7, 0}, {6, 1}, {5, 2}, {4, 3}}));
  EXPECT_EQ(best(8), (Least{{9, 0}, {8, 1}, {7, 2}, {6, 3}, {5, 4}}));
}

TEST(CheckpointCutTest, BordersAreWhereOneValueIsLeft) {
  EXPECT_EQ(narrowBorders(chainOf(4)), (std::vector<unsigned>{0, 1, 2, 3}));
  Problem problem = Transformer().draw(3);
  std::vector<unsigned> borders = narrowBorders(problem);
  for (unsigned border : problem.borders)
    EXPECT_TRUE(llvm::is_contained(borders, border))
        << problem.values[border].name;
  EXPECT_EQ(droppedBetween(chainOf(2), {1}),
            (Dropped{true, false, false, false}));
}

/// A byte costs nothing, or more than all time.
TEST(CheckpointCutTest, CutsFollowPrices) {
  Problem problem = chainOf(4);
  CutPrices prices;
  prices.again.assign(8, 10);
  prices.keep.assign(8, 1);
  EXPECT_EQ(cutForward(problem, prices).dropped, Dropped(8, false));
  EXPECT_EQ(cutForward(problem, prices).bytes, 4);
  prices.keep.assign(8, 100);
  prices.again[2] = 1'000;
  ForwardCut cut = cutForward(problem, prices);
  // f3 is dear to compute, so it is kept, and what the loss makes must be.
  EXPECT_EQ(cut.dropped,
            (Dropped{true, true, false, false, false, false, false, false}));
  EXPECT_EQ(cut.bytes, 2);
}

/// Computed for the first use, or for each; inside where a step can.
TEST(CheckpointCutTest, MarksAreForOneUseOrForEach) {
  Problem problem = chainOf(3, {{{1, 3}}}); // g3 reads f1, too
  Dropped dropped(problem.values.size(), false);
  dropped[0] = true;
  EXPECT_EQ(marksOf(problem, dropped, true).marks, (std::vector<Mark>{{4, 0}}));
  EXPECT_EQ(marksOf(problem, dropped, false).marks,
            (std::vector<Mark>{{4, 0}, {5, 0}}));
  problem.steps[4].absorbs = {{0, 1}};
  EXPECT_EQ(marksOf(problem, dropped, true).marks,
            (std::vector<Mark>{{4, 0, How::Inside}, {5, 0}}));
}

/// torch's budgets: element-wise values first, all of them at 0, where the
/// peak is the program's again.
TEST(CheckpointCutTest, OthersAreNotMonotone) {
  Problem problem = Transformer().draw(4);
  std::vector<OtherPlan> others = othersOf(problem);
  ASSERT_EQ(others.size(), 14u);
  EXPECT_EQ(others.front().name, "min-cut 1.0");
  EXPECT_EQ(others[10].name, "min-cut 0.0");
  EXPECT_EQ(others[11].name, "blocks");
  EXPECT_EQ(others[12].name, "blocks of 2");
  EXPECT_EQ(others.back().name, "blocks of 4");
  int64_t program = evaluate(problem, {}).peak, least = program;
  for (const OtherPlan &other : others) {
    Evaluation is = evaluate(problem, other.plan.marks);
    EXPECT_EQ(llvm::toString(validate(problem, other.plan.marks, is)), "");
    EXPECT_EQ(is.peak, other.plan.peak);
    least = std::min(least, is.peak);
  }
  EXPECT_EQ(others[10].plan.peak, program);
  EXPECT_LT(least, program / 2);
  EXPECT_LT(others[11].plan.peak, program / 2);
}

TEST(CheckpointCutTest, SeedsAreValid) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 50; ++round) {
    Problem problem = richProgram(random, 7, 30);
    std::vector<Marks> seeds = seedsOf(problem);
    EXPECT_GE(seeds.size(), 2u);
    for (const Marks &marks : seeds)
      EXPECT_EQ(
          llvm::toString(validate(problem, marks, evaluate(problem, marks))),
          "");
  }
}
