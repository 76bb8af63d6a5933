//===- MemoryProgramTest.cpp - programs and proofs about their plans ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests that wrong programs are named, that plans of right ones are
// proven, and that no damage to a plan goes unnoticed.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "MemoryTestPrograms.h"
#include "lib/Memory/Sharing.h"
#include "lib/Memory/Solve.h"
#include "lib/Memory/Streams/Clocks.h"

#include "gtest/gtest.h"
#include <chrono>

using namespace tenon::mem;

/// p writes t on stream 0, c reads it and writes u on stream 1.
static Program pair() {
  Program program;
  program.streams = 2;
  program.nodes = {{"p", 0}, {"c", 1}};
  program.events = {{0, 1}};
  program.tensors = {{"t", 64}, {"u", 64}};
  program.tensors[0].producer = 0;
  program.tensors[0].consumers = {1};
  program.tensors[1].producer = 1;
  return program;
}

static std::string checked(void (*change)(Program &)) {
  Program program = pair();
  change(program);
  return message(program.check());
}

TEST(MemoryProgram, WrongNodesAreNamed) {
  EXPECT_EQ(checked([](Program &) {}), "");
  EXPECT_EQ(checked([](Program &p) { p.streams = 0; }),
            "a program has 1 to 1024 streams");
  EXPECT_EQ(checked([](Program &p) { p.nodes[1].id = "p"; }),
            "node 'p' appears twice");
  EXPECT_EQ(checked([](Program &p) { p.nodes[1].stream = 2; }),
            "node 'c' is on a stream that does not exist");
  EXPECT_EQ(checked([](Program &p) { p.nodes[1].cost = -1; }),
            "node 'c' has a cost out of range");
  EXPECT_EQ(checked([](Program &p) { p.events = {{0, 2}}; }),
            "an event names a node out of range");
  EXPECT_EQ(checked([](Program &p) { p.events = {{1, 1}}; }),
            "node 'c' waits for itself");
  EXPECT_EQ(checked([](Program &p) { p.events.push_back({1, 0}); }),
            "node 'p' would wait for itself: the program is cyclic");
  EXPECT_EQ(checked([](Program &p) { p.events.clear(); }),
            "node 'c' on stream 1 reads 't' without waiting for 'p'");
}

TEST(MemoryProgram, WrongTensorsAreNamed) {
  EXPECT_EQ(checked([](Program &p) { p.tensors[1].id = "t"; }),
            "tensor 't' appears twice");
  EXPECT_EQ(checked([](Program &p) { p.tensors[0].consumers = {7}; }),
            "tensor 't' names a node out of range");
  EXPECT_EQ(checked([](Program &p) { p.tensors[0].input = true; }),
            "tensor 't' is an input but is written by a node");
  EXPECT_EQ(checked([](Program &p) { p.tensors[1].producer.reset(); }),
            "tensor 'u' is written by no node");
  EXPECT_EQ(checked([](Program &p) {
              p.tensors[1].producer.reset();
              p.tensors[1].input = true;
              p.tensors[1].coproducers = {1};
            }),
            "tensor 'u' is written in parts but has no producer");
  EXPECT_EQ(checked([](Program &p) { p.tensors[1].coproducers = {2}; }),
            "tensor 'u' names a node out of range");
  EXPECT_EQ(checked([](Program &p) {
              p.nodes.push_back({"d", 0});
              p.tensors[0].coproducers = {2};
            }),
            "node 'c' on stream 1 reads 't' without waiting for 'd'");
  EXPECT_EQ(checked([](Program &p) { p.tensors[0].consumers = {0}; }),
            "node 'p' reads and writes the same tensor");
  EXPECT_EQ(checked([](Program &p) { p.tensors[0].size = -1; }),
            "buffer 't' has a negative size");
}

TEST(MemoryProgram, WrongTiesAreNamed) {
  EXPECT_EQ(checked([](Program &p) {
              p.nodes.push_back({"d", 1});
              p.tensors[1].coproducers = {2};
              p.overlays = {{0, 1, 0, Overlay::InPlace}};
            }),
            "tensor 'u' lies on another one but is written in parts");
  EXPECT_EQ(checked([](Program &p) { p.lists = {{{0, 5}}}; }),
            "a list or an overlay names a tensor out of range");
  EXPECT_EQ(
      checked([](Program &p) { p.overlays = {{1, 0, 0, Overlay::InPlace}}; }),
      "tensor 't' overwrites what its node does not read");
  EXPECT_EQ(checked([](Program &p) {
              p.tensors[0].output = true;
              p.overlays = {{0, 1, 0, Overlay::InPlace}};
            }),
            "tensor 't' is overwritten in place but used at the end");
  EXPECT_EQ(checked([](Program &p) {
              p.tensors[0].consumers.clear();
              p.overlays = {{0, 1, 0, Overlay::View}};
            }),
            "tensor 'u' is a view, but no node makes it from its whole or its "
            "whole from it");
  EXPECT_EQ(checked([](Program &p) {
              p.nodes.push_back({"d", 1});
              p.tensors[0].consumers = {1, 2};
              p.overlays = {{0, 1, 0, Overlay::InPlace}};
            }),
            "buffer 't' is overwritten in place but used later");
}

static std::string proven(const Program &program, const Solution &solution) {
  return message(validateProgram(program, solution));
}

TEST(MemoryProgram, WrongPlansAreNamed) {
  Program program = pair();
  EXPECT_EQ(proven(program, {{0, 64}, {128}}), "");
  EXPECT_EQ(proven(program, {{0}, {128}}),
            "the solution has another number of tensors");
  EXPECT_EQ(proven(program, {{0, 63}, {128}}),
            "tensors 't' and 'u' share bytes while both are in use");
  EXPECT_EQ(proven(program, {{0, 65}, {128}}),
            "tensor 'u' is outside its arena");
  EXPECT_EQ(proven(program, {{-1, 64}, {128}}),
            "tensor 't' is outside its arena");
  program.tensors[1].alignment = 64;
  EXPECT_EQ(proven(program, {{0, 65}, {256}}), "tensor 'u' is misaligned");
  program.tensors[1].fixed = 128;
  EXPECT_EQ(proven(program, {{0, 64}, {256}}),
            "tensor 'u' is not at its fixed offset");
}

TEST(MemoryProgram, PlansOfWrongProgramsAreRefused) {
  Program program = pair();
  program.events.push_back({1, 0});
  EXPECT_EQ(proven(program, {{0, 64}, {128}}), "the program is cyclic");
  program.events.clear();
  EXPECT_EQ(proven(program, {{0, 64}, {128}}),
            "node 'c' may read 't' before it is written");
}

TEST(MemoryProgram, PlansMustKeepLists) {
  Program program = pair();
  program.lists = {{{0, 1}, 32}};
  EXPECT_EQ(proven(program, {{32, 96}, {192}}), "");
  EXPECT_EQ(proven(program, {{32, 128}, {256}}),
            "tensor 'u' is not directly after 't'");
  EXPECT_EQ(proven(program, {{0, 64}, {192}}),
            "the guard of tensor 't' is outside its arena");
  program.tensors.push_back({"w", 8});
  program.tensors[2].lifelong = true;
  EXPECT_EQ(proven(program, {{32, 96, 0}, {192}}),
            "the guard of tensor 't' is not free of 'w'");
}

TEST(MemoryProgram, GuardsOfTwoListsAreApart) {
  Program program = pair();
  program.lists = {{{0}, 32}, {{1}, 32}};
  EXPECT_EQ(proven(program, {{32, 160}, {256}}), "");
  EXPECT_EQ(proven(program, {{32, 128}, {256}}),
            "the guard of tensor 't' is not free of 'u'");
  Problem problem = problemOf(program);
  EXPECT_EQ(message(validate(problem, {{32, 160}, {256}})), "");
  EXPECT_EQ(message(validate(problem, {{32, 128}, {256}})),
            "the guards of 't' and 'u' overlap");
}

TEST(MemoryProgram, TheProblemsValidatorSeesTheSame) {
  Program program = pair();
  program.lists = {{{}}};
  EXPECT_EQ(message(program.check()), "a contiguous list is empty");
  program.lists = {{{0, 1}, 32}};
  program.tensors.push_back({"w", 8});
  program.tensors[2].lifelong = true;
  Problem problem = problemOf(program);
  EXPECT_EQ(message(validate(problem, {{32, 96, 192}, {200}})), "");
  EXPECT_EQ(message(validate(problem, {{32, 96, 160}, {200}})),
            "buffer 'w' lies in the guard of 'u'");
  EXPECT_EQ(message(validate(problem, {{32, 96, 192}, {200, 0}})),
            "the solution has another number of arenas");
}

TEST(MemoryProgram, PlansMustKeepOverlays) {
  Program program = pair();
  program.overlays = {{0, 1, 0, Overlay::InPlace}};
  ASSERT_EQ(message(program.check()), "");
  EXPECT_EQ(proven(program, {{0, 0}, {64}}), "");
  EXPECT_EQ(proven(program, {{0, 64}, {128}}),
            "tensor 'u' is not at its place in 't'");
  program.nodes.push_back({"d", 0});
  program.tensors[0].consumers.push_back(2);
  EXPECT_EQ(proven(program, {{0, 0}, {64}}),
            "tensor 't' is overwritten by 'u' while it is still in use");
  program.overlays = {{0, 1, 32, Overlay::View}};
  EXPECT_EQ(proven(program, {{0, 32}, {96}}), "view 'u' leaves its whole 't'");
  program.tensors[1].size = 32;
  EXPECT_EQ(proven(program, {{0, 32}, {64}}), "");
}

TEST(MemoryProgram, PartsOfAConcatenationMayNotShare) {
  // a and b are written into c, then c is read.
  Program program;
  program.nodes = {{"na", 0}, {"nb", 0}, {"nc", 0}};
  program.tensors = {{"a", 32}, {"b", 32}, {"c", 64}};
  for (unsigned t : {0, 1, 2})
    program.tensors[t].producer = t;
  program.tensors[0].consumers = program.tensors[1].consumers = {2};
  program.overlays = {{2, 0, 0, Overlay::View}, {2, 1, 32, Overlay::View}};
  ASSERT_EQ(message(program.check()), "");
  Solution solution = solvePortfolio(problemOf(program));
  EXPECT_EQ(solution.arenaBytes(), 64);
  EXPECT_EQ(proven(program, solution), "");
  program.overlays[1].delta = 16;
  EXPECT_EQ(proven(program, {{0, 16, 0}, {64}}),
            "tensors 'a' and 'b' share bytes while both are in use");
}

TEST(MemoryProgram, EveryPlanOfARandomProgramIsProven) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomShape shape;
    shape.nodes = 2 + seed % 20;
    shape.streams = 1 + seed % 4;
    shape.marks = shape.ties = true;
    Program program = randomProgram(seed, shape);
    ASSERT_EQ(message(program.check()), "") << seed;
    Problem problem = problemOf(program);
    Solution solution = solvePortfolio(problem);
    EXPECT_EQ(message(validate(problem, solution)), "") << seed;
    EXPECT_EQ(proven(program, solution), "") << seed;
  }
}

/// Whether two tensors share bytes without leave, said as plainly as possible.
static bool overlaps(const Program &program, const Solution &solution) {
  Problem problem = problemOf(program);
  Sharing sharing(program.overlays, program.tensors.size(),
                  [&](unsigned part, unsigned whole) {
                    return !(problem.buffers[whole].lower <=
                             problem.buffers[part].lower);
                  });
  auto touch = [&](unsigned a, unsigned b) {
    int64_t from = std::max(solution.offsets[a], solution.offsets[b]);
    int64_t to = std::min(solution.offsets[a] + program.tensors[a].size,
                          solution.offsets[b] + program.tensors[b].size);
    return from < to && program.tensors[a].scope == program.tensors[b].scope;
  };
  for (unsigned a = 0; a < program.tensors.size(); ++a)
    for (unsigned b = 0; b < a; ++b)
      if (touch(a, b) && problem.meet(a, b) && !sharing.allowed(a, b))
        return true;
  return false;
}

TEST(MemoryProgram, EveryOverlapThatAMutationMakesIsFound) {
  unsigned wrong = 0, right = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomShape shape;
    shape.tensors = 14;
    shape.streams = 1 + seed % 4;
    shape.marks = seed % 2;
    shape.ties = seed % 3 == 0;
    Program program = randomProgram(seed, shape);
    Problem problem = problemOf(program);
    Solution solution = solvePortfolio(problem);
    std::mt19937 generator(seed);
    for (unsigned trial = 0; trial < 30; ++trial) {
      Solution mutant = solution;
      for (unsigned moves = 1 + generator() % 2; moves; --moves)
        mutant.offsets[generator() % shape.tensors] +=
            int64_t(generator() % 9 - 4) * 16;
      bool first = message(validate(problem, mutant)).empty();
      bool second = proven(program, mutant).empty();
      ASSERT_EQ(first, second) << seed << message(validate(problem, mutant))
                               << proven(program, mutant);
      if (overlaps(program, mutant)) {
        ASSERT_FALSE(first) << seed;
        ++wrong;
      }
      right += first;
    }
  }
  EXPECT_GT(wrong, 2000u);
  EXPECT_GT(right, 500u);
}

TEST(MemoryProgram, LosingAnEventIsFound) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomShape shape;
    shape.tensors = 20;
    Program program = randomProgram(seed, shape);
    Solution solution = solvePortfolio(problemOf(program));
    for (size_t e = 0; e < program.events.size(); ++e) {
      Program weaker = program;
      weaker.events.erase(weaker.events.begin() + e);
      bool valid = message(weaker.check()).empty() &&
                   message(validate(problemOf(weaker), solution)).empty();
      ASSERT_EQ(valid, proven(weaker, solution).empty()) << seed;
      found += !valid;
    }
  }
  EXPECT_GT(found, 200u);
}

TEST(MemoryProgram, TwentyThousandNodesAreProvenInSeconds) {
  Program program;
  program.streams = 4;
  std::mt19937 generator(1);
  for (unsigned n = 0; n < 20000; ++n) {
    program.nodes.push_back({"n" + std::to_string(n), n % 4});
    Tensor tensor{"t" + std::to_string(n), int64_t(1 + generator() % 99) * 64};
    tensor.producer = n;
    unsigned reader = n + 4 * unsigned(1 + generator() % 5);
    if (reader < 20000)
      tensor.consumers = {reader};
    program.tensors.push_back(tensor);
    if (n % 8 == 5)
      program.events.push_back({n - 3, n});
  }
  ASSERT_EQ(message(program.check()), "");
  Solution solution =
      solveGreedy(problemOf(program), Order::ByTime, Fit::First);
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(proven(program, solution), "");
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 60); // a machine may be busy
}
