//===- ScheduleTextTest.cpp - problems of scheduling as text --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonScheduling MLIR LLVM
#include "lib/Schedule/Text.h"
#include "test/unit/ScheduleTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::sched;

static std::string textOf(const Problem &problem) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeProblem(problem, stream);
  return text;
}

TEST(ScheduleTextTest, RandomProblemsSurvive) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 100; ++round) {
    Problem problem = randomProblem(random, 2 + random() % 8, 3);
    EXPECT_EQ(problemOf(textOf(problem)), problem);
    addUnits(random, problem, 2);
    problem.imbalance = 30;
    EXPECT_EQ(problemOf(textOf(problem)), problem);
    problem.imbalance = 0;
    problem = onGpu(random, problem);
    EXPECT_EQ(problemOf(textOf(problem)), problem);
  }
}

TEST(ScheduleTextTest, UnitsAreTimesOrARatio) {
  const char *nodes = "threads 1 2\nnode a k 10 6\nnode b k 20 12\n";
  Problem problem = problemOf(std::string(nodes) + "unit 0.7*sum a b");
  EXPECT_EQ(problem, problemOf(std::string(nodes) + "unit 21 12.6 b a"));
  EXPECT_EQ(problem.units.front(), (Unit{{0, 1}, {21'000, 12'600}}));
}

TEST(ScheduleTextTest, AnyNameSurvives) {
  Problem problem = problemOf(diamond);
  llvm::StringRef names[] = {":", "out", "", "0"};
  for (auto [launch, name] : llvm::zip_equal(problem.launches, names))
    launch.name = name;
  problem.launches[0].kernel = "a b#c";
  problem.cap = 20;
  problem.launches[1].tiles = 3;
  problem.launches[2].times[0] = 1'234'005;
  EXPECT_EQ(problemOf(textOf(problem)), problem);
}

TEST(ScheduleTextTest, NumbersAreReferences) {
  EXPECT_EQ(problemOf("node a k 1\nnode b k 2\ntensor 4 0 : 1\norder 0 1"),
            problemOf("order a b\ntensor 4 a : b # comment\n\nnode a k 1\n"
                      "node b k 2"));
}

TEST(ScheduleTextTest, ErrorsNameTheLine) {
  auto expect = [](const char *text, const char *why) {
    EXPECT_EQ(llvm::toString(readProblem(text).takeError()), why);
  };
  expect("", "line 1: the text is empty");
  expect("nodes 3", "line 1: 'nodes' is not a statement");
  expect("threads 2", "line 1: numbers of threads begin with 1 and ascend");
  expect("threads 1 x", "line 1: 'x' is not an integer");
  expect("threads 1 2\nnode a k 4",
         "line 2: node 'a' has 1 times for 2 numbers of threads");
  expect("node a k -4", "line 1: '-4' is not a time in microseconds");
  expect("node a k nan", "line 1: 'nan' is not a time in microseconds");
  expect("node a k 1e30", "line 1: '1e30' is not a time in microseconds");
  expect("device 9 hop 0.8\nnode a k 1 part 1.5",
         "line 2: '1.5' is not a ratio from 0 to 1");
  expect("device 2 imbalance nan", "line 1: 'nan' is not a ratio from 0 to 10");
  expect("threads 1 2\ndevice 9 hop 0.8\nnode a k 1 1",
         "line 3: launches of a GPU have one time each");
  expect("node a k 1\nunit 1 a",
         "line 1: unit 0 does not name two nodes or more, each once, in the "
         "order of the program");
  expect("node a k 1\nnode b k 1\nunit x*sum a b",
         "line 3: 'x' is not a ratio from 0 to 100");
  expect("node a k 1\nunit 1 a c", "line 2: 'c' is not the name of a node");
  expect("node a k 1\nnode a k 1", "line 2: node 'a' appears twice");
  expect("node a k 1\ntensor 4 b : a", "line 2: 'b' is not the name of a node");
  expect("node a k 1\ntensor 4 a", "line 2: the line is too short");
  expect("node a k 1\ntensor 4 :", "line 2: tensor '0' has no use");
  expect("node a k 1\nnode b k 1\n\ntensor 4 b : a",
         "line 1: node 'a' reads tensor 0 before its first writer 'b'");
  expect("node a k 1\nnode b k 1\ntensor 4 a : b\norder b a",
         "line 1: node 'a' waits for itself: 'a' after 'b' after 'a'");
  expect("node a k 1\ninplace a 0", "line 2: '0' is out of range");
  expect("cap 4 5", "line 1: '5' is not expected here");
  expect("device 9999", "line 1: '9999' is out of range");
}
