//===- JoinTileTest.cpp - columns of neighbours side by side --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Fold.h"
#include "lib/Tile/Join.h"
#include "test/unit/TileTestProblems.h"

#include "gtest/gtest.h"

using namespace tenon::tile;

namespace {

TEST(Join, RunsCoverEachColumnOnce) {
  for (int64_t columns : {1, 3, 12, 24, 34})
    for (int64_t lanes : {4, 8, 16})
      for (int64_t first = 0; first < 3 * columns; first += lanes) {
        int64_t lane = 0;
        for (const LaneRun &run : laneRuns(columns, first, lanes)) {
          EXPECT_EQ(run.lane, lane);
          EXPECT_EQ(run.member * columns + run.column, first + lane);
          EXPECT_LE(run.column + run.count, columns);
          lane += run.count;
        }
        EXPECT_EQ(lane, lanes);
      }
}

TEST(Join, LeavesAsManyResults) {
  auto results = [](const ContractionProblem &problem) {
    return problem.batches * problem.totalRows() * problem.columns;
  };
  ContractionProblem groups = grouped(28, 8, 4);
  for (int64_t join : {1, 2, 4}) {
    EXPECT_EQ(results(joined(groups, join)), results(groups));
    EXPECT_EQ(joined(groups, join).batches, 8 / join);
  }
}

TEST(Join, FillsVectorsThatColumnsDoNot) {
  EXPECT_EQ(planFor(grouped(28, 4, 34), "avx512").join, 4);
  EXPECT_EQ(planFor(grouped(28, 4, 32), "avx512").join, 1);
}

TEST(Join, FillsHalvesOfVectors) {
  // 17 halves instead of four times 5; as fast in whole vectors as apart.
  ContractionProblem problem = grouped(28, 4, 34);
  problem.k = {34};
  ContractionPlan made = planFor(problem, "zen4");
  EXPECT_EQ(made.join, 4) << toText(made);
  EXPECT_EQ(made.lanes, 8) << toText(made);
  // Two groups are seven halves, one is two whole vectors.
  problem = grouped(28, 4, 28);
  problem.k = {28};
  made = planFor(problem, "zen4");
  EXPECT_EQ(made.join, 2) << toText(made);
  EXPECT_EQ(made.nv, 7) << toText(made);
}

TEST(Join, TakesWholeNumbersOfNeighbours) {
  EXPECT_EQ(planFor(grouped(28, 3, 24), "avx512").join, 1);
  ContractionProblem alone = grouped(28, 4, 34);
  alone.joinable = 1;
  EXPECT_EQ(planFor(alone, "avx512").join, 1);
  ContractionProblem computed = grouped(28, 4, 34);
  computed.constantB = false;
  EXPECT_EQ(planFor(computed, "avx512").join, 1);
}

/// A transposed convolution with windows of 2 x `width` that do not meet.
ContractionProblem apart(int64_t size, int64_t columns, int64_t width) {
  ContractionProblem problem = grouped(size, 2 * width, columns);
  problem.k = {columns};
  problem.joinable = width;
  problem.sharesA = true;
  return problem;
}

TEST(Join, BlendsNothingThatIsShared) {
  ContractionProblem problem = apart(40, 24, 2);
  EXPECT_EQ(planFor(problem, "avx512").join, 2);
  EXPECT_EQ(joined(problem, 2).rowBytes, problem.rowBytes);
  for (int64_t columns : {3, 4, 5, 12}) {
    ContractionProblem few = apart(40, columns, 4);
    ContractionPlan plan = planFor(few, "avx512");
    EXPECT_EQ(plan.join, 4) << columns << " columns";
    EXPECT_TRUE(canBlend(few, plan));
    EXPECT_EQ(blendRegisters(few, plan), 0);
    EXPECT_FALSE(bool(validate(few, plan, *findTarget("avx512"))));
  }
}

/// Windows of 2 by `width` points with a channel each, of 24 channels.
ContractionProblem oneChannel(int64_t width) {
  ContractionProblem problem = apart(40, 1, width);
  problem.k = {24};
  problem.run = 24;
  problem.planes = 2;
  problem.rowsAdjoin = true;
  return problem;
}

TEST(Join, TakesPlanesOfWhatIsShared) {
  for (const char *target : {"avx512", "avx2", "zen4", "neon"})
    for (int64_t width : {2, 4}) {
      ContractionProblem problem = oneChannel(width);
      ContractionPlan made = planFor(problem, target);
      bool isFull = width % made.lanes == 0;
      EXPECT_EQ(made.join, isFull ? width : 2 * width) << toText(made);
      EXPECT_EQ(fillsRows(problem, made), !isFull) << toText(made);
      EXPECT_EQ(width * made.fold % made.lanes, 0) << toText(made);
    }
  // Results that lie apart would be stored one by one.
  ContractionProblem problem = oneChannel(2);
  problem.rowsAdjoin = false;
  EXPECT_LE(planFor(problem, "avx512").join, 2);
}

TEST(Join, MakesValidPlans) {
  for (const Target &target : targets())
    for (int64_t columns : {2, 4, 6, 8, 12, 18, 20, 24, 34, 68, 72})
      for (const ContractionProblem &problem :
           {grouped(14, 8, columns), grouped(14, 9, columns),
            apart(14, columns, 2), apart(14, columns, 3)}) {
        ContractionPlan made = plan(problem, target);
        EXPECT_EQ(llvm::toString(validate(problem, made, target)), "")
            << toText(made);
      }
}

TEST(Join, RejectsWhatIsNotThere) {
  const Target &target = *findTarget("avx512");
  ContractionProblem problem = grouped(28, 4, 34);
  ContractionPlan made = plan(problem, target);
  made.join = 3;
  EXPECT_EQ(llvm::toString(validate(problem, made, target)),
            "invalid contraction plan: so many neighbours cannot be joined");
  // Planes that share a vector.
  ContractionProblem planes = oneChannel(2);
  made = plan(planes, target);
  made.fold = 2;
  made.lanes = made.panel = 8;
  made.nv = 1;
  EXPECT_EQ(llvm::toString(validate(planes, made, target)),
            "invalid contraction plan: so many neighbours cannot be joined");
}

/// Groups of 16 channels of 512: all rows lie in two sets of eight lines.
TEST(ContractionPlan, KeepsRowsThatCollideInTheCache) {
  ContractionProblem problem = grouped(14, 32, 16);
  EXPECT_LE(planFor(problem, "avx512").mr, 16);
  problem.pitch = {15 * 528 * 4, 528 * 4};
  EXPECT_GT(planFor(problem, "avx512").mr, 16);
}

} // namespace
