//===- FoldTileTest.cpp - steps of k side by side -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Fold.h"
#include "test/unit/TileTestProblems.h"

#include "gtest/gtest.h"

using namespace tenon::tile;

namespace {

/// A map of `size * size` pixels through a pointwise convolution.
ContractionProblem pointwise(int64_t size, int64_t columns, int64_t depth) {
  ContractionProblem problem;
  problem.rows = {size * size};
  problem.columns = columns;
  problem.k = {depth};
  problem.run = depth;
  problem.rowBytes = depth * 4;
  problem.pitch = {depth * 4};
  problem.constantB = true;
  return problem;
}

/// A 3x3 convolution in groups whose taps of a kernel row lie together.
ContractionProblem groupedRows(int64_t size, int64_t groups, int64_t columns) {
  ContractionProblem problem = grouped(size, groups, columns);
  problem.k = {3, 3 * columns};
  problem.run = columns;
  return problem;
}

std::string whyInvalid(const ContractionProblem &problem,
                       const ContractionPlan &plan) {
  return llvm::toString(validate(problem, plan, *findTarget("avx512")));
}

TEST(Fold, LeavesAsManyProducts) {
  ContractionProblem problem = groupedRows(28, 4, 24);
  for (int64_t fold : {1, 2, 4, 8}) {
    ContractionProblem left = folded(problem, fold);
    EXPECT_EQ(left.totalK() * left.columns, problem.totalK() * problem.columns);
    EXPECT_EQ(left.run * fold, problem.run);
    EXPECT_EQ(left.totalRows(), problem.totalRows());
  }
}

TEST(Fold, FillsVectorsThatColumnsDoNot) {
  for (auto [columns, target] :
       {std::pair(24, "avx512"), std::pair(12, "avx512"), std::pair(12, "avx2"),
        std::pair(12, "zen4"), std::pair(18, "zen4"), std::pair(6, "neon")}) {
    ContractionPlan made = planFor(pointwise(56, columns, 144), target);
    EXPECT_GT(made.fold, 1) << columns << " on " << target;
    EXPECT_EQ(made.panel, made.nv * made.lanes);
    EXPECT_LE(made.panel - columns * made.fold, made.lanes / 2);
  }
  // Vectors, or halves of them, are full.
  EXPECT_EQ(planFor(pointwise(56, 32, 144), "avx512").fold, 1);
  EXPECT_EQ(planFor(pointwise(56, 24, 144), "zen4").fold, 1);
  EXPECT_EQ(planFor(pointwise(56, 24, 144), "avx2").fold, 1);
}

TEST(Fold, NeedsStepsThatLieTogether) {
  ContractionProblem problem = pointwise(56, 12, 144);
  problem.run = 1;
  EXPECT_EQ(planFor(problem, "avx512").fold, 1);
  problem.run = 2;
  EXPECT_EQ(planFor(problem, "avx512").fold, 2);
  problem.run = 144;
  problem.constantB = false;
  EXPECT_EQ(planFor(problem, "avx512").fold, 1);
}

TEST(Fold, IsNotWorthIt) {
  // Adding the lanes takes longer than so few steps.
  EXPECT_EQ(planFor(pointwise(56, 12, 4), "avx512").fold, 1);
}

TEST(Fold, FillsVectorsOfResultsWithGroups) {
  for (const char *target : {"avx512", "avx2"})
    for (int64_t columns : {4, 8}) {
      ContractionProblem problem = groupedRows(28, 32, columns);
      ContractionPlan made = planFor(problem, target);
      EXPECT_EQ(made.join * columns % made.lanes, 0) << toText(made);
      EXPECT_GT(made.fold, 1) << toText(made);
    }
  ContractionProblem few = groupedRows(28, 3, 4);
  EXPECT_EQ(planFor(few, "avx512").join, 1);
}

TEST(Fold, ResultsOfRowsShareVectors) {
  ContractionProblem problem = pointwise(56, 12, 144);
  ContractionPlan made = planFor(problem, "avx512");
  EXPECT_FALSE(fillsRows(problem, made));
  double apart = unfoldCycles(problem, made);
  problem.rowsAdjoin = true;
  EXPECT_TRUE(fillsRows(problem, made));
  EXPECT_LT(unfoldCycles(problem, made), apart);
  // Of 18 columns, four steps leave half a vector empty.
  problem.columns = 18;
  made.nv = 5;
  made.panel = 80;
  EXPECT_FALSE(fillsRows(problem, made));
}

TEST(Fold, MakesValidPlans) {
  for (const Target &target : targets())
    for (int64_t columns : {2, 3, 4, 6, 8, 12, 18, 20, 24, 34, 68, 72})
      for (const ContractionProblem &problem :
           {pointwise(28, columns, 48), pointwise(7, columns, 6),
            pointwise(1, columns, 96), groupedRows(14, 8, columns),
            groupedRows(14, 9, columns)}) {
        ContractionPlan made = plan(problem, target);
        EXPECT_EQ(llvm::toString(validate(problem, made, target)), "")
            << toText(made);
      }
}

TEST(Fold, RejectsWhatCannotBeFolded) {
  const char *reason =
      "invalid contraction plan: so many steps of k cannot be folded";
  ContractionProblem problem = pointwise(56, 12, 144);
  ContractionPlan made = planFor(problem, "avx512");
  made.fold = 32;
  EXPECT_EQ(whyInvalid(problem, made), reason);
  made.fold = 4;
  problem.run = 6;
  EXPECT_EQ(whyInvalid(problem, made), reason);
  // Groups that share vectors.
  ContractionProblem groups = groupedRows(28, 4, 12);
  made.fold = 2;
  made.join = 2;
  made.lanes = 16;
  EXPECT_EQ(whyInvalid(groups, made), reason);
}

} // namespace
