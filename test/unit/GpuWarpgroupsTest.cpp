//===- GpuWarpgroupsTest.cpp - plans for units of warpgroups --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/GpuWarpgroups.h"
#include "lib/Pack/Fragments.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <set>

using namespace tenon::tile;

namespace {

BoxProduct convolution(int64_t images, int64_t size, int64_t channels,
                       Precision unit = Precision::F32) {
  BoxProduct problem;
  problem.product.rows = images * size * size;
  problem.product.columns = channels;
  problem.product.k = 9 * channels;
  problem.product.unit = unit;
  problem.rows = {images, size, size};
  problem.run = channels;
  problem.runs = 9;
  return problem;
}

std::string whyInvalid(const BoxProduct &problem, const GpuProductPlan &plan,
                       const char *target = "sm_90a") {
  llvm::Error error = validateBoxes(problem, plan, *findGpuTarget(target));
  return error ? llvm::toString(std::move(error)) : "";
}

TEST(RowBox, HasTheFewestTiles) {
  auto extents = [](llvm::ArrayRef<int64_t> rows, int64_t most) {
    RowBox box = boxOf(rows, most);
    EXPECT_LE(box.rows(), most);
    return std::vector<int64_t>(box.extents.begin(), box.extents.end());
  };
  EXPECT_EQ(extents({100352}, 128), (std::vector<int64_t>{128}));
  EXPECT_EQ(boxOf({1, 56, 56}, 64).count(), 49);
  EXPECT_EQ(extents({1, 7, 7}, 64), (std::vector<int64_t>{1, 7, 7}));
  EXPECT_EQ(boxOf({32, 7, 7}, 128).count(), 14);
  EXPECT_EQ(boxOf({5, 1, 3}, 64).count(), 1);
}

TEST(BoxPlan, IsValidForAnySize) {
  const GpuTarget &hopper = *findGpuTarget("sm_90a");
  for (int64_t images : {1, 3, 32})
    for (int64_t size : {1, 7, 28, 113})
      for (int64_t channels : {16, 64, 720})
        for (Precision unit :
             {Precision::F32, Precision::TF32, Precision::F16}) {
          BoxProduct problem = convolution(images, size, channels, unit);
          if (unit == Precision::F16)
            problem.product.elementBytes = 2;
          auto plans = planBoxes(problem, hopper, 1);
          ASSERT_FALSE(plans.empty())
              << images << " " << size << " " << channels;
          EXPECT_EQ(whyInvalid(problem, plans.front()), "");
        }
}

/// Draws problems and plans, the same ones in every run.
class Draw {
public:
  int64_t of(int64_t least, int64_t most) {
    return least + int64_t(generator() % uint64_t(most - least + 1));
  }
  /// Small numbers as often as large ones.
  int64_t extent(int64_t most) {
    double logarithm = std::log2(double(most)) * double(of(0, 1000)) / 1000;
    return int64_t(std::exp2(logarithm));
  }

  BoxProduct problem() {
    BoxProduct problem;
    for (int64_t rank = of(1, 3); rank > 0; --rank)
      problem.rows.push_back(extent(600));
    problem.product.unit = Precision(of(0, 3));
    bool isHalf = problem.product.unit == Precision::F16 ||
                  problem.product.unit == Precision::BF16;
    problem.product.elementBytes = isHalf ? 2 : 4;
    problem.run = problem.isSplit() ? 16 * extent(512) : 8 * extent(1024);
    problem.runs = extent(49);
    problem.product.rows = 1;
    for (int64_t extent : problem.rows)
      problem.product.rows *= extent;
    problem.product.columns = extent(8192);
    problem.product.k = problem.run * problem.runs;
    problem.product.batches = of(1, 4);
    return problem;
  }

  GpuProductPlan plan() {
    int64_t rows = 32 << of(0, 3);
    return {rows,
            16 * of(1, 18),
            of(0, 7) ? rows / 16 : of(1, 8),
            of(1, 8) / 8 + 1,
            of(1, 9),
            int64_t(1) << of(0, 4),
            of(0, 16)};
  }

private:
  std::mt19937_64 generator{44};
};

/// What the kernel counts on, whatever the rules are.
void expectSound(const BoxProduct &problem, const GpuProductPlan &plan,
                 const GpuTarget &target) {
  // Whole warpgroups of 64 rows, and sums that registers have room for.
  EXPECT_EQ(plan.threads() % 128, 0);
  EXPECT_EQ(plan.threads() / 128 * 64, plan.rows);
  int64_t sums = 64 * plan.columns / 128 * (problem.isSplit() ? 2 : 1);
  EXPECT_LE(sums, 128);
  // Swizzled stages begin at multiples of 1024; a box has 256 columns at most.
  int64_t lhsStage = plan.rows * 128;
  int64_t rhsStage = plan.columns * (problem.isSplit() ? 192 : 128);
  EXPECT_EQ(lhsStage % 1024, 0);
  EXPECT_EQ((lhsStage + rhsStage) % 1024, 0);
  EXPECT_LE(plan.stages * (lhsStage + rhsStage + 16), target.sharedBytes);
  EXPECT_LE(plan.columns, 256);
  EXPECT_LE(plan.share, problem.blocks());
  EXPECT_EQ(plan.rows * plan.columns % (plan.share * plan.threads() * 4), 0);
  EXPECT_GE(plan.group, 1);
}

/// Each row is in one box, and no box is empty.
void expectCovered(const BoxProduct &problem, int64_t rows) {
  RowBox box = boxOf(problem.rows, rows);
  ASSERT_EQ(box.extents.size(), problem.rows.size());
  EXPECT_LE(box.rows(), rows);
  for (size_t dim = 0; dim < problem.rows.size(); ++dim) {
    EXPECT_GE(box.extents[dim] * box.tiles[dim], problem.rows[dim]);
    EXPECT_LT(box.extents[dim] * (box.tiles[dim] - 1), problem.rows[dim]);
  }
}

TEST(BoxPlan, DrawnProblemsHaveOne) {
  const GpuTarget &hopper = *findGpuTarget("sm_90a");
  Draw draw;
  for (int trial = 0; trial < 300; ++trial) {
    BoxProduct problem = draw.problem();
    auto plans = planBoxes(problem, hopper, 3);
    ASSERT_FALSE(plans.empty()) << problem.run << " " << problem.runs;
    for (const GpuProductPlan &plan : plans) {
      EXPECT_EQ(whyInvalid(problem, plan), "");
      expectSound(problem, plan, hopper);
      expectCovered(problem, plan.rows);
    }
  }
}

TEST(BoxPlan, WhatIsValidIsSound) {
  const GpuTarget &hopper = *findGpuTarget("sm_90a");
  Draw draw;
  int accepted = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    BoxProduct problem = draw.problem();
    GpuProductPlan plan = draw.plan();
    if (!whyInvalid(problem, plan).empty())
      continue;
    ++accepted;
    expectSound(problem, plan, hopper);
  }
  EXPECT_GT(accepted, 1000);
}

TEST(BoxPlan, IsForHopperAlone) {
  BoxProduct problem = convolution(1, 28, 128);
  EXPECT_TRUE(planBoxes(problem, *findGpuTarget("sm_80"), 1).empty());
  EXPECT_TRUE(planBoxes(problem, *findGpuTarget("sm_100a"), 1).empty());
}

TEST(BoxPlan, RulesAreChecked) {
  BoxProduct problem = convolution(1, 28, 128);
  GpuProductPlan good{64, 64, 4, 1, 3, 1, 8};
  EXPECT_EQ(whyInvalid(problem, good), "");
  using Plan = GpuProductPlan;
  auto why = [&](auto change) {
    GpuProductPlan plan = good;
    change(plan);
    return whyInvalid(problem, plan);
  };
  std::string prefix = "the plan of boxes ";
  EXPECT_EQ(whyInvalid(problem, good, "sm_80"),
            prefix + "is for units that the target does not have");
  EXPECT_EQ(why([](Plan &p) { p.columns = 256; }),
            prefix + "has tiles that warpgroups do not cover");
  EXPECT_EQ(why([](Plan &p) { p.warpRows = 2; }),
            prefix + "has other warps than one to 16 rows");
  EXPECT_EQ(why([](Plan &p) {
              p.rows = p.columns = 128;
              p.warpRows = 8;
              p.stages = 8;
            }),
            prefix + "needs more shared memory than a block may have");
  EXPECT_EQ(why([](Plan &p) { p.share = 3; }),
            prefix + "shares k between too many blocks");
  problem.run = 24;
  EXPECT_EQ(whyInvalid(problem, good),
            prefix + "is for numbers that are no sixteens");
  // Of TF32 tiles may be wider, and runs any.
  problem.product.unit = Precision::TF32;
  EXPECT_EQ(why([](Plan &p) { p.columns = 256; }), "");
}

/// A stage of split numbers has three planes of 64 bytes a column.
TEST(BoxPlan, SharedMemory) {
  GpuProductPlan plan{64, 32, 4, 1, 4, 1, 8};
  EXPECT_EQ(boxedBytes(convolution(1, 7, 32), plan),
            4 * (64 * 128 + 32 * 192) + 64);
  EXPECT_EQ(boxedBytes(convolution(1, 7, 32, Precision::TF32), plan),
            4 * (64 * 128 + 32 * 128) + 64);
}

TEST(BoxTime, GrowsWithWork) {
  const GpuTarget &hopper = *findGpuTarget("sm_90a");
  auto time = [&](int64_t images, Precision unit) {
    BoxProduct problem = convolution(images, 28, 128, unit);
    return estimateBoxes(problem, planBoxes(problem, hopper, 1).front(),
                         hopper);
  };
  EXPECT_LT(time(1, Precision::TF32), time(1, Precision::F32));
  EXPECT_LT(time(1, Precision::F32), time(32, Precision::F32));
}

TEST(FragmentStep, IsAPermutationOfSixteens) {
  std::set<int64_t> steps;
  for (int64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(fragmentStep(i) / 16, i / 16);
    steps.insert(fragmentStep(i));
  }
  EXPECT_EQ(steps.size(), 32u);
  // What lane 1 of four has are the steps from 4 on.
  EXPECT_EQ(fragmentStep(2), 4);
  EXPECT_EQ(fragmentStep(3), 5);
  EXPECT_EQ(fragmentStep(10), 6);
  EXPECT_EQ(fragmentStep(11), 7);
}

} // namespace
