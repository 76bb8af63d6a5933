//===- GpuProductTileTest.cpp - how tensor cores are fed ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/GpuContraction.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace tenon::tile;

namespace {

GpuProduct product(int64_t rows, int64_t columns, int64_t k,
                   Precision unit = Precision::F32) {
  GpuProduct problem;
  problem.rows = rows;
  problem.columns = columns;
  problem.k = k;
  problem.unit = unit;
  problem.bytes = (rows * k + k * columns + rows * columns) * 4;
  return problem;
}

std::string whyInvalid(const GpuProduct &problem, const GpuProductPlan &plan,
                       const char *target) {
  llvm::Error error = validate(problem, plan, *findGpuTarget(target));
  return error ? llvm::toString(std::move(error)) : "";
}

TEST(GpuProductPlan, AnyProblemHasOneOnAnyTarget) {
  for (const GpuTarget &target : gpuTargets())
    for (Precision unit : {Precision::F32, Precision::TF32, Precision::F16})
      for (int64_t rows : {1, 17, 128, 3136, 100352})
        for (int64_t columns : {1, 64, 768, 3072})
          for (int64_t k : {1, 27, 576, 4096})
            for (int64_t copy : {1, 4}) {
              GpuProduct problem = product(rows, columns, k, unit);
              problem.elementBytes = unit == Precision::F16 ? 2 : 4;
              problem.lhsCopy = problem.rhsCopy = copy;
              GpuProductPlan chosen = plan(problem, target);
              EXPECT_EQ(whyInvalid(problem, chosen, target.name.data()), "")
                  << target.name.str() << " " << rows << " " << columns << " "
                  << k;
            }
}

TEST(GpuProductPlan, FewTilesAreSmallAndShareK) {
  const GpuTarget &hopper = *findGpuTarget("sm_90a");
  GpuProductPlan few = plan(product(49, 512, 4608), hopper);
  EXPECT_LE(few.rows * few.columns, 64 * 64);
  EXPECT_GT(few.share, 1);
  GpuProductPlan many = plan(product(100352, 256, 64), hopper);
  EXPECT_EQ(many.share, 1);
  EXPECT_GE(many.rows * many.columns, 64 * 128);
  // Blocks of one processor do not reach each other's memory.
  EXPECT_EQ(plan(product(49, 512, 4608), *findGpuTarget("sm_80")).share, 1);
}

TEST(GpuProductPlan, StagesAreNoMoreThanBlocks) {
  GpuProductPlan chosen = plan(product(256, 256, 32), *findGpuTarget("sm_80"));
  EXPECT_EQ(chosen.stages, 2);
}

TEST(GpuProductPlan, RulesAreChecked) {
  GpuProduct problem = product(512, 512, 512);
  GpuProductPlan good{64, 64, 2, 2, 3, 1, 8};
  EXPECT_EQ(whyInvalid(problem, good, "sm_80"), "");
  auto why = [&](auto change, const char *target = "sm_80") {
    GpuProductPlan plan = good;
    change(plan);
    return whyInvalid(problem, plan, target);
  };
  using Plan = GpuProductPlan;
  std::string prefix = "the plan of the product ";
  EXPECT_EQ(why([](Plan &p) { p.group = 0; }),
            prefix + "has a number below one");
  EXPECT_EQ(why([](Plan &p) { p.columns = 16; }),
            prefix + "has tiles that warps do not cover");
  EXPECT_EQ(why([](Plan &p) { p.rows = 96; }),
            prefix + "has tiles that are no powers of two");
  EXPECT_EQ(why([](Plan &p) {
              p.warpRows = 4, p.warpColumns = 4, p.rows = 64, p.columns = 64,
              p.stages = 2, p.group = 1;
            }),
            "");
  EXPECT_EQ(why([](Plan &p) {
              p.warpColumns = 4, p.warpRows = 1, p.rows = 16, p.columns = 64,
              p.stages = 9;
            }),
            prefix + "has too few or too many stages");
  EXPECT_EQ(
      why([](Plan &p) { p.warpColumns = 8, p.columns = 128, p.rows = 32; }),
      prefix + "has threads that do not share out copies");
  EXPECT_EQ(why([](Plan &p) {
              p.rows = p.columns = 128, p.warpColumns = 4, p.stages = 8;
            }),
            prefix + "needs more shared memory than a block may have");
  EXPECT_EQ(why([](Plan &p) { p.rows = p.columns = 128, p.stages = 2; }),
            prefix + "needs more registers than there are");
  EXPECT_EQ(why([](Plan &p) { p.share = 4; }),
            prefix + "needs clusters that there are not");
  EXPECT_EQ(why([](Plan &p) { p.share = 4; }, "sm_90a"), "");
  problem.k = 64;
  EXPECT_EQ(why([](Plan &p) { p.share = 4; }, "sm_90a"),
            prefix + "shares k between too many blocks");
}

/// Draws problems and plans, the same ones in every run.
class Draw {
public:
  int64_t of(int64_t least, int64_t most) {
    return least + int64_t(generator() % uint64_t(most - least + 1));
  }
  int64_t powerOfTwo(int64_t most) { return int64_t(1) << of(0, most); }
  /// Small numbers as often as large ones.
  int64_t extent() { return int64_t(std::exp2(double(of(0, 2000)) / 100)); }

  GpuProduct problem() {
    GpuProduct problem =
        product(extent(), extent(), extent(), Precision(of(0, 3)));
    bool isHalf =
        problem.unit == Precision::F16 || problem.unit == Precision::BF16;
    problem.batches = of(1, 4);
    problem.elementBytes = isHalf ? 2 : 4;
    problem.lhsCopy = powerOfTwo(isHalf ? 3 : 2);
    problem.rhsCopy = powerOfTwo(isHalf ? 3 : 2);
    problem.epilogueLoads = of(0, 2);
    return problem;
  }

  GpuProductPlan plan() {
    return {16 * powerOfTwo(4), 8 * powerOfTwo(5), powerOfTwo(3), powerOfTwo(3),
            of(1, 9),           powerOfTwo(4),     of(0, 16)};
  }

private:
  std::mt19937_64 generator{44};
};

TEST(GpuProductPlan, DrawnProblemsHaveOneOnAnyTarget) {
  Draw draw;
  for (int trial = 0; trial < 500; ++trial) {
    GpuProduct problem = draw.problem();
    for (const GpuTarget &target : gpuTargets())
      EXPECT_EQ(whyInvalid(problem, plan(problem, target), target.name.data()),
                "")
          << target.name.str() << " " << problem.rows << " " << problem.columns
          << " " << problem.k;
  }
}

/// Whether each 16 x 8 results of a block belong to one warp.
bool coversTile(const GpuProductPlan &plan) {
  int64_t across = plan.columns / 8;
  std::vector<int> owners(size_t(plan.rows / 16 * across));
  for (int64_t warp = 0; warp < plan.warpRows * plan.warpColumns; ++warp) {
    int64_t row = warp / plan.warpColumns * (plan.tileRows() / 16);
    int64_t column = warp % plan.warpColumns * (plan.tileColumns() / 8);
    for (int64_t i = 0; i < plan.tileRows() / 16; ++i)
      for (int64_t j = 0; j < plan.tileColumns() / 8; ++j)
        ++owners.at(size_t((row + i) * across + column + j));
  }
  return llvm::all_of(owners, [](int count) { return count == 1; });
}

/// What the kernel counts on, whatever the rules are.
void expectSound(const GpuProduct &problem, const GpuProductPlan &plan,
                 const GpuTarget &target) {
  EXPECT_TRUE(coversTile(plan));
  int64_t threads = plan.threads(), results = plan.rows * plan.columns;
  EXPECT_LE(threads, 1024);
  // Copies of 16 bytes, 8 to a row, are shared out evenly.
  EXPECT_EQ(plan.rows * 8 % threads, 0);
  EXPECT_EQ(plan.columns * 8 % threads, 0);
  EXPECT_LE(plan.stages * (plan.rows + plan.columns) * 128, target.sharedBytes);
  EXPECT_LE(results * 4, target.sharedBytes);
  // Sums alone, twice where those of a block are apart.
  int64_t sums = results / threads * (problem.unit == Precision::F32 ? 2 : 1);
  EXPECT_LT(sums, 255);
  EXPECT_LE(sums * threads, target.registers);
  // No block of a cluster is without steps of k, or without a vector of sums.
  EXPECT_TRUE(plan.share == 1 || target.clusters);
  EXPECT_GE((problem.k + problem.block() - 1) / problem.block(), plan.share);
  EXPECT_EQ(results % (plan.share * threads * 4), 0);
  EXPECT_GE(plan.group, 1);
}

TEST(GpuProductPlan, WhatIsValidIsSound) {
  Draw draw;
  int accepted = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    GpuProduct problem = draw.problem();
    GpuProductPlan drawn = draw.plan();
    const GpuTarget &target = gpuTargets()[trial % gpuTargets().size()];
    if (!whyInvalid(problem, drawn, target.name.data()).empty())
      continue;
    ++accepted;
    expectSound(problem, drawn, target);
  }
  EXPECT_GT(accepted, 1000);
}

/// A stage begins where neighbouring steps or rows do not meet in banks.
TEST(GpuProductPlan, Stages) {
  GpuProduct problem = product(1, 1, 1);
  EXPECT_EQ(stageBytes(problem, 64, true), 64 * 128);
  EXPECT_EQ(stageBytes(problem, 64, false), 32 * (64 + 8) * 4);
  problem.elementBytes = 2;
  EXPECT_EQ(stageBytes(problem, 64, false), 64 * (64 + 8) * 2);
  // Sums take the place of stages.
  GpuProductPlan plan{64, 64, 2, 2, 2, 1, 8};
  EXPECT_EQ(sharedBytes(plan, 1024, 1024), 64 * (64 + 8) * 4);
}

TEST(GpuProductTime, GrowsWithWork) {
  const GpuTarget &target = *findGpuTarget("sm_90a");
  auto time = [&](int64_t rows, int64_t k, Precision unit) {
    GpuProduct problem = product(rows, 768, k, unit);
    return estimateTime(problem, plan(problem, target), target);
  };
  EXPECT_LT(time(128, 768, Precision::TF32), time(128, 3072, Precision::TF32));
  EXPECT_LT(time(128, 768, Precision::TF32), time(4096, 768, Precision::TF32));
  EXPECT_LT(time(4096, 768, Precision::TF32), time(4096, 768, Precision::F32));
  EXPECT_GE(time(1, 1, Precision::F32), shortestKernel);
}

} // namespace
