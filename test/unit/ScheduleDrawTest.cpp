//===- ScheduleDrawTest.cpp - steps as pictures ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonSchedulingDraw MLIR LLVM
#include "lib/Schedule/Draw/Draw.h"
#include "lib/Schedule/Steps/Plan.h"
#include "test/unit/ScheduleTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::sched;

/// Stages begin when the one before is over, their launches one by one.
TEST(ScheduleDrawTest, TimesStages) {
  Problem problem = problemOf(branches);
  Solution solution = llvm::cantFail(solve(problem));
  LaidOut laid = layOut(problem, solution.stages);
  Timing timing = timeStages(problem, solution.stages, laid);
  EXPECT_EQ(timing.begins,
            (std::vector<int64_t>{0, 3000, 23'000, 3000, 23'000, 33'200}));
  EXPECT_EQ(timing.time, solution.time);
}

/// Any problem can be drawn, also without launches, and the same twice.
TEST(ScheduleDrawTest, DrawsAnything) {
  std::mt19937 random(31);
  for (unsigned round = 0; round < 20; ++round) {
    Problem problem = randomProblem(random, 1 + random() % 12, 4);
    if (round % 2)
      problem = onGpu(random, problem);
    problem.launches[0].name = "a<b>&\x01";
    Plan plan = programPlan(problem);
    Timing timing = simulate(problem, plan.steps);
    std::string picture = drawSteps(problem, plan.steps, timing, "title");
    EXPECT_EQ(picture, drawSteps(problem, plan.steps, timing, "title"));
    EXPECT_NE(picture.find("a&lt;b&gt;&amp;"), std::string::npos);
    EXPECT_EQ(picture.substr(picture.size() - 7), "</svg>\n");
  }
  EXPECT_NE(drawSteps({}, {}, {}, "none").find("</svg>"), std::string::npos);
}
