//===- MemoryTest.cpp - placing buffers in an arena -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests the solvers against brute force and random instances, and
// that the validator and the readers refuse what is wrong.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "lib/Memory/Solve.h"
#include "lib/Memory/Text/Text.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <random>

using namespace tenon::mem;

static std::string message(llvm::Error error) {
  return llvm::toString(std::move(error));
}

static bool contains(const std::string &text, const char *piece) {
  return text.find(piece) != std::string::npos;
}

static Problem randomProblem(unsigned seed, int count, int64_t alignment) {
  std::mt19937 generator(seed);
  Problem problem;
  for (int i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.id = "b" + std::to_string(i);
    buffer.lower = generator() % 20;
    buffer.upper = buffer.lower[0] + 1 + generator() % 8;
    buffer.size = generator() % 9 * 4;
    buffer.alignment = alignment;
    problem.buffers.push_back(buffer);
  }
  return problem;
}

TEST(Memory, EverySolverIsValidOnRandomProblems) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Problem problem = randomProblem(seed, 30, 1 << seed % 4);
    ASSERT_EQ(message(problem.check()), "");
    for (Order order :
         {Order::BySize, Order::ByArea, Order::ByLifetime, Order::ByTime})
      for (Fit fit : {Fit::First, Fit::Best}) {
        Solution solution = solveGreedy(problem, order, fit);
        EXPECT_EQ(message(validate(problem, solution)), "");
        EXPECT_GE(solution.arenaBytes(), lowerBound(problem));
      }
    Solution best = solvePortfolio(problem);
    EXPECT_EQ(message(validate(problem, best)), "");
    EXPECT_LE(best.arenaBytes(),
              solveGreedy(problem, Order::BySize, Fit::First).arenaBytes());
  }
}

/// The smallest arena over all orders of first fit, which contains an optimum.
static int64_t optimum(const Problem &problem) {
  std::vector<size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t best = INT64_MAX;
  do {
    std::vector<int64_t> offsets(order.size(), -1);
    int64_t arena = 0;
    for (size_t i : order) {
      const Buffer &a = problem.buffers[i];
      int64_t at = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (size_t j = 0; j < order.size(); ++j) {
          const Buffer &b = problem.buffers[j];
          if (offsets[j] >= 0 && problem.meet(i, j) &&
              at < offsets[j] + b.size && offsets[j] < at + a.size)
            at = offsets[j] + b.size, moved = true;
        }
      }
      offsets[i] = at;
      arena = std::max(arena, at + a.size);
    }
    best = std::min(best, arena);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Memory, ThePortfolioIsCloseToTheOptimumOnSmallProblems) {
  int64_t found = 0, smallest = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Problem problem = randomProblem(seed, 6, 1);
    int64_t best = optimum(problem);
    EXPECT_GE(best, lowerBound(problem));
    EXPECT_GE(solvePortfolio(problem).arenaBytes(), best);
    found += solvePortfolio(problem).arenaBytes();
    smallest += best;
  }
  EXPECT_LE(found, smallest * 21 / 20);
}

TEST(Memory, WrongProblemsAreNamed) {
  auto checked = [](Buffer buffer, bool twice = false) {
    Problem problem{{buffer}};
    if (twice)
      problem.buffers.push_back(buffer);
    return message(problem.check());
  };
  EXPECT_EQ(checked({"a", 0, 1, 4, 1}), "");
  EXPECT_EQ(checked({"a", 0, 1, 4, 1}, true), "buffer 'a' appears twice");
  EXPECT_EQ(checked({"a", 0, 1, -4, 1}), "buffer 'a' has a negative size");
  EXPECT_EQ(checked({"a", 3, 3, 4, 1}), "buffer 'a' never lives");
  EXPECT_EQ(checked({"a", 0, 1, 4, 3}),
            "buffer 'a' has an alignment that is not a power of two");
}

TEST(Memory, ListsAndOverlaysNameBuffersThatExist) {
  Problem problem;
  problem.buffers = {{"a", 0, 2, 64}, {"b", 1, 3, 64}};
  auto messageOf = [&] { return llvm::toString(problem.check()); };
  EXPECT_EQ(messageOf(), "");
  problem.lists = {{{0, 2}, 0}};
  EXPECT_EQ(messageOf(), "a contiguous list names a buffer out of range");
  problem.lists = {};
  for (auto [whole, part] : {std::pair(0u, 2u), std::pair(~0u, 1u)}) {
    problem.overlays = {{whole, part, 0, Overlay::View}};
    EXPECT_EQ(messageOf(), "an overlay names a buffer out of range");
  }
}

TEST(Memory, TheValidatorRefusesWrongSolutions) {
  Problem problem{{{"a", 0, 2, 8, 4}, {"b", 1, 3, 8, 4}}};
  auto validated = [&](std::vector<int64_t> offsets, int64_t arena) {
    return message(validate(problem, {std::move(offsets), {arena}}));
  };
  EXPECT_EQ(validated({0, 8}, 16), "");
  EXPECT_EQ(validated({0, 4}, 16), "buffers 'a' and 'b' overlap");
  EXPECT_EQ(validated({0, 10}, 32), "buffer 'b' is misaligned");
  EXPECT_EQ(validated({0, 8}, 12), "buffer 'b' is outside the arena");
  EXPECT_EQ(validated({-4, 8}, 16), "buffer 'a' is outside the arena");
  EXPECT_EQ(validated({0}, 16), "the solution has another number of buffers");
}

TEST(Memory, TextRoundTrips) {
  Problem problem = randomProblem(7, 12, 8);
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeProblem(problem, nullptr, stream);
  auto read = readProblem(text);
  ASSERT_TRUE(bool(read)) << message(read.takeError());
  ASSERT_EQ(read->buffers.size(), problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    EXPECT_EQ(read->buffers[i].id, problem.buffers[i].id);
    EXPECT_EQ(read->buffers[i].lower, problem.buffers[i].lower);
    EXPECT_EQ(read->buffers[i].upper, problem.buffers[i].upper);
    EXPECT_EQ(read->buffers[i].size, problem.buffers[i].size);
    EXPECT_EQ(read->buffers[i].alignment, problem.buffers[i].alignment);
  }
}

TEST(Memory, WrongTextIsNamedByItsLine) {
  auto failure = [](const char *text) {
    auto read = readProblem(text);
    return read ? std::string() : message(read.takeError());
  };
  EXPECT_EQ(failure("id,lower,upper,size\na,0,1,4\n"), "");
  EXPECT_TRUE(contains(failure("id,lower,upper,size\na,0,1\n"),
                       "line 2: another number of fields than the header"));
  EXPECT_TRUE(contains(failure("id,lower,upper,size\na,0,x,4\n"),
                       "line 2: 'x' is not an integer"));
  EXPECT_TRUE(contains(failure("id,lower,upper,colour\n"),
                       "line 1: unknown column 'colour'"));
  EXPECT_TRUE(contains(failure("id,lower,upper\n"), "no column 'size'"));
}
