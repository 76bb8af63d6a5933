//===- GpuRecurrenceTileTest.cpp - loops over time on GPUs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/GpuRecurrence.h"

#include "gtest/gtest.h"

using namespace tenon::tile;

namespace {

std::string whyInvalid(const GpuRecurrence &problem,
                       const GpuRecurrencePlan &plan,
                       const char *target = "sm_90a") {
  llvm::Error error = validate(problem, plan, *findGpuTarget(target));
  return error ? llvm::toString(std::move(error)) : "";
}

GpuRecurrence lstm(int64_t directions, int64_t batch, int64_t hidden) {
  return {directions, batch, 4, hidden, 128, 1};
}

TEST(GpuRecurrencePlan, SmallLayersHaveOneOnAnyTarget) {
  for (const GpuTarget &target : gpuTargets())
    for (int64_t directions : {1, 2})
      for (int64_t batch : {1, 3, 8, 11})
        for (int64_t gates : {1, 3, 4})
          for (int64_t hidden : {1, 7, 32, 33, 65, 128, 200}) {
            GpuRecurrence problem{directions, batch, gates, hidden, 4, 1};
            GpuRecurrencePlan chosen = plan(problem, target);
            EXPECT_EQ(whyInvalid(problem, chosen, target.name.data()), "")
                << directions << " " << batch << " " << gates << " " << hidden;
            EXPECT_GE(chosen.groups(problem) * chosen.rows, batch);
            EXPECT_GE(chosen.blocksOfChain(problem) * chosen.units, hidden);
          }
}

TEST(GpuRecurrencePlan, IsThatOfTheMeasurements) {
  const GpuTarget &target = *findGpuTarget("sm_90a");
  GpuRecurrence problem = lstm(1, 1, 512);
  GpuRecurrencePlan chosen = plan(problem, target);
  EXPECT_EQ(chosen.units, 8);
  EXPECT_EQ(chosen.blocks(problem), 64);
  double step = (estimateTime(problem, chosen, target) - 4) / 128;
  EXPECT_GT(step, 0.75);
  EXPECT_LT(step, 1.2);
}

/// Sequences have blocks of their own while there are some.
TEST(GpuRecurrencePlan, SequencesGoTogetherWhereBlocksAreFew) {
  const GpuTarget &target = *findGpuTarget("sm_90a");
  EXPECT_EQ(plan(lstm(1, 2, 512), target).rows, 1);
  EXPECT_GT(plan(lstm(1, 8, 512), target).rows, 1);
  EXPECT_EQ(plan(lstm(1, 8, 64), target).rows, 1);
}

TEST(GpuRecurrencePlan, KeepsTheRules) {
  GpuRecurrence small = lstm(1, 1, 64);
  EXPECT_EQ(whyInvalid(small, {1, 8}), "");
  EXPECT_EQ(whyInvalid(small, {0, 8}), "a recurrence has bad rows or units");
  EXPECT_EQ(whyInvalid(small, {9, 8}), "a recurrence has bad rows or units");
  EXPECT_EQ(whyInvalid(small, {1, 33}), "a recurrence has bad rows or units");
  EXPECT_EQ(whyInvalid(lstm(2, 1, 1024), {1, 8}),
            "a recurrence has too many blocks");
  EXPECT_EQ(whyInvalid(lstm(1, 1, 1024), {1, 16}),
            "a recurrence has too few registers");
  EXPECT_EQ(whyInvalid({1, 8, 1, 4096, 8, 1}, {8, 32}, "sm_86"),
            "a recurrence has too many blocks");
  EXPECT_EQ(whyInvalid({1, 8, 1, 2048, 8, 1}, {8, 29}, "sm_86"),
            "a recurrence has too few registers");
  EXPECT_EQ(whyInvalid({1, 8, 1, 1664, 8, 1}, {8, 16}, "sm_86"),
            "a recurrence has too many blocks");
  EXPECT_EQ(whyInvalid({1, 8, 1, 2048, 8, 1}, {8, 16}, "sm_89"),
            "a recurrence has too little shared memory");
}

TEST(GpuRecurrencePlan, LanesHavePartsOfAState) {
  EXPECT_EQ(lstm(1, 1, 20).padded(), 32);
  EXPECT_EQ(lstm(1, 1, 33).padded(), 64);
  EXPECT_EQ(lstm(1, 1, 65).padded(), 128);
  GpuRecurrencePlan both{2, 8};
  EXPECT_EQ(both.sharedBytes(lstm(1, 3, 20)), 2 * 2 * 32 * 4);
  EXPECT_EQ(both.exchangeBytes(lstm(1, 3, 20)), 2 * 2 * 2 * 20 * 8);
}

} // namespace
