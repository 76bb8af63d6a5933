//===- CheckpointValidateTest.cpp - wrong programs are refused ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file damages programs; each must be refused. What is right is proven
// for many clones.
//===----------------------------------------------------------------------===//
// LINK: TenonCheckpointing MLIR LLVM
#include "test/unit/CheckpointTestProblems.h"

#include "lib/Checkpoint/Marks.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::ckpt;

/// Marks by chance: many, all allowed.
static Marks randomMarks(std::mt19937 &random, const Problem &problem) {
  std::vector<unsigned> births = birthsOf(problem);
  Marks marks;
  for (unsigned step = 0; step < problem.steps.size(); ++step)
    for (unsigned value = 0; value < problem.values.size(); ++value) {
      const Value &of = problem.values[value];
      if (births[value] >= step || !mayCompute(of, step) || random() % 3 == 0)
        continue;
      bool inside = absorbOf(problem.steps[step], value) && random() % 2;
      if (inside || !of.pinned)
        marks.marks.push_back({step, value, inside ? How::Inside : How::Again});
    }
  return marks;
}

/// Each value that a kernel reads, each result and the loss hold what they
/// hold in the program.
TEST(CheckpointValidateTest, ManyClonesChangeNothing) {
  std::mt19937 random(4);
  size_t clones = 0, inside = 0;
  while (clones < 20'000) {
    Problem problem = richProgram(random, 7, 40);
    Marks marks = randomMarks(random, problem);
    Evaluation is = evaluate(problem, marks);
    ASSERT_EQ(llvm::toString(validate(problem, marks, is)), "");
    for (const Event &event : is.events) {
      clones += event.clone.has_value();
      inside += event.inside.size();
    }
  }
  EXPECT_GT(inside, 500u);
}

namespace {
/// x and y are made again for the last node; w is the statistic.
class CheckpointMutantTest : public testing::Test {
protected:
  CheckpointMutantTest() {
    problem = llvm::cantFail(readProblem(R"(
machine 0 1
value x 8
value y 8
value z 8
value w 4 pinned
value d 8
node a 1 : -> x
node b 1 : x -> y
node c 1 : y -> z w
node loss 1 : z -> d
node update 1 : d ->
node grad 1 scratch 3 : x y z d ->
loss loss
recipe x 1 state 8 :
recipe y 1 : x
absorb grad y 1
overwrite c y
variant grad 2 0)"));
    marks.marks = {{5, 0}, {5, 1}};
    is = evaluate(problem, marks);
    EXPECT_EQ(complaint(), "");
  }

  std::string complaint() const {
    return llvm::toString(validate(problem, marks, is));
  }
  void expect(const char *why) const { EXPECT_EQ(complaint(), why); }

  Problem problem;
  Marks marks;
  Evaluation is;
};
} // namespace

TEST_F(CheckpointMutantTest, ClonesBehindAnUpdate) {
  problem.values[0].recipe->until = 4;
  expect("'x' is computed again for 'grad' from a state that has been "
         "updated");
}

/// Without the clone of x, that of y would read what is gone.
TEST_F(CheckpointMutantTest, FreedOperands) {
  is.events[0].stores.clear();
  expect("a kernel of 'b' reads a value that is not in memory");
}

TEST_F(CheckpointMutantTest, MissingOperands) {
  is.events[6].reads.clear();
  expect("'y' is computed again for 'grad' without its operand 'x'");
}

TEST_F(CheckpointMutantTest, ClonesAtTheWrongStep) {
  is.events[5].step = 4;
  expect("node 'update' runs, or computes again, where 'grad' is next");
}

TEST_F(CheckpointMutantTest, StepsOutOfOrder) {
  std::swap(is.events[4], is.events[5]);
  expect("node 'grad' runs, or computes again, where 'update' is next");
}

TEST_F(CheckpointMutantTest, StatisticsThatAreUpdatedTwice) {
  is.events.insert(is.events.begin() + 3, is.events[2]);
  expect("node 'c' runs, or computes again, where 'loss' is next");
}

TEST_F(CheckpointMutantTest, StatisticsThatAreComputedAgain) {
  is.events[5].clone = 3;
  expect("'w' is computed again before 'grad' without a mark");
  marks.marks.push_back({5, 3});
  expect("'w' is computed again for 'grad', but has no recipe");
}

TEST_F(CheckpointMutantTest, ClonesWithoutAMark) {
  marks.marks.erase(marks.marks.begin());
  expect("'x' is computed again before 'grad' without a mark");
}

TEST_F(CheckpointMutantTest, KernelsThatComputeWithoutAMark) {
  is.events.back().inside = {1};
  expect("a kernel of 'grad' computes a value without a mark");
}

TEST_F(CheckpointMutantTest, StepsThatDoNotRun) {
  is.events.pop_back();
  expect("node 'grad' does not run");
}

TEST_F(CheckpointMutantTest, NeedsThatAreNotMet) {
  is.events.back().reads = {0, 2, 4};
  expect("node 'grad' does not get its 'y'");
}

TEST_F(CheckpointMutantTest, StoresThatAreNotWritten) {
  is.events[1].stores = {1, 2};
  expect("a kernel of 'b' stores a value that it does not write");
}

TEST_F(CheckpointMutantTest, PinnedValuesThatAreNotStored) {
  is.events[2].stores = {2};
  expect("'w' is not stored");
}

TEST_F(CheckpointMutantTest, StoresThatNobodyReads) {
  problem.values[3].pinned = false;
  expect("'w' is stored and never read");
}

TEST_F(CheckpointMutantTest, PinnedValuesThatAreStoredTwice) {
  problem.values[0].pinned = true;
  expect("'x' is stored twice");
  is.events[5].stores.clear();
  expect("'x' is not stored");
}

TEST_F(CheckpointMutantTest, EventsOfNothing) {
  is.events[5].clone = 77;
  expect("a clone of no value runs before 'grad'");
  is.events[5].step = 77;
  expect("event 5 is of no node");
}

TEST_F(CheckpointMutantTest, PlacesThatAreTaken) {
  ASSERT_EQ(is.events[2].inPlace.size(), 1u);
  is.events[2].inPlace.push_back({2, 1});
  expect("node 'c' puts a result where it may not");
  is.events[2].inPlace = {{3, 1}};
  expect("node 'c' puts a result where it may not");
}

TEST_F(CheckpointMutantTest, OtherMeasures) {
  ++is.events[1].live;
  expect("a kernel of 'b' takes 2000000 ps and 16 bytes, not 2000000 and 17");
  --is.events[1].live;
  ++is.time;
  expect("the program takes 16000000 ps and 39 bytes, not 16000001 and 39");
  --is.time;
  --is.peak;
  expect("the program takes 16000000 ps and 39 bytes, not 16000000 and 38");
  ++is.peak;
  marks.choices = {{5, 1}};
  expect("a kernel of 'grad' takes 3000000 ps and 36 bytes, not 2000000 and "
         "39");
}
