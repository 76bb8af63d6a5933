//===- ScheduleFrontTest.cpp - time against bytes, in a few steps ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonScheduling MLIR LLVM
#include "lib/Schedule/Front.h"
#include <gtest/gtest.h>

using namespace tenon::sched;

/// Of a machine that takes 1,000 ns less one for each byte it may use.
static std::optional<FrontPoint> exact(std::optional<int64_t> cap) {
  int64_t bytes = cap.value_or(180);
  return FrontPoint{1000 - bytes, bytes};
}

/// Down to the least in even steps, which are as many as there may be.
TEST(ScheduleFrontTest, EndsAtTheLeast) {
  std::vector<FrontPoint> front = frontInSteps(100, exact);
  ASSERT_EQ(front.size(), 9u);
  EXPECT_EQ(front.front(), (FrontPoint{820, 180}));
  EXPECT_EQ(front[1], (FrontPoint{830, 170}));
  EXPECT_EQ(front.back(), (FrontPoint{900, 100}));
}

/// Fewer bytes than steps are a byte each; nothing below the first is one
/// point; a search that finds nothing has no front.
TEST(ScheduleFrontTest, HasFewPointsWhereThereAreFew) {
  EXPECT_EQ(frontInSteps(177, exact).size(), 4u);
  EXPECT_EQ(frontInSteps(180, exact).size(), 1u);
  EXPECT_EQ(frontInSteps(500, exact).size(), 1u);
  EXPECT_TRUE(frontInSteps(0, [](auto) { return std::nullopt; }).empty());
}

/// What is slower and larger than what comes later is no part of it, and what
/// fits nowhere ends it.
TEST(ScheduleFrontTest, LeavesOutWhatIsBeaten) {
  std::vector<FrontPoint> found = {{50, 90}, {60, 80}, {40, 70}, {45, 60}};
  size_t next = 0;
  std::vector<FrontPoint> front = frontInSteps(
      10, [&](std::optional<int64_t>) -> std::optional<FrontPoint> {
        if (next == found.size())
          return std::nullopt;
        return found[next++];
      });
  EXPECT_EQ(front, (std::vector<FrontPoint>{{40, 70}, {45, 60}}));
}
