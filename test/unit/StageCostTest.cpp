//===- StageCostTest.cpp - what a stage costs on a processor --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonCost MLIR LLVM
#include "lib/Cost/StageCost.h"
#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::cost;

static const tile::Target &avx2() { return *tile::findTarget("avx2"); }

/// One that takes some of everything.
static StageWork someWork() {
  StageWork work;
  work.fma = 4e5;
  work.plain = 1e5;
  work.transcendental = 1e4;
  work.accesses = 2e6;
  work.bytesRead = 300000;
  work.bytesWritten = 200000;
  work.scratchBytes = 40000;
  work.scratchTraffic = 5e7;
  work.tiles = 16;
  return work;
}

TEST(StageCostTest, NamesWhatAStageWaitsFor) {
  StageWork work;
  work.fma = 1e6; // 125,000 vectors of eight
  work.accesses = 1e5;
  EXPECT_EQ(estimate(work, avx2()).bound, Bound::Issue);
  work.accesses = 2e6;
  EXPECT_EQ(estimate(work, avx2()).bound, Bound::Load);
  work.bytesRead = 4e6;
  EXPECT_EQ(estimate(work, avx2()).bound, Bound::Mid);
  EXPECT_EQ(estimate(work, avx2()).memoryBytes, 0);
  work.bytesRead = 4e7;
  EXPECT_EQ(estimate(work, avx2()).bound, Bound::Memory);
  EXPECT_EQ(estimate(work, avx2()).memoryBytes, 4e7);
  work = StageWork();
  work.plain = 100;
  EXPECT_EQ(estimate(work, avx2()).bound, Bound::Launch);
  EXPECT_EQ(toText(Bound::Mid), "mid");
}

TEST(StageCostTest, CountsInstructions) {
  StageWork work;
  work.fma = 8000;
  double launch = avx2().tileCycles;
  EXPECT_EQ(estimate(work, avx2()).cycles, 1000 + launch);
  work.lanes = 2;
  EXPECT_EQ(estimate(work, avx2()).cycles, 4000 + launch);
  work.lanes = 64;
  work.transcendental = 8;
  EXPECT_EQ(estimate(work, avx2()).cycles, 1016 + launch);
  // Four lanes, and no fused multiply-add.
  const tile::Target &baseline = *tile::findTarget("baseline");
  work.transcendental = 0;
  EXPECT_EQ(estimate(work, baseline).cycles, 4000 + launch);
}

TEST(StageCostTest, NeverFallsWithMoreWork) {
  static constexpr double StageWork::*amounts[] = {
      &StageWork::fma,           &StageWork::plain,
      &StageWork::accesses,      &StageWork::transcendental,
      &StageWork::bytesRead,     &StageWork::bytesWritten,
      &StageWork::bytesAgain,    &StageWork::scratchBytes,
      &StageWork::scratchTraffic};
  for (const tile::Target &target : tile::targets())
    for (int64_t threads : {1, 2, 16})
      for (double StageWork::*amount : amounts) {
        StageWork work = someWork();
        double before = 0;
        for (work.*amount = 0; work.*amount < 1e9;
             work.*amount = work.*amount * 1.5 + 1000) {
          StageCost cost = estimate(work, target, threads);
          EXPECT_GE(cost.cycles, before) << target.name.str();
          before = cost.cycles;
        }
        EXPECT_GT(before, estimate(someWork(), target, threads).cycles);
      }
}

TEST(StageCostTest, SharesTilesOutWhole) {
  EXPECT_EQ(efficiency(3, 2), 0.75);
  EXPECT_EQ(efficiency(1, 2), 0.5);
  EXPECT_EQ(efficiency(4, 2), 1);
  EXPECT_EQ(efficiency(17, 16), 17.0 / 32);
  StageWork work;
  work.fma = 8e8;
  work.tiles = 3;
  double alone = estimate(work, avx2()).cycles;
  EXPECT_NEAR(alone / estimate(work, avx2(), 2).cycles, 1.5, 0.001);
}

TEST(StageCostTest, ThreadsDoNotPayForSmallLaunches) {
  StageWork work;
  work.plain = 4000;
  work.tiles = 2;
  EXPECT_LT(estimate(work, avx2()).cycles, estimate(work, avx2(), 2).cycles);
  work.plain = 4e6;
  EXPECT_GT(estimate(work, avx2()).cycles, estimate(work, avx2(), 2).cycles);
}

/// Each step is a launch.
TEST(StageCostTest, StepsPayEach) {
  StageWork work = someWork();
  double one = estimate(work, avx2(), 2).cycles;
  work.steps = 11;
  EXPECT_NEAR(estimate(work, avx2(), 2).cycles - one,
              10 * (avx2().forkCycles + 8 * avx2().tileCycles), 0.01);
}
