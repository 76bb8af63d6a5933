//===- ScheduleValidateTest.cpp - wrong stages and problems ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file damages solutions and problems; each must be refused. Peaks are
// compared with the heaviest set of tensors that may be in use together.
//===----------------------------------------------------------------------===//
// LINK: TenonScheduling MLIR LLVM
#include "lib/Schedule/Solve.h"
#include "test/unit/ScheduleTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::sched;

static std::string complaint(const Problem &problem, const Solution &solution) {
  return llvm::toString(validate(problem, solution));
}

namespace {
/// Lives by the relation "surely before" of launches, and nothing else.
class Together {
public:
  Together(const Problem &problem, const std::vector<Stage> &stages)
      : problem(problem), place(problem.launches.size()) {
    for (auto [s, stage] : llvm::enumerate(stages))
      for (auto [t, track] : llvm::enumerate(stage.tracks))
        for (auto [i, launch] : llvm::enumerate(track.launches))
          place[launch] = {s, t, i};
  }

  /// Of all sets of tensors, pair by pair in use together.
  int64_t heaviest() const {
    int64_t most = 0;
    for (unsigned set = 0; set < 1u << problem.tensors.size(); ++set)
      if (areTogether(set))
        most = std::max(most, bytesOf(set));
    return most;
  }

private:
  bool precedes(unsigned a, unsigned b) const {
    auto [s, t, i] = place[a];
    auto [u, v, j] = place[b];
    return s < u || (s == u && t == v && i < j);
  }

  /// Whether all uses of one are over before the other begins.
  bool isOver(const Tensor &one, const Tensor &other) const {
    if (one.output || other.writers.empty())
      return false;
    for (const auto *uses : {&one.writers, &one.readers})
      for (unsigned use : *uses)
        for (unsigned writer : other.writers)
          if (!precedes(use, writer))
            return false;
    return true;
  }

  bool areTogether(unsigned set) const {
    for (unsigned a = 0; a < problem.tensors.size(); ++a)
      for (unsigned b = 0; b < a; ++b)
        if ((set >> a & 1) && (set >> b & 1) &&
            (isOver(problem.tensors[a], problem.tensors[b]) ||
             isOver(problem.tensors[b], problem.tensors[a])))
          return false;
    return true;
  }

  int64_t bytesOf(unsigned set) const {
    int64_t bytes = 0;
    for (unsigned a = 0; a < problem.tensors.size(); ++a)
      bytes += set >> a & 1 ? problem.tensors[a].bytes : 0;
    return bytes;
  }

  const Problem &problem;
  std::vector<std::tuple<size_t, size_t, size_t>> place;
};
} // namespace

TEST(ScheduleValidateTest, PeaksAreWhatMayBeTogether) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    Problem problem = randomProblem(random, 3 + random() % 6, 3);
    problem.inPlace.clear();
    for (const Solution &point : llvm::cantFail(front(problem)))
      EXPECT_EQ(point.peak, Together(problem, point.stages).heaviest());
  }
}

/// Whatever is done to a solution, it is refused, or still is one with the
/// same numbers.
TEST(ScheduleValidateTest, RefusesWrongNumbers) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 100; ++round) {
    Problem problem = randomProblem(random, 3 + random() % 6, 2);
    Solution good = llvm::cantFail(solve(problem));
    ASSERT_EQ(complaint(problem, good), "");
    Solution peak = good, time = good;
    ++peak.peak;
    --time.time;
    EXPECT_NE(complaint(problem, peak), "");
    EXPECT_NE(complaint(problem, time), "");
    problem.cap = good.peak - 1;
    EXPECT_NE(complaint(problem, good), "");
  }
}

/// Each launch, put into the first stage on a track of its own, no longer waits
/// for what it must wait for.
TEST(ScheduleValidateTest, RefusesDroppedWaits) {
  std::mt19937 random(9);
  unsigned refused = 0;
  for (unsigned round = 0; round < 100; ++round) {
    Problem problem = randomProblem(random, 4 + random() % 5, 2);
    std::vector<Order> edges = edgesOf(problem);
    Solution good = llvm::cantFail(solve(problem));
    for (const Order &edge : edges) {
      // Both in one stage, side by side, all others before.
      Solution bad;
      for (unsigned launch = 0; launch < problem.launches.size(); ++launch)
        if (launch != edge.before && launch != edge.after)
          bad.stages.push_back({false, {{2, {launch}}}});
      bad.stages.push_back({false, {{1, {edge.before}}, {1, {edge.after}}}});
      Measures is = measure(problem, bad.stages);
      bad.time = is.time;
      bad.peak = is.peak;
      EXPECT_NE(complaint(problem, bad), "");
      ++refused;
    }
  }
  EXPECT_GT(refused, 200u);
}

TEST(ScheduleValidateTest, NamesWhatIsWrong) {
  Problem problem = problemOf(diamond);
  Solution good = llvm::cantFail(solve(problem));
  auto expect = [&](auto damage, const char *why) {
    Solution bad = good;
    damage(bad);
    EXPECT_EQ(complaint(problem, bad), why);
  };
  ASSERT_EQ(good.stages.size(), 3u);
  expect([](Solution &s) { s.stages.pop_back(); }, "node 'd' is in no stage");
  expect([](Solution &s) { s.stages.push_back(s.stages[0]); },
         "node 'a' is in stages 0 and 3");
  expect([](Solution &s) { s.stages.push_back({}); }, "stage 3 is empty");
  expect([](Solution &s) { s.stages[0].tracks[0].launches.clear(); },
         "stage 0 has an empty track");
  expect([](Solution &s) { s.stages[0].tracks[0].launches = {9}; },
         "stage 0 has a node that does not exist");
  expect([](Solution &s) { s.stages[1].tracks[0].threads = 2; },
         "stage 1, with node 'b', needs 3 of 2 threads");
  expect([](Solution &s) { s.stages[1].tracks[0].threads = 0; },
         "node 'b' has no threads (stage 1)");
  expect([](Solution &s) { std::swap(s.stages[0], s.stages[1]); },
         "node 'b' does not wait for 'a'");
  expect([](Solution &s) { s.stages[1].wave = true; },
         "node 'b' cannot be in a wave (stage 1)");
  expect([](Solution &s) { s.time += 1; },
         "the stages take 32200 ns, not 32201");
  expect([](Solution &s) { s.peak -= 1; }, "the peak is 20 bytes, not 19");
  problem.cap = 19;
  expect([](Solution &s) {},
         "the peak of 20 bytes, at node 'b', is above the cap of 19");
  problem.cap = {};
  expect([](Solution &s) { s.stages[0].wave = true; },
         "the wave of stage 0 has one node");
  problem.launches[1].tiles = problem.launches[2].tiles = 4;
  expect([](Solution &s) { s.stages[1].wave = true; },
         "the wave of stage 1 is not for all threads");
}

/// A chain as one: what is between is in no memory.
TEST(ScheduleValidateTest, ProvesUnits) {
  Problem problem = problemOf("node a k 1\nnode b k 1\nnode c k 1\n"
                              "tensor 4 a : b\ntensor 8 b : c\n"
                              "tensor 2 c : out\nunit 1 a b\nunit 1 a c");
  Solution good = {
      {{false, {{1, {0, 1}, {0}}}}, {false, {{1, {2}}}}}, 2000, 10};
  EXPECT_EQ(complaint(problem, good), "");
  auto expect = [&](std::vector<Stage> stages, const char *why) {
    Solution bad = {std::move(stages), 2000, 10};
    EXPECT_EQ(complaint(problem, bad), why);
  };
  expect({{false, {{1, {0, 1}, {2}}}}, {false, {{1, {2}}}}},
         "node 'a' is in a unit that does not exist");
  expect({{false, {{1, {0}, {0}}}}, {false, {{1, {1, 2}}}}},
         "the unit of node 'a' is not whole, or not in a row");
  expect({{false, {{1, {0, 1, 2}, {1}}}}},
         "the unit of node 'a' is not whole, or not in a row");
  expect({{false, {{1, {0, 2, 1}, {1}}}}}, "node 'c' does not wait for 'b'");
  expect({{false, {{1, {0, 1, 2}, {0, 1}}}}},
         "the unit of node 'a' is not whole, or not in a row");
  expect({{false, {{1, {0, 1}}}}, {false, {{1, {2}}}}},
         "the stages take 3000 ns, not 2000");
}

TEST(ScheduleValidateTest, RefusesWrongProblems) {
  auto expect = [&](auto damage, const char *why) {
    Problem bad = problemOf(diamond);
    damage(bad);
    EXPECT_EQ(llvm::toString(bad.check()), why);
    EXPECT_EQ(llvm::toString(solve(bad).takeError()), why);
  };
  expect([](Problem &p) { p.tensors.resize(mostTensors + 1); },
         "a problem has at most 16384 nodes, 65536 tensors");
  expect([](Problem &p) { p.threadCounts = {2, 4}; },
         "numbers of threads go from 1 to 1024");
  expect([](Problem &p) { p.threadCounts = {1, 1}; },
         "numbers of threads do not ascend");
  expect([](Problem &p) { p.threads = 0; }, "a device has 1 to 1024 threads");
  expect([](Problem &p) { p.join = -1; }, "the time of a join is out of range");
  expect([](Problem &p) { p.cap = -1; }, "the cap is negative");
  expect([](Problem &p) { p.imbalance = -1; },
         "the imbalance of waves is out of range");
  expect([](Problem &p) { p.hop = 800; },
         "launches of a GPU have one time each");
  expect([](Problem &p) { p.hop = -1; }, "the time of a hop is out of range");
  expect([](Problem &p) { p.launches[1].part = wholeDevice + 1; },
         "node 'b' takes a part out of range");
  expect([](Problem &p) { p.units = {{{1, 2}, {4}}}; },
         "the unit of node 'b' has 1 times for 2 numbers of threads");
  expect([](Problem &p) { p.units = {{{1, 2}, {4, -1}}}; },
         "the unit of node 'b' has a time out of range");
  expect([](Problem &p) { p.units = {{{1, 1}, {4, 4}}}; },
         "unit 0 does not name two nodes or more, each once, in the order of "
         "the program");
  expect([](Problem &p) { p.launches[1].name = "a"; },
         "node 'a' appears twice");
  expect([](Problem &p) { p.launches[1].times.pop_back(); },
         "node 'b' has 1 times for 2 numbers of threads");
  expect([](Problem &p) { p.launches[1].times[0] = -1; },
         "node 'b' has a time out of range");
  expect([](Problem &p) { p.launches[1].tiles = -1; },
         "node 'b' has tiles out of range");
  expect([](Problem &p) { p.tensors[1].bytes = -1; },
         "tensor '1' has bytes out of range");
  expect(
      [](Problem &p) { p.tensors[0].bytes = p.tensors[1].bytes = mostBytes; },
      "tensor '1' and those before it have too many bytes");
  expect([](Problem &p) { p.tensors[1].readers = {7}; },
         "tensor '1' names a node that does not exist, or one node twice");
  expect([](Problem &p) { p.tensors[1] = {4}; }, "tensor '1' has no use");
  expect([](Problem &p) { p.tensors[1].readers = {0, 3}; },
         "node 'a' reads tensor 1 before its first writer 'b'");
  expect([](Problem &p) { p.inPlace = {{9, 0}}; },
         "an in-place result names no node or tensor");
  expect([](Problem &p) { p.inPlace = {{3, 0}}; },
         "node 'd' may not overwrite tensor 0, which it does not only read");
  expect([](Problem &p) { p.inPlace = {{3, 1}, {3, 1}}; },
         "node 'd' overwrites tensor 1 twice");
  expect([](Problem &p) { p.orders = {{9, 0}}; }, "an order names no node");
  expect([](Problem &p) { p.orders = {{3, 0}}; },
         "node 'a' waits for itself: 'a' after 'd' after 'b' after 'a'");
  expect([](Problem &p) { p.orders = {{2, 1}}; },
         "node 'c' comes before 'b', but stands behind it in the program");
}
