//===- MemoryExactTest.cpp - exact search against brute force -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares solve() with the optimum of small random problems, which
// brute force finds by trying every offset of every buffer, and checks that
// results depend neither on threads nor on the run.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "lib/Memory/Blocks.h"
#include "lib/Memory/Solve.h"

#include "gtest/gtest.h"
#include <random>

using namespace tenon::mem;

namespace {
/// Tries every start of every block, in ascending capacities.
class BruteForce {
public:
  explicit BruteForce(const Problem &problem)
      : problem(problem), blocks(llvm::cantFail(buildBlocks(problem))),
        starts(blocks.blocks.size()) {}

  int64_t optimum() {
    int64_t capacity = 1;
    while (!fits(0, capacity))
      ++capacity;
    return capacity;
  }

private:
  const Problem &problem;
  Blocks blocks;
  std::vector<int64_t> starts;

  bool fits(size_t next, int64_t capacity) {
    if (next == starts.size())
      return true;
    const Block &block = blocks.blocks[next];
    for (int64_t at = 0; at + block.size <= capacity; ++at) {
      bool allowed = at % block.alignment == block.phase &&
                     (!block.fixed || *block.fixed == at);
      starts[next] = at;
      if (allowed && isFree(next) && fits(next + 1, capacity))
        return true;
    }
    return false;
  }

  bool isFree(size_t last) const {
    for (size_t other = 0; other < last; ++other)
      for (const Piece &p : blocks.blocks[last].pieces)
        for (const Piece &q : blocks.blocks[other].pieces)
          if (problem.meet(p.buffer, q.buffer) &&
              starts[last] + p.delta < starts[other] + q.delta + q.size &&
              starts[other] + q.delta < starts[last] + p.delta + p.size)
            return false;
    return true;
  }
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Problem problem() {
    Problem result;
    unsigned streams = below(4) ? 1 : 2;
    int count = 3 + below(4);
    bool aligned = !below(4);
    for (int i = 0; i < count; ++i) {
      Buffer buffer;
      buffer.id = "b" + std::to_string(i);
      std::vector<int64_t> lower, upper;
      for (unsigned s = 0; s < streams; ++s) {
        lower.push_back(below(5));
        upper.push_back(lower.back() + (s ? below(4) : 1 + below(4)));
      }
      buffer.lower = Clock(lower);
      buffer.upper = Clock(upper);
      buffer.size = 1 + below(5);
      buffer.alignment = aligned ? 1 << below(3) : 1;
      result.buffers.push_back(std::move(buffer));
    }
    constrain(result);
    return result;
  }

private:
  std::mt19937 random;

  int64_t below(unsigned limit) { return random() % limit; }

  /// Sometimes a list, a fixed offset or an overlay; what check() refuses is
  /// dropped.
  void constrain(Problem &problem) {
    unsigned kind = below(6), count = unsigned(problem.buffers.size());
    unsigned a = below(count), b = below(count);
    Problem changed = problem;
    if (kind == 0 && a != b)
      changed.lists.push_back({{a, b}, below(2)});
    if (kind == 1)
      changed.buffers[a].fixed = below(3) * 4;
    if (kind == 2 && a != b)
      changed.overlays.push_back({a, b, below(3), Overlay::View});
    if (kind == 3 && a != b)
      changed.overlays.push_back({a, b, 0, Overlay::InPlace});
    if (llvm::Error error = changed.check())
      llvm::consumeError(std::move(error));
    else
      problem = std::move(changed);
  }
};
} // namespace

TEST(MemoryExact, EqualsBruteForceOnSmallProblems) {
  int searched = 0;
  for (unsigned seed = 0; seed < 10000; ++seed) {
    Problem problem = Generator(seed).problem();
    ASSERT_FALSE(bool(problem.check())) << "seed " << seed;
    Outcome outcome = solve(problem);
    ASSERT_EQ(llvm::toString(validate(problem, outcome.solution)), "")
        << "seed " << seed;
    ASSERT_TRUE(outcome.optimal) << "seed " << seed;
    int64_t best = BruteForce(problem).optimum();
    ASSERT_EQ(outcome.solution.arenaBytes(), best) << "seed " << seed;
    ASSERT_LE(lowerBound(problem), best) << "seed " << seed;
    searched += outcome.solver == "exact";
  }
  EXPECT_GT(searched, 10);
}

/// Enough buffers that greedy placement fails and search has to work.
static Problem dense(unsigned seed, int count) {
  std::mt19937 random(seed);
  Problem problem;
  for (int i = 0; i < count; ++i) {
    int64_t lower = random() % 30, upper = lower + 1 + random() % 12;
    int64_t size = 1024 * (1 + random() % 60);
    problem.buffers.push_back({"b" + std::to_string(i), lower, upper, size, 1});
  }
  return problem;
}

TEST(MemoryExact, ThreadsDoNotChangeTheResult) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    Problem problem = dense(seed, 60);
    Options options;
    options.work = 50'000'000;
    Outcome one = solve(problem, options);
    options.threads = 3;
    Outcome three = solve(problem, options);
    EXPECT_EQ(one.solution.offsets, three.solution.offsets);
    EXPECT_EQ(one.solver, three.solver);
    EXPECT_EQ(one.work, three.work);
    EXPECT_EQ(one.optimal, three.optimal);
  }
}

TEST(MemoryExact, EverySolverGivesAValidPlanForAnyBudget) {
  for (int64_t work : {0, 1, 1000, 100000, 10000000})
    for (const char *solver : {"", "greedy", "repair", "exact"}) {
      Problem problem = dense(7, 80);
      Options options;
      options.work = work;
      options.solver = solver;
      Outcome outcome = solve(problem, options);
      EXPECT_EQ(llvm::toString(validate(problem, outcome.solution)), "");
      EXPECT_LE(outcome.solution.arenaBytes(),
                solveGreedy(problem, Order::BySize, Fit::First).arenaBytes());
    }
}

TEST(MemoryExact, StopsAtTheCapacity) {
  Problem problem = dense(3, 60);
  Options options;
  options.capacity = lowerBound(problem) * 2;
  Outcome outcome = solve(problem, options);
  EXPECT_LE(outcome.solution.arenaBytes(), options.capacity);
  EXPECT_EQ(outcome.solver, "greedy");
}

TEST(MemoryExact, ScopesAreArenasOfTheirOwn) {
  Problem problem = {{{"a", 0, 2, 8, 1, 0}, {"b", 0, 2, 16, 1, 1}}};
  Outcome outcome = solve(problem);
  EXPECT_EQ(outcome.solution.offsets, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(outcome.solution.arenas, (std::vector<int64_t>{8, 16}));
  EXPECT_TRUE(outcome.optimal);
}

TEST(MemoryExact, NothingToPlace) {
  Outcome outcome = solve({});
  EXPECT_EQ(outcome.solution.arenaBytes(), 0);
  EXPECT_TRUE(outcome.optimal);
}
