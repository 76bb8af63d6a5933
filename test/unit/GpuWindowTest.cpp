//===- GpuWindowTest.cpp - who computes a window on a GPU -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/GpuWindow.h"

#include "gtest/gtest.h"

using namespace tenon::tile;

namespace {

std::string whyInvalid(const GpuWindow &problem, const GpuWindowPlan &plan,
                       const char *target = "sm_90a") {
  llvm::Error error = validate(problem, plan, *findGpuTarget(target));
  return error ? llvm::toString(std::move(error)) : "";
}

GpuWindow square(int64_t images, int64_t channels, int64_t output,
                 int64_t kernel, int64_t stride = 1, int64_t bytes = 4) {
  GpuWindow problem;
  problem.images = images;
  problem.channels = channels;
  problem.dims[1] = problem.dims[2] = {output, kernel, stride, 1};
  problem.elementBytes = bytes;
  problem.hasWeights = true;
  problem.bytes =
      images * channels * output * output * bytes * (1 + stride * stride);
  return problem;
}

TEST(GpuWindow, NeighboursShareInputs) {
  GpuWindowDim dim{8, 3, 1, 1};
  EXPECT_EQ(dim.inputs(1, 3), 3);
  EXPECT_EQ(dim.inputs(4, 3), 6);
  dim.stride = 2;
  EXPECT_EQ(dim.inputs(4, 3), 9);
  dim = {8, 3, 1, 2};
  EXPECT_EQ(dim.inputs(2, 3), 6);
  EXPECT_EQ(dim.inputs(3, 3), 7);
}

TEST(GpuWindow, LanesAreAtMostSixteenBytes) {
  EXPECT_EQ(square(1, 24, 7, 3).mostLanes(), 4);
  EXPECT_EQ(square(1, 24, 7, 3, 1, 2).mostLanes(), 8);
  EXPECT_EQ(square(1, 6, 7, 3).mostLanes(), 2);
  EXPECT_EQ(square(1, 5, 7, 3).mostLanes(), 1);
}

/// All of them keep the rules, cover the results and beat a thread for each.
TEST(GpuWindowPlan, AllWindowsHaveOneOnAnyTarget) {
  for (const GpuTarget &target : gpuTargets())
    for (int64_t images : {1, 32})
      for (int64_t channels : {1, 3, 24, 960})
        for (int64_t output : {1, 7, 56})
          for (int64_t kernel : {1, 3, 7, 11, 12, 31, 56})
            for (int64_t bytes : {2, 4}) {
              GpuWindow problem =
                  square(images, channels, output, kernel, 1, bytes);
              GpuWindowPlan chosen = plan(problem, target);
              EXPECT_EQ(whyInvalid(problem, chosen, target.name.data()), "")
                  << channels << " " << output << " " << kernel;
              GpuWindowPlan single{1, 1, 1, 1, std::min<int64_t>(kernel, 8)};
              EXPECT_LE(estimateTime(problem, chosen, target),
                        estimateTime(problem, single, target));
              EXPECT_GE(chosen.units(problem) * chosen.lanes * chosen.rows *
                            chosen.pixels,
                        images * channels * output * output);
            }
}

TEST(GpuWindowPlan, SmallWindowsAreReadAtOnce) {
  const GpuTarget &target = *findGpuTarget("sm_90a");
  GpuWindow small = square(1, 960, 7, 3);
  EXPECT_TRUE(plan(small, target).isWhole(small));
  GpuWindow batch = square(32, 96, 56, 3);
  GpuWindowPlan chosen = plan(batch, target);
  EXPECT_EQ(chosen.lanes, 4);
  EXPECT_GT(chosen.rows * chosen.pixels, 1);
  GpuWindow large = square(32, 96, 56, 7);
  chosen = plan(large, target);
  EXPECT_FALSE(chosen.isWhole(large));
  EXPECT_LE(registersOf(large, chosen), 128);
}

/// As many as there are, or as registers allow.
TEST(GpuWindowPlan, BlocksShareOutRegisters) {
  const GpuTarget &target = *findGpuTarget("sm_90a");
  GpuWindow small = square(1, 64, 7, 3);
  EXPECT_EQ(blocksTogether(small, plan(small, target), target), 1);
  GpuWindow large = square(32, 96, 56, 7);
  GpuWindowPlan chosen = plan(large, target);
  int64_t together = blocksTogether(large, chosen, target);
  EXPECT_GT(together, 1);
  EXPECT_LE(together * chosen.threads * registersOf(large, chosen),
            target.registers);
}

/// A small map takes little more than a launch; a large one what memory takes.
TEST(GpuWindowPlan, TimesFollowTheWork) {
  const GpuTarget &target = *findGpuTarget("sm_90a");
  auto timeOf = [&](const GpuWindow &problem) {
    return estimateTime(problem, plan(problem, target), target);
  };
  EXPECT_LT(timeOf(square(1, 96, 14, 3)), target.launchTime + 1);
  GpuWindow large = square(32, 96, 112, 3);
  EXPECT_GT(timeOf(large), double(large.bytes) / target.memoryBytes);
  EXPECT_LT(timeOf(large), 2 * double(large.bytes) / target.memoryBytes);
}

TEST(GpuWindowPlan, KeepsTheRules) {
  GpuWindow small = square(1, 24, 14, 3);
  EXPECT_EQ(whyInvalid(small, {4, 2, 2, 3, 3, 128}), "");
  EXPECT_EQ(whyInvalid(small, {4, 0, 1, 3, 3, 128}),
            "the plan of the window has a number below one");
  EXPECT_EQ(whyInvalid(small, {8, 1, 1, 3, 3, 128}),
            "the plan of the window has vectors that channels do not fill");
  EXPECT_EQ(whyInvalid(small, {3, 1, 1, 3, 3, 128}),
            "the plan of the window has vectors that channels do not fill");
  EXPECT_EQ(whyInvalid(small, {4, 1, 1, 3, 3, 48}),
            "the plan of the window has threads that are no warps");
  EXPECT_EQ(whyInvalid(small, {4, 1, 1, 3, 4, 128}),
            "the plan of the window has more taps than there are");
  EXPECT_EQ(whyInvalid(small, {4, 1, 1, 4, 3, 128}),
            "the plan of the window has more taps than there are");
  EXPECT_EQ(whyInvalid(small, {4, 1, 2, 1, 2, 128}),
            "the plan of the window has results that share no taps");
  EXPECT_EQ(whyInvalid(small, {4, 2, 1, 1, 3, 128}),
            "the plan of the window has results that share no taps");
  EXPECT_EQ(whyInvalid(square(1, 24, 14, 7), {4, 4, 4, 7, 7, 128}),
            "the plan of the window needs more registers than there are");
  EXPECT_EQ(whyInvalid(small, {4, 2, 2, 3, 3, 1024}),
            "the plan of the window needs more registers than there are");
}

} // namespace
