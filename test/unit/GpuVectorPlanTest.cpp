//===- GpuVectorPlanTest.cpp - who multiplies a few rows ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonCodegenGpu TenonCodegenCpu TenonTile MLIR LLVM
#include "passes/CodegenGpu/Vector/VectorPlan.h"

#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::gpu;

namespace {

VectorProblem problemOf(int64_t rows, int64_t columns, int64_t k,
                        int64_t elementBytes = 4) {
  int64_t vector = k % (16 / elementBytes) == 0 ? 16 / elementBytes : 1;
  int64_t bytes = (rows * k + k * columns + rows * columns) * elementBytes;
  return {1, rows, columns, k, vector, elementBytes, bytes};
}

template <typename Visit> void forProblems(int64_t mostRows, Visit visit) {
  for (int64_t rows = 1; rows <= mostRows; ++rows)
    for (int64_t columns : {1, 6, 48, 1000, 4096, 50257})
      for (int64_t k : {1, 4, 20, 48, 129, 1152, 2048, 25088})
        visit(rows, columns, k);
}

TEST(GpuVectorPlan, AnyProblemHasOneOnAnyTarget) {
  for (const tile::GpuTarget &target : tile::gpuTargets())
    for (int64_t bytes : {2, 4})
      forProblems(8, [&](int64_t rows, int64_t columns, int64_t k) {
        VectorProblem problem = problemOf(rows, columns, k, bytes);
        VectorPlan plan = planVectors(problem, target);
        EXPECT_TRUE(isValid(problem, plan))
            << rows << " " << columns << " " << k;
        EXPECT_GE(problem.blocks(plan) * plan.columnsOfBlock(), columns);
        EXPECT_GE(problem.loads(plan) * plan.members() * problem.vector, k);
        EXPECT_LE(loadsAtOnce(problem, plan) * plan.columns, 16);
      });
}

TEST(GpuVectorPlan, FewRowsAreDoneSoonerThanByMatrixUnits) {
  const tile::GpuTarget &target = *tile::findGpuTarget("sm_90a");
  forProblems(4, [&](int64_t rows, int64_t columns, int64_t k) {
    VectorProblem problem = problemOf(rows, columns, k);
    tile::GpuProduct product{1, rows, columns, k};
    product.lhsCopy = product.rhsCopy = problem.vector;
    product.bytes = problem.bytes;
    VectorPlan plan = planVectors(problem, target);
    EXPECT_LT(estimateTime(problem, plan, target),
              tile::estimateTime(product, tile::plan(product, target), target))
        << rows << " " << columns << " " << k;
  });
}

TEST(GpuVectorPlan, WarpsShareWhatIsLong) {
  const tile::GpuTarget &target = *tile::findGpuTarget("sm_90a");
  EXPECT_GT(planVectors(problemOf(1, 10, 65536), target).share, 1);
  EXPECT_EQ(planVectors(problemOf(1, 4096, 25088), target).share, 1);
  // Lanes share a warp where columns are short.
  EXPECT_EQ(planVectors(problemOf(1, 1152, 48), target).team, 16);
  EXPECT_EQ(planVectors(problemOf(1, 1152, 1), target).team, 1);
  EXPECT_GT(planVectors(problemOf(1, 50257, 768), target).columns, 1);
}

TEST(GpuVectorPlan, RulesRefuse) {
  VectorProblem problem = problemOf(4, 100, 256);
  EXPECT_TRUE(isValid(problem, {32, 2, 1, 1}));
  EXPECT_FALSE(isValid(problem, {24, 1, 1, 1}));
  EXPECT_FALSE(isValid(problem, {64, 1, 1, 1}));
  EXPECT_FALSE(isValid(problem, {16, 1, 2, 1}));
  EXPECT_FALSE(isValid(problem, {32, 4, 1, 1}));
  EXPECT_FALSE(isValid(problem, {32, 1, 4, 4}));
  EXPECT_FALSE(isValid(problem, {32, 1, 0, 1}));
}

} // namespace
