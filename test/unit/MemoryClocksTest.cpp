//===- MemoryClocksTest.cpp - clocks, closure and all interleavings -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares three forms of "may be in use together": vector clocks,
// the transitive closure, and running tiny programs in every possible way.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "MemoryTestPrograms.h"
#include "lib/Memory/Streams/Clocks.h"

#include "gtest/gtest.h"
#include <set>

using namespace tenon::mem;

static void expectSameRelation(const Program &program) {
  Closure closure(program);
  ASSERT_FALSE(closure.cyclic());
  Clocks clocks(program);
  for (unsigned a = 0; a < program.nodes.size(); ++a)
    for (unsigned b = 0; b < program.nodes.size(); ++b)
      ASSERT_EQ(clocks.precedes(a, b), closure.precedes(a, b));
  Problem problem = problemOf(program);
  TensorOrder order(program, closure);
  for (unsigned a = 0; a < program.tensors.size(); ++a)
    for (unsigned b = 0; b < a; ++b)
      ASSERT_EQ(problem.meet(a, b), order.meet(a, b))
          << program.tensors[a].id << " and " << program.tensors[b].id;
}

TEST(MemoryClocks, AgreeWithTheClosureOnRandomPrograms) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomShape shape;
    shape.nodes = 1 + seed % 40;
    shape.streams = 1 + seed % 7;
    shape.eventPercent = seed % 90;
    shape.tensors = 12;
    shape.marks = seed % 2;
    Program program = randomProgram(seed, shape);
    ASSERT_EQ(message(program.check()), "") << seed;
    expectSameRelation(program);
  }
}

TEST(MemoryClocks, AgreeWithTheClosureOnALargeProgram) {
  RandomShape shape;
  shape.nodes = 700;
  shape.streams = 16;
  shape.tensors = 60;
  expectSameRelation(randomProgram(1, shape));
}

namespace {
/// Runs a program in every way: a state is, per stream, how many steps are
/// done, where a node has two, its start and its end.
class ModelCheck {
public:
  explicit ModelCheck(const Program &program)
      : program(program), onStream(program.streams),
        met(program.tensors.size() * program.tensors.size(), false) {
    for (unsigned n = 0; n < program.nodes.size(); ++n) {
      place.push_back(onStream[program.nodes[n].stream].size());
      onStream[program.nodes[n].stream].push_back(n);
    }
    visit(std::vector<unsigned>(program.streams, 0));
  }

  bool meet(unsigned a, unsigned b) const {
    return met[a * program.tensors.size() + b];
  }

private:
  const Program &program;
  std::vector<std::vector<unsigned>> onStream;
  std::vector<unsigned> place;
  std::vector<bool> met;
  std::set<std::vector<unsigned>> seen;

  bool reached(const std::vector<unsigned> &state, unsigned node,
               unsigned step) const {
    return state[program.nodes[node].stream] >= 2 * place[node] + step;
  }
  bool started(const std::vector<unsigned> &state, unsigned node) const {
    return reached(state, node, 1);
  }
  bool finished(const std::vector<unsigned> &state, unsigned node) const {
    return reached(state, node, 2);
  }

  bool inUse(const std::vector<unsigned> &state, unsigned t) const {
    const Tensor &tensor = program.tensors[t];
    if (tensor.lifelong || (tensor.output && !tensor.producer))
      return true;
    if (tensor.producer && !started(state, *tensor.producer))
      return false;
    bool free = !tensor.output;
    for (unsigned use : program.usesOf(t))
      free &= finished(state, use);
    return !free;
  }

  bool mayStart(const std::vector<unsigned> &state, unsigned node) const {
    for (const Event &event : program.events)
      if (event.before == node && !finished(state, event.after))
        return false;
    return true;
  }

  void record(const std::vector<unsigned> &state) {
    size_t count = program.tensors.size();
    for (unsigned a = 0; a < count; ++a)
      for (unsigned b = 0; b < count; ++b)
        if (inUse(state, a) && inUse(state, b))
          met[a * count + b] = true;
  }

  void visit(const std::vector<unsigned> &state) {
    if (!seen.insert(state).second)
      return;
    record(state);
    for (unsigned s = 0; s < program.streams; ++s) {
      std::vector<unsigned> next = state;
      unsigned step = next[s]++;
      if (step < 2 * onStream[s].size() &&
          (step % 2 || mayStart(state, onStream[s][step / 2])))
        visit(next);
    }
  }
};
} // namespace

TEST(MemoryClocks, AgreeWithEveryInterleavingOfTinyPrograms) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomShape shape;
    shape.nodes = 1 + seed % 8;
    shape.streams = 1 + seed % 3;
    shape.tensors = 6;
    shape.marks = seed % 4 > 1;
    Program program = randomProgram(seed, shape);
    ASSERT_EQ(message(program.check()), "");
    ModelCheck model(program);
    Problem problem = problemOf(program);
    for (unsigned a = 0; a < shape.tensors; ++a)
      for (unsigned b = 0; b < a; ++b)
        ASSERT_EQ(problem.meet(a, b), model.meet(a, b))
            << "seed " << seed << ": " << a << ", " << b;
  }
}

TEST(MemoryClocks, CountWhatHasSurelyFinished) {
  Program program;
  program.streams = 2;
  program.nodes = {{"a0", 0}, {"b0", 1}, {"a1", 0}, {"b1", 1}, {"a2", 0}};
  program.events = {{1, 4}};
  Clocks clocks(program);
  EXPECT_EQ(clocks.before(4), Clock({2, 1}));
  EXPECT_EQ(clocks.before(3), Clock({0, 1}));
  EXPECT_EQ(clocks.end(), Clock({3, 2}));
  EXPECT_TRUE(clocks.precedes(1, 4));
  EXPECT_FALSE(clocks.precedes(3, 4));
}

TEST(MemoryClocks, AProgramWithoutNodesHasAnEnd) {
  Program program;
  program.tensors = {{"x", 16}, {"y", 16}};
  program.tensors[0].input = program.tensors[1].input = true;
  ASSERT_EQ(message(program.check()), "");
  EXPECT_TRUE(problemOf(program).meet(0, 1));
}
