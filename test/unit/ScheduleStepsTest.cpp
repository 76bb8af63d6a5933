//===- ScheduleStepsTest.cpp - steps, waits and the simulator -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file proves plans of random problems, damages their waits, and compares
// the simulator with times that are known.
//===----------------------------------------------------------------------===//
// LINK: TenonScheduling MLIR LLVM
#include "lib/Schedule/Steps/Chains.h"
#include "lib/Schedule/Steps/Plan.h"
#include "lib/Schedule/Steps/Waits.h"
#include "test/unit/ScheduleTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::sched;

static Problem randomGpu(std::mt19937 &random, unsigned launches) {
  return onGpu(random, randomProblem(random, launches, 2));
}

/// Small problems need little work.
static PlanOptions quick() {
  PlanOptions options;
  options.search.search.transitions = 100'000;
  options.moves = 100;
  options.placementWork = 100'000;
  return options;
}

static std::string complaint(const Problem &problem, const Plan &plan) {
  return llvm::toString(validate(problem, plan));
}

TEST(ScheduleStepsTest, SharesAGpuLikeAFluid) {
  Problem problem = problemOf("device 100 hop 0.8\nnode a k 4 part 0.75\n"
                              "node b k 6 part 0.75\nnode c k 1 part 0.25\n"
                              "tensor 4 a : c\ntensor 4 b : out");
  Steps steps = {{{0}, {}, 0}, {{1}, {}, 1}, {{2}, {}, 0}};
  placeWaits(problem, steps);
  EXPECT_TRUE(steps[2].waits.empty());
  // a and b go at two thirds of their speed until a is over.
  Timing timing = simulate(problem, steps);
  EXPECT_EQ(timing.ends, (std::vector<int64_t>{6000, 8000, 7000}));
  // On another stream c begins a hop later.
  steps[2].first = 2;
  placeWaits(problem, steps);
  EXPECT_EQ(steps[2].waits, std::vector<unsigned>{0});
  EXPECT_EQ(simulate(problem, steps).begins[2], 6800);
}

TEST(ScheduleStepsTest, RefusesWavesOfOtherBlocks) {
  Problem problem = problemOf("device 100 hop 0.8\n"
                              "node a k 4 part 0.1 kernel 128 0 1 passes 2000\n"
                              "node b k 4 part 0.1 kernel 128 0 1 passes 2000\n"
                              "tensor 4 a : out\ntensor 4 b : out");
  Plan best = llvm::cantFail(plan(problem, quick()));
  EXPECT_EQ(complaint(problem, best), "");
  ASSERT_EQ(best.steps.size(), 1u);
  Problem other = problem;
  other.launches[1].blocks.threads = 256;
  EXPECT_EQ(complaint(other, best), "node 'b' cannot be in its wave");
  other = problem;
  other.launches[1].blocks.shared = 65536;
  EXPECT_EQ(complaint(other, best), "node 'b' cannot be in its wave");
  other = problem;
  other.launches[1].blocks.parameters = 2097;
  EXPECT_EQ(complaint(other, best), "node 'b' cannot be in its wave");
  EXPECT_EQ(llvm::cantFail(plan(other, quick())).steps.size(), 2u);
}

/// A share begins when its thread is free and waits are over.
TEST(ScheduleStepsTest, HasSharesThatBeginApart) {
  Problem problem = problemOf("threads 1 2\nnode a k 4 3\nnode b k 10 6\n"
                              "node c k 1 1\ntensor 4 a : c\n"
                              "tensor 4 b : out");
  Steps steps = {{{0}, {}, 0}, {{1}, {}, 0, 2}, {{2}, {}, 1}};
  placeWaits(problem, steps);
  Timing timing = simulate(problem, steps);
  EXPECT_EQ(timing.begins, (std::vector<int64_t>{0, 0, 6000}));
  EXPECT_EQ(timing.ends, (std::vector<int64_t>{4000, 10'000, 7000}));
  // b's second share is over at 6, long after what c waits for.
  EXPECT_EQ(steps[2].waits, std::vector<unsigned>{0});
}

/// Each wait of a plan is needed: none of a GPU's may be dropped.
TEST(ScheduleStepsTest, RefusesDroppedWaits) {
  std::mt19937 random(21);
  unsigned refused = 0;
  for (unsigned round = 0; round < 200; ++round) {
    Problem problem = randomGpu(random, 4 + random() % 8);
    Steps steps;
    for (unsigned launch = 0; launch < problem.launches.size(); ++launch)
      steps.push_back({{launch}, {}, unsigned(random() % 3)});
    // Each tensor has bytes of its own, or all begin at the same one.
    std::vector<int64_t> offsets(problem.tensors.size(), 0);
    int64_t end = 0;
    for (auto [offset, tensor] : llvm::zip_equal(offsets, problem.tensors)) {
      offset = end;
      end += tensor.bytes;
    }
    placeWaits(problem, steps, offsets);
    ASSERT_EQ(llvm::toString(validateWaits(problem, steps, offsets)), "");
    for (size_t step = 0; step < steps.size(); ++step)
      for (size_t wait = 0; wait < steps[step].waits.size(); ++wait) {
        Steps bad = steps;
        bad[step].waits.erase(bad[step].waits.begin() + wait);
        EXPECT_NE(llvm::toString(validateWaits(problem, bad, offsets)), "");
        ++refused;
      }
  }
  EXPECT_GT(refused, 500u);
}

/// Bytes that two tensors share order their uses, and each of those waits too
/// is needed.
TEST(ScheduleStepsTest, WaitsForCommonBytes) {
  std::mt19937 random(22);
  unsigned refused = 0, beyondData = 0;
  for (unsigned round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    Problem problem = randomGpu(random, 6 + random() % 10);
    Plan best = llvm::cantFail(plan(problem, quick()));
    ASSERT_EQ(complaint(problem, best), "");
    Steps data = best.steps;
    placeWaits(problem, data);
    for (size_t step = 0; step < data.size(); ++step) {
      beyondData += best.steps[step].waits != data[step].waits;
      for (size_t wait = 0; wait < best.steps[step].waits.size(); ++wait) {
        Plan bad = best;
        auto &waits = bad.steps[step].waits;
        waits.erase(waits.begin() + wait);
        EXPECT_NE(complaint(problem, bad), "");
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(beyondData, 10u);
}

TEST(ScheduleStepsTest, IsNeverSlowerThanTheProgram) {
  std::mt19937 random(23);
  for (unsigned round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    bool gpu = round % 2;
    Problem problem = randomProblem(random, 3 + random() % 25, 1 + round % 5);
    if (round % 3 == 0)
      addUnits(random, problem, 2);
    problem.tracks = round % 5 != 0;
    if (gpu)
      problem = onGpu(random, problem);
    Plan program = programPlan(problem, quick());
    EXPECT_EQ(complaint(problem, program), "");
    Plan best = llvm::cantFail(plan(problem, quick()));
    EXPECT_EQ(complaint(problem, best), "");
    EXPECT_LE(best.time, program.time);
    EXPECT_LE(best.arena, program.arena * 13 / 10);
    EXPECT_EQ(best.steps, llvm::cantFail(plan(problem, quick())).steps);
    problem.cap = program.arena;
    Plan capped = llvm::cantFail(plan(problem, quick()));
    EXPECT_EQ(complaint(problem, capped), "");
    EXPECT_LE(capped.time, program.time);
  }
}

TEST(ScheduleStepsTest, SaysWhatIsWrong) {
  Problem problem = problemOf(diamond);
  Plan good = programPlan(problem);
  auto expect = [&](auto damage, const char *why) {
    Plan bad = good;
    damage(bad);
    EXPECT_EQ(complaint(problem, bad), why);
  };
  expect([](Plan &p) { p.steps.pop_back(); }, "node 'd' is in no step");
  expect([](Plan &p) { p.steps[0].launches = {9}; }, "step 0 has a wrong node");
  expect([](Plan &p) { p.steps[0].threads = 0; }, "step 0 is on no thread");
  expect([](Plan &p) { p.steps[0].first = UINT32_MAX; },
         "step 0 is on no thread");
  expect([](Plan &p) { p.steps[1].waits = {1}; },
         "step 1 waits for a later one");
  expect([](Plan &p) { p.steps[1].waits = {}; },
         "node 'b' does not wait for 'a'");
  expect([](Plan &p) { p.offsets.pop_back(); },
         "not every tensor has an offset");
  expect([](Plan &p) { p.offsets[0] = p.offsets[1]; },
         "tensors 0 and 1 share bytes, and no wait orders their uses");
  expect([](Plan &p) { p.offsets[0] = -1; }, "tensor 0 leaves the arena");
  problem.tracks = false;
  expect([](Plan &p) { p.steps[3].threads = 1; },
         "node 'd' does not run on all threads");
  expect([](Plan &p) { ++p.time; }, "the steps take 34300 ns, not 34301");
}

/// A clock of all threads for each share would not fit into memory.
TEST(ScheduleStepsTest, ProvesNoMoreThanItCan) {
  Problem problem;
  problem.threads = mostThreads;
  Steps steps;
  for (unsigned launch = 0; launch < 300; ++launch) {
    problem.launches.push_back({"n" + std::to_string(launch), "k", {1000}});
    steps.push_back({{launch}, {}, 0, mostThreads});
  }
  EXPECT_EQ(llvm::toString(validateWaits(problem, steps, {})),
            "307200 shares on 1024 threads are too many to prove");
}

/// At the least peak some arenas have holes, or no order of steps fits.
TEST(ScheduleStepsTest, SaysWhatFits) {
  std::mt19937 random(25);
  unsigned holes = 0;
  for (unsigned round = 0; round < 60; ++round) {
    Problem problem = randomGpu(random, 12 + random() % 8);
    problem.cap = leastPeak(problem).peak;
    llvm::Expected<Plan> best = plan(problem, quick());
    if (best) {
      EXPECT_EQ(complaint(problem, *best), "");
      continue;
    }
    ++holes;
    EXPECT_EQ(llvm::toString(best.takeError()),
              "nothing fits into an arena of " + std::to_string(*problem.cap) +
                  " bytes");
  }
  EXPECT_GT(holes, 0u);
  Problem problem = randomGpu(random, 8);
  problem.cap = leastPeak(problem).peak - 1;
  EXPECT_NE(llvm::toString(plan(problem).takeError()).find("the least peak"),
            std::string::npos);
}

TEST(ScheduleStepsTest, RunsNothing) {
  EXPECT_EQ(llvm::cantFail(plan({})).time, 0);
}
