//===- CheckpointTextTest.cpp - problems of checkpointing as text ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonCheckpointing MLIR LLVM
#include "test/unit/CheckpointTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::ckpt;

static std::string textOf(const Problem &problem) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeProblem(problem, stream);
  return text;
}

TEST(CheckpointTextTest, RandomProblemsSurvive) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 100; ++round) {
    Problem problem = richProgram(random, 7, 20);
    problem.borders = {0};
    ASSERT_EQ(llvm::toString(problem.check()), "");
    EXPECT_EQ(problemOf(textOf(problem)), problem);
  }
}

TEST(CheckpointTextTest, AnyNameSurvives) {
  Problem problem = chainOf(2);
  llvm::StringRef values[] = {":", "->", "", "pinned"};
  for (auto [value, name] : llvm::zip_equal(problem.values, values))
    value.name = name;
  problem.steps[0].name = "a b#c";
  problem.steps[1].name = "state";
  problem.steps[2].variants[0].time = 1'234'567;
  EXPECT_EQ(problemOf(textOf(problem)), problem);
}

/// Whatever stands there, it is read or refused.
TEST(CheckpointTextTest, DamagedTextIsNoCrash) {
  std::mt19937 random(6);
  std::string text = textOf(richProgram(random, 7, 20));
  unsigned refused = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    std::string damaged = text;
    for (unsigned change = 0; change <= random() % 3; ++change)
      damaged[random() % damaged.size()] = " 0127a:->#\n%.e"[random() % 14];
    llvm::Expected<Problem> problem = readProblem(damaged);
    refused += !problem;
    if (!problem)
      llvm::consumeError(problem.takeError());
    else
      EXPECT_EQ(problemOf(textOf(*problem)), *problem);
  }
  EXPECT_GT(refused, 500u);
}

/// The example of Text.h.
TEST(CheckpointTextTest, ReadsEachStatement) {
  Problem problem = problemOf(R"(machine 12000 2   # comment
value x 4096
value y 4096
value dy 4096
value l 4 pinned
node conv 10 state 64 scratch 32 : -> x
node relu 1 : x -> y
node loss 1 : y -> l dy
node grad 12 : x y dy ->
loss loss
recipe x 10 state 64 until grad :
recipe y 1 pointwise : x
absorb grad y 0.5
overwrite grad dy
variant grad 20 0
border x)");
  EXPECT_EQ(problem.machine, (Machine{12'000, 2'000'000}));
  EXPECT_EQ(problem.loss, 2u);
  EXPECT_EQ(problem.values[3], (Value{"l", 4, true}));
  EXPECT_EQ(*problem.values[0].recipe, (Recipe{{}, 10'000'000, 64, 3}));
  EXPECT_EQ(*problem.values[1].recipe, (Recipe{{0}, 1'000'000, 0, {}, true}));
  EXPECT_EQ(problem.steps[0], (Step{"conv", {{10'000'000, 32}}, 64, {}, {0}}));
  EXPECT_EQ(problem.steps[3], (Step{"grad",
                                    {{12'000'000}, {20'000'000}},
                                    0,
                                    {0, 1, 2},
                                    {},
                                    {{1, 500'000}},
                                    {2}}));
  EXPECT_EQ(problem.borders, std::vector<unsigned>{0});
}

static constexpr const char *small = R"(value x 8
value y 8
node a 1 : -> x
node b 1 : x -> y
node c 1 : x y ->
loss b
)";

static std::string failureOf(const std::string &text) {
  return llvm::toString(readProblem(text).takeError());
}

TEST(CheckpointTextTest, ErrorsNameTheLine) {
  auto expect = [](const std::string &text, const char *why) {
    EXPECT_EQ(failureOf(text), why);
  };
  expect("", "line 1: the text is empty");
  expect("values 3", "line 1: 'values' is not a statement");
  expect("value x -1", "line 1: '-1' is out of range");
  expect("value x 1\nvalue x 1", "line 2: value 'x' appears twice");
  expect("node a nan : ->", "line 1: 'nan' is not a time in microseconds");
  expect("node a 1e30 : ->", "line 1: '1e30' is not a time in microseconds");
  expect("node a 1 fast : ->", "line 1: 'fast' is not expected here");
  expect("node a 1 : x ->", "line 1: 'x' is not the name of a value");
  expect("node a 1 :", "line 1: the line is too short");
  expect("node a 1", "line 1: the line is too short");
  expect("node a 1 : ->\nnode a 1 : ->", "line 2: node 'a' appears twice");
  expect("loss a", "line 1: 'a' is not the name of a node");
  expect("machine 1 2 3", "line 1: '3' is not expected here");
  expect("value x 1", "line 1: the loss is no node of the problem");
}

TEST(CheckpointTextTest, WrongProblemsNameTheLine) {
  auto expect = [](const std::string &line, const char *why) {
    EXPECT_EQ(failureOf(small + line), why);
  };
  expect("value z 8", "line 7: value 'z' is written by no node");
  expect("node d 1 : -> y", "line 2: value 'y' is written by 'b' and 'd'");
  expect("value z 8\nnode d 1 : z -> z",
         "line 8: node 'd' reads 'z' before its writer 'd' has run");
  expect("overwrite b y",
         "line 4: node 'b' overwrites 'y' before its writer 'b' has run");
  expect("overwrite c x x",
         "line 5: node 'c' overwrites a value that does not exist, or one "
         "twice");
  expect("recipe x 1 : z", "line 7: 'z' is not the name of a value");
  expect("recipe x 1 :\nrecipe x 1 :", "line 8: value 'x' has two recipes");
  expect("recipe x 1 : y",
         "line 1: value 'x' is made from 'y', which comes behind it");
  expect("recipe x 1 : y\nrecipe y 1 : x",
         "line 1: value 'x' is made from itself: 'x' from 'y' from 'x'");
  expect("recipe y 1 until a : x",
         "line 2: value 'y' may be computed until a node that does not exist, "
         "or comes before its writer");
  expect("absorb c y 1", "line 5: node 'c' absorbs 'y', which cannot be "
                         "computed again there");
  expect("recipe y 1 until b :\nabsorb c y 1",
         "line 5: node 'c' absorbs 'y', which cannot be computed again there");
  expect("value z 1\nnode d 1 : -> z\nborder z",
         "line 7: value 'z' is a border, but made behind the loss");
}

/// What text cannot say.
TEST(CheckpointTextTest, WrongNumbersAreErrors) {
  auto expect = [](auto &&damage, const char *why) {
    Problem problem = chainOf(3);
    damage(problem);
    EXPECT_EQ(llvm::toString(problem.check()), why);
  };
  expect([](Problem &p) { p.steps[1].variants.clear(); },
         "node 'f2' has a number out of range");
  expect([](Problem &p) { p.steps[1].variants[0].time = -1; },
         "node 'f2' has a number out of range");
  expect([](Problem &p) { p.values[2].bytes = mostBytes; },
         "value 'f3' and those before it have too many bytes, or fewer than "
         "none");
  expect([](Problem &p) { p.steps[1].reads = {9}; },
         "node 'f2' reads a value that does not exist, or one twice");
  expect([](Problem &p) { p.values[0].recipe->operands = {77}; },
         "value 'f1' is made from a value that does not exist, or from one "
         "twice");
  expect([](Problem &p) { p.values[0].recipe->time = mostTime + 1; },
         "value 'f1' has a recipe with a number out of range");
  expect([](Problem &p) { p.steps[6].absorbs = {{1}, {0}}; },
         "node 'g1' lists what it absorbs in no order");
  expect([](Problem &p) { p.machine.launch = -1; },
         "the machine's constants are out of range");
  expect([](Problem &p) { p.loss = 7; }, "the loss is no node of the problem");
  expect([](Problem &p) { p.borders = {1, 1}; },
         "a border is no value, or appears twice");

  Problem slow = chainOf(100);
  slow.machine.launch = mostTime;
  for (Value &value : slow.values)
    if (value.recipe)
      value.recipe->time = mostTime;
  EXPECT_EQ(llvm::toString(slow.check()),
            "times or bytes are so large that sums overflow");
}
