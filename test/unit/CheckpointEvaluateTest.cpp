//===- CheckpointEvaluateTest.cpp - what marks cost -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares what follows changes with the definition, and the
// definition with what is known.
//===----------------------------------------------------------------------===//
// LINK: TenonCheckpointing MLIR LLVM
#include "lib/Checkpoint/Evaluator.h"
#include "test/unit/CheckpointTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::ckpt;

/// f1 f2 f3 loss g3 g2 g1 of one byte each.
TEST(CheckpointEvaluateTest, ChainsKeepWhatIsNeeded) {
  Problem problem = chainOf(3);
  Evaluation all = evaluate(problem, {});
  EXPECT_EQ(all.peak, 4);
  EXPECT_EQ(all.time, 7 * microsecond);
  // f1 again before g2, which is step 5.
  Evaluation again = evaluate(problem, {{{5, 0, How::Again}}});
  EXPECT_EQ(again.peak, 3);
  EXPECT_EQ(again.time, 8 * microsecond);
  ASSERT_EQ(again.events.size(), 8u);
  EXPECT_EQ(again.events[5].clone, 0u);
  EXPECT_EQ(again.events[5].stores, std::vector<unsigned>{0});
  EXPECT_EQ(again.events[1].reads, std::vector<unsigned>{0});
}

/// Nothing reads the clone: it does not run.
TEST(CheckpointEvaluateTest, MarksWithoutNeedDoNothing) {
  Problem problem = chainOf(3);
  Evaluation one = evaluate(problem, {{{4, 0, How::Again}}});
  EXPECT_EQ(one.events, evaluate(problem, {}).events);
  Evaluator evaluator(problem);
  evaluator.apply(Change{4, 0, How::Again});
  EXPECT_EQ(evaluator.marks(), Marks());
  EXPECT_EQ(evaluator.markOf(4, 0), How::Again);
}

static constexpr const char *fused = R"(
machine 1 0
value a 10
value b 10
value c 10
node x 1 : -> a
node y 1 : a -> b
node z 1 scratch 5 : b -> c
node w 1 : a b c ->
loss z
recipe b 1 pointwise : a
absorb w b 2 state 3
overwrite z b
variant z 9 0
)";

TEST(CheckpointEvaluateTest, TrafficAndPlacesCount) {
  Problem problem = problemOf(fused);
  Evaluation all = evaluate(problem, {});
  // x stores a; y reads and stores; z the same; w reads three.
  EXPECT_EQ(all.time, (10 + 20 + 20 + 30) * microsecond);
  EXPECT_EQ(all.peak, 35);
  EXPECT_EQ(all.peakEvent, 2u);
  // Computed inside, b dies at z, and c takes its place.
  Evaluation inside = evaluate(problem, {{{3, 1, How::Inside}}});
  EXPECT_EQ(inside.time, (10 + 20 + 20 + 23) * microsecond);
  EXPECT_EQ(inside.peak, 25);
  EXPECT_EQ(inside.events[2].inPlace,
            (std::vector<std::pair<unsigned, unsigned>>{{2, 1}}));
  EXPECT_EQ(inside.events[3].inside, std::vector<unsigned>{1});
  Evaluation slower = evaluate(problem, {{{3, 1, How::Inside}}, {{2, 1}}});
  EXPECT_EQ(slower.peak, 20);
}

TEST(CheckpointEvaluateTest, WrongMarksAreErrors) {
  Problem problem = problemOf(fused);
  problem.values[1].pinned = true;
  auto expect = [&](const Marks &marks, const char *why) {
    EXPECT_EQ(llvm::toString(marks.check(problem)), why);
  };
  expect({{{3, 1, How::Inside}}, {{2, 1}}}, "");
  expect({{{9, 1}}}, "a mark names no node or value");
  expect({{{3, 2}}}, "node 'w' computes 'c' again, which has no recipe");
  expect({{{1, 1}}},
         "node 'y' computes 'b' again, which is not made before it");
  expect({{{3, 1}}},
         "node 'w' computes 'b' again, which has one place throughout");
  expect({{{2, 1, How::Inside}}},
         "node 'z' computes 'b' again, which its kernel cannot do");
  expect({{{3, 1, How::Inside}, {3, 1, How::Inside}}}, "marks do not ascend");
  expect({{}, {{2, 2}}}, "a choice names no node or variant");
  expect({{}, {{2, 1}, {2, 0}}}, "choices do not ascend");
  problem.values[1].recipe->until = 2;
  expect({{{3, 1}}}, "node 'w' computes 'b' again, which reads a state that "
                     "has been updated");
}

/// A mark, or none, that the problem allows; or a variant.
static Change randomChange(std::mt19937 &random, const Problem &problem) {
  std::vector<unsigned> births = birthsOf(problem);
  while (true) {
    unsigned index = random() % problem.steps.size();
    unsigned number = random() % problem.values.size();
    const Step &step = problem.steps[index];
    const Value &value = problem.values[number];
    if (random() % 8 == 0)
      return {index, 0, {}, unsigned(random() % step.variants.size())};
    if (births[number] >= index || !mayCompute(value, index))
      continue;
    if (random() % 3 == 0)
      return {index, number};
    if (absorbOf(step, number) && random() % 2)
      return {index, number, How::Inside};
    if (!value.pinned)
      return {index, number, How::Again};
  }
}

static void expectSame(const Evaluator &evaluator) {
  Marks marks = evaluator.marks();
  ASSERT_EQ(llvm::toString(marks.check(evaluator.problem())), "");
  Evaluation is = evaluate(evaluator.problem(), marks);
  ASSERT_EQ(evaluator.time(), is.time);
  ASSERT_EQ(evaluator.peak(), is.peak);
  std::vector<int64_t> loads;
  for (unsigned step = 0; step < evaluator.problem().steps.size(); ++step)
    llvm::append_range(loads, evaluator.loadsOf(step));
  ASSERT_EQ(loads.size(), is.events.size());
  int64_t above = 0, budget = is.peak * 2 / 3;
  for (auto [load, event] : llvm::zip_equal(loads, is.events)) {
    ASSERT_EQ(load, event.live);
    above += std::max<int64_t>(load - budget, 0);
  }
  ASSERT_EQ(evaluator.overload(budget), above);
}

TEST(CheckpointEvaluateTest, ChangesAgreeWithTheDefinition) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    Problem problem = richProgram(random, 7, 8 + round / 3);
    ASSERT_EQ(llvm::toString(problem.check()), "");
    Evaluator evaluator(problem);
    for (unsigned change = 0; change < 60; ++change) {
      Move move = {randomChange(random, problem)};
      while (random() % 2)
        move.push_back(randomChange(random, problem));
      Marks before = evaluator.marks();
      Move undo = evaluator.apply(move);
      expectSame(evaluator);
      if (random() % 2) {
        evaluator.apply(undo);
        ASSERT_EQ(evaluator.marks(), before);
        expectSame(evaluator);
      }
      if (HasFatalFailure())
        return;
    }
    Marks marks = evaluator.marks();
    Evaluator other(problem);
    other.load(marks);
    EXPECT_EQ(other.marks(), marks);
    EXPECT_EQ(other.time(), evaluator.time());
    other.load({});
    EXPECT_EQ(other.time(), evaluate(problem, {}).time);
  }
}
