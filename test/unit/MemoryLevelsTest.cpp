//===- MemoryLevelsTest.cpp - keeping what is small low -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonMemory LLVM NO_PCH
#include "lib/Memory/Levels.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace tenon::mem;

namespace {

constexpr int64_t loudEnd = 3;

/// A few large buffers, then many small ones.
Problem makeProblem(unsigned seed) {
  std::mt19937 random(seed);
  Problem problem;
  auto add = [&](int64_t lower, int64_t upper, int64_t size) {
    std::string id = std::to_string(problem.buffers.size());
    problem.buffers.push_back({id, lower, upper, size});
  };
  for (int64_t i = 0; i < loudEnd; ++i)
    add(i, i + 1, 10000 + int64_t(random() % 1000));
  for (int i = 0; i < 60; ++i) {
    int64_t born = loudEnd + int64_t(random() % 40);
    add(born, born + 1 + int64_t(random() % 8), 50 + int64_t(random() % 200));
  }
  return problem;
}

/// The end of the highest of the small ones.
int64_t quietHeight(const Problem &problem, const Solution &solution) {
  int64_t height = 0;
  for (size_t i = loudEnd; i < problem.buffers.size(); ++i)
    height = std::max(height, solution.offsets[i] + problem.buffers[i].size);
  return height;
}

TEST(MemoryLevels, QuietTimesLieAsLowAsIfTheyWereAll) {
  int64_t before = 0, after = 0, bound = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Problem problem = makeProblem(seed), quiet = problem;
    quiet.buffers.erase(quiet.buffers.begin(), quiet.buffers.begin() + loudEnd);
    Outcome plain = solve(problem), low = solveInLevels(problem);
    EXPECT_EQ(llvm::toString(validate(problem, low.solution)), "");
    EXPECT_EQ(low.solution.arenaBytes(), plain.solution.arenaBytes());
    EXPECT_EQ(low.optimal, plain.optimal);
    before += quietHeight(problem, plain.solution);
    after += quietHeight(problem, low.solution);
    bound += lowerBound(quiet);
  }
  EXPECT_LT(after, before);
  EXPECT_LE(after, bound * 21 / 20);
}

TEST(MemoryLevels, WhatKeepsItsDistanceStaysTogether) {
  Problem problem = makeProblem(1);
  problem.buffers[10].lower = problem.buffers[20].lower = 30;
  problem.buffers[10].upper = problem.buffers[20].upper = 35;
  problem.buffers[30].lower = 30;
  problem.buffers[30].upper = 33;
  problem.buffers[30].size = 8;
  problem.lists.push_back({{20, 10}});
  problem.overlays.push_back({10, 30, 16, Overlay::View});
  Solution solution = solveInLevels(problem).solution;
  EXPECT_EQ(llvm::toString(validate(problem, solution)), "");
}

TEST(MemoryLevels, OthersAreAsSolveHasThem) {
  Problem problem = makeProblem(2);
  problem.buffers.back().fixed = 5000;
  Outcome plain = solve(problem), low = solveInLevels(problem);
  EXPECT_EQ(low.solution.offsets, plain.solution.offsets);
}

} // namespace
