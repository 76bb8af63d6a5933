//===- PolyProveTest.cpp - that groups compute what they should -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file proves small programs as one group for tiles of all sizes, and
// holds the proofs against groups and boxes that miss something.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyPrograms.h"
#include "lib/Poly/Isl.h"
#include "lib/Poly/Prove.h"
#include <gtest/gtest.h>

using namespace poly_programs;

namespace {
struct Workload {
  const char *name;
  Program program;
  unsigned tileDims;
};
} // namespace

static std::vector<Workload> workloads() {
  return {{"conv chain", convChain(), 3},
          {"bottleneck", bottleneck(), 3},
          {"depthwise", depthwiseSeparable(), 3},
          {"squeeze-excite", squeezeExcite(), 3},
          {"softmax", softmaxRows(), 2},
          {"layernorm", layernormRows(), 2},
          {"views", views(), 2},
          {"transformer", bertLayer(), 2},
          {"concat", concat(), 2}};
}

static Group wholeOf(const Program &program, unsigned tileDims) {
  return program.whole(std::vector<int64_t>(tileDims, 1));
}

TEST(PolyProve, allWorkloadsForAllTiles) {
  unsigned statements = 0, separable = 0;
  for (const Workload &workload : workloads()) {
    Proof proof =
        prove(workload.program, wholeOf(workload.program, workload.tileDims));
    EXPECT_EQ(proof.refusal, "") << workload.name;
    statements += workload.program.statements.size();
    separable += llvm::count(proof.separable, true);
  }
  EXPECT_EQ(statements, 75u);
  EXPECT_EQ(separable, 72u);
}

TEST(PolyProve, behindAMergeNothingIsSeparable) {
  Program program = views();
  Proof proof = prove(program, wholeOf(program, 2));
  for (const auto &[name, index] : program.named)
    EXPECT_EQ(proof.separable[index],
              name == "merge" || name == "slice" || name == "pad")
        << name;
}

TEST(PolyProve, loops) {
  Program program = lstm();
  EXPECT_EQ(prove(program, lstmGroup(program, 1)).refusal, "");
}

/// The same allowance for each statement is enough, however many there are.
TEST(PolyProve, costsTheSameForEachStatement) {
  for (unsigned count : {5u, 10u, 40u}) {
    Program program = diamonds(count);
    EXPECT_EQ(prove(program, wholeOf(program, 2)).refusal, "") << count;
  }
  Program chain = stencils(80);
  EXPECT_EQ(prove(chain, wholeOf(chain, 2)).refusal, "");
}

TEST(PolyProve, boxesOfGivenSizes) {
  for (const Workload &workload : workloads()) {
    Group group = wholeOf(workload.program, workload.tileDims);
    for (int64_t size : {1, 2, 3, 5}) {
      group.sizes.assign(workload.tileDims, size);
      Footprint footprint = footprintOf(workload.program, group);
      Proof proof = prove(workload.program, group, footprint);
      EXPECT_EQ(proof.refusal, "") << workload.name << " " << size;
    }
  }
}

//===-- Refusals ----------------------------------------------------------===//

static std::string refusalOf(const Program &program, const Group &group) {
  return prove(program, group).refusal;
}

TEST(PolyProve, refusesAWrongOrder) {
  Program program = convChain();
  Group group = wholeOf(program, 3);
  std::swap(group.statements[1], group.statements[2]);
  EXPECT_EQ(refusalOf(program, group),
            "not covered: statement 2 'relu' reads elements of tensor 4 that "
            "the tile has not written before");
}

TEST(PolyProve, refusesASinkThatNeedsNotAllOfAResult) {
  Program program = views();
  program.tensors[program.statements[0].write.tensor].liveOut = true;
  EXPECT_EQ(refusalOf(program, wholeOf(program, 2)),
            "output not covered: tiles do not run all of statement 0 'add'");
}

TEST(PolyProve, refusesAStatementBetween) {
  Program program = softmaxRows();
  Group group = {{0, 1, 3}, {{3, {0}}}, {2}};
  EXPECT_EQ(refusalOf(program, group),
            "cyclic: statement 2 'sum' must run between statements of the "
            "group");
}

TEST(PolyProve, refusesStepsThatMix) {
  Program program = lstm();
  // h of this step and the one before, in one read.
  program.statements[0].reads[1].index[0] = d(0) + d(3);
  program.statements[0].reads[1].index[1] = d(2);
  EXPECT_EQ(refusalOf(program, lstmGroup(program, 1)),
            "steps: statement 0 'gates' reads elements of tensor 2 of the same "
            "step and of others");
}

TEST(PolyProve, refusesBoxesThatAreTooSmall) {
  Program program = convChain();
  Group group = program.whole({2, 2, 2});
  Footprint footprint = footprintOf(program, group);
  footprint.domains[2]->dims[1].span -= 1;
  EXPECT_EQ(prove(program, group, footprint).refusal,
            "not covered: statement 3 'conv2' reads elements of tensor 5 that "
            "the tile has not written before");
}

//===-- Allowances --------------------------------------------------------===//

TEST(PolyProve, refusesWhatTakesTooLong) {
  Program program = convChain();
  EXPECT_EQ(prove(program, wholeOf(program, 3), {50}).refusal, "isl-quota");
}

/// { [i] -> [j] : i - 1 <= j <= i + 1 }
static IslMap stencil(IslContext &isl) {
  IslBuilder builder(isl, 0, 1, 1);
  IslSum i = builder.input(0), j = builder.output(0);
  builder.atLeast(j, i - IslSum(1));
  builder.atLeast(i + IslSum(1), j);
  return builder.build();
}

TEST(PolyIsl, aSpentAllowanceLeavesTheContextUsable) {
  IslContext isl(300);
  IslMap map = stencil(isl);
  EXPECT_EQ(isl.takeError(), "");
  isl.beginStep();
  IslMap power = map;
  for (int i = 0; i < 100; ++i)
    power = power.then(map) | map;
  EXPECT_FALSE(power);
  EXPECT_FALSE(power.isEmpty());
  EXPECT_EQ(isl.takeError(), "isl-quota");
  EXPECT_EQ(isl.takeError(), "");
  isl.beginStep();
  EXPECT_EQ(map.then(map).isSubsetOf(map), false);
  EXPECT_EQ(isl.takeError(), "");
}

TEST(PolyIsl, otherErrorsSayWhat) {
  IslContext isl;
  IslMap set = IslBuilder(isl, 0, 0, 2).build();
  EXPECT_FALSE(stencil(isl).then(set));
  EXPECT_TRUE(llvm::StringRef(isl.takeError()).starts_with("isl: "));
  EXPECT_EQ(stencil(isl).isEmpty(), false);
}

TEST(PolyIsl, unionsHaveNoMoreThanTheirParts) {
  IslContext isl;
  IslBuilder small(isl, 0, 0, 1), even(isl, 0, 0, 1);
  small.atLeast(small.output(0), IslSum(0));
  small.atLeast(IslSum(1), small.output(0));
  IslSum half = even.quotient(even.output(0), 2);
  even.equal(even.output(0), half * 2);
  even.atLeast(even.output(0), IslSum(0));
  even.atLeast(IslSum(6), even.output(0));
  EXPECT_EQ((small.build() | even.build()).countPairs(), 5);
}
