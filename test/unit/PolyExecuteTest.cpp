//===- PolyExecuteTest.cpp - groups run against their program -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs programs and groups on hashes, as they are and with smaller
// extents, and random ones with boxes that something was cut off from.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyDraw.h"
#include "PolyPlans.h"
#include "lib/Poly/Count.h"
#include "lib/Poly/Shrink.h"
#include <gtest/gtest.h>

using namespace poly_draw;
using namespace poly_plans;

//===-- Sound plans -------------------------------------------------------===//

TEST(PolyExecute, allWorkloads) {
  EXPECT_EQ(complaint(convChain(), wholePlan(convChain(), {2, 2, 2})), "");
  EXPECT_EQ(complaint(convChain(), wholePlan(convChain(), {1, 3, 3})), "");
  EXPECT_EQ(complaint(bottleneck(), wholePlan(bottleneck(), {1, 4, 2})), "");
  EXPECT_EQ(complaint(depthwiseSeparable(),
                      wholePlan(depthwiseSeparable(), {2, 4, 5})),
            "");
  EXPECT_EQ(complaint(squeezeExcite(), wholePlan(squeezeExcite(), {1, 2, 4})),
            "");
  EXPECT_EQ(complaint(softmaxRows(), wholePlan(softmaxRows(), {2, 4})), "");
  EXPECT_EQ(complaint(layernormRows(), wholePlan(layernormRows(), {3, 6})), "");
  EXPECT_EQ(complaint(bertLayer(), wholePlan(bertLayer(), {2, 4})), "");
  EXPECT_EQ(complaint(bertLayer(), wholePlan(bertLayer(), {3, 3})), "");
  EXPECT_EQ(complaint(views(), wholePlan(views(), {1, 8})), "");
  EXPECT_EQ(complaint(views(), wholePlan(views(), {2, 3})), "");
  EXPECT_EQ(complaint(concat(), wholePlan(concat(), {3, 2})), "");
}

TEST(PolyExecute, recurrences) {
  Program program = lstm();
  for (int64_t size : {1, 2, 3, 4})
    for (uint64_t seed : {1, 2, 3})
      EXPECT_EQ(
          complaint(program, planOf(program, lstmGroup(program, size)), seed),
          "");
}

/// Steps that do not wait for each other read what other tiles write.
TEST(PolyExecute, recurrencesNeedTheirBarrier) {
  Program program = lstm();
  Plan plan = planOf(program, lstmGroup(program, 2));
  for (Statement &statement : plan.scop.statements)
    statement.dims[0].kind = DimKind::Parallel;
  EXPECT_NE(complaint(program, plan), "");
}

TEST(PolyExecute, programsThatReadWhatIsNotThere) {
  Program program = concat();
  program.statements[3].reads[0].index[1].offset = 1;
  EXPECT_EQ(llvm::toString(execute(program)),
            "statement 'right' leaves tensor 3");
  EXPECT_EQ(complaint(program, wholePlan(program, {2, 2})),
            "the program itself: statement 'right' leaves tensor 3");
  program = concat();
  std::swap(program.statements[0], program.statements[2]);
  EXPECT_EQ(llvm::toString(execute(program)),
            "statement 'left' reads element 0 of what 'first' writes, which is "
            "not there");
  program = concat();
  program.statements[3].write.index[1].offset = 2;
  EXPECT_EQ(llvm::toString(execute(program)),
            "statement 'right' changes element 2 of what 'left' writes");
}

//===-- Partitions --------------------------------------------------------===//

static std::string refusal(const Scop &scop, std::vector<Group> partition,
                           ValidatedBy *by = nullptr) {
  return llvm::toString(validate(scop, partition, by));
}

/// One group for each statement, untiled.
static std::vector<Group> alone(const Program &program) {
  std::vector<Group> groups;
  for (unsigned i = 0; i < program.statements.size(); ++i)
    groups.push_back({{i}, {{i, {}}}, {}});
  return groups;
}

TEST(PolyValidate, partitions) {
  Program program = convChain();
  EXPECT_EQ(refusal(program, alone(program)), "");
  Group first = {{0, 1, 2}, {{2, {0, 1, 2}}}, {1, 3, 5}};
  Group second = {{3, 4}, {{4, {1, 2}}}, {2, 3}};
  EXPECT_EQ(refusal(program, {first, second}), "");
  EXPECT_EQ(refusal(program, {second, first}),
            "statement 'conv2' is in a group before that of 'relu', which it "
            "reads");
  EXPECT_EQ(refusal(program, {first}), "statement 'conv2' is in no group");
  // Bias and relu once more, for the second group itself.
  Group clones = {{1, 2, 3, 4}, {{4, {1, 2}}}, {2, 3}};
  EXPECT_EQ(refusal(program, {{{0}, {{0, {0}}}, {1}}, first, clones}), "");
}

TEST(PolyValidate, refusesResultsThatTilesDoNotCover) {
  Program program = views();
  program.tensors[program.statements[0].write.tensor].liveOut = true;
  EXPECT_EQ(refusal(program, {program.whole({1, 8})}),
            "the groups' element 24 of what 'add' writes is not written");
}

TEST(PolyValidate, refusesAWrongOrder) {
  Program program = softmaxRows();
  Group group = program.whole({2});
  std::swap(group.statements[1], group.statements[2]);
  EXPECT_NE(refusal(program, {group}), "");
}

//===-- Smaller programs --------------------------------------------------===//

static void expectShrunk(const Program &program, std::vector<int64_t> sizes,
                         int64_t most) {
  Group group = program.whole(std::move(sizes));
  ValidatedBy by = ValidatedBy::Proof;
  EXPECT_EQ(refusal(program, {group}, &by), "");
  EXPECT_EQ(by, ValidatedBy::Execution);
  GroupProgram small = shrink(programOf(program, group));
  EXPECT_LE(instancesOf(small.scop), most);
  EXPECT_EQ(llvm::toString(execute(small.scop)), "");
}

TEST(PolyValidate, largeProgramsRunSmall) {
  expectShrunk(convChain(64, 56), {64, 7, 7}, 400000);
  expectShrunk(convChain(64, 56), {16, 4, 28}, 500000);
  expectShrunk(bottleneck(256, 64, 56), {256, 7, 56}, 500000);
  expectShrunk(depthwiseSeparable(32, 192, 56), {32, 8, 8}, 500000);
  expectShrunk(squeezeExcite(64, 16, 28), {16, 28, 28}, 20000);
  expectShrunk(bertLayer(128, 768, 12, 3072), {32, 768}, 2000000);
  expectShrunk(stencils(20), {32, 32}, 300000);
  expectShrunk(strided(true), {64, 7, 7}, 300000);
  expectShrunk(concat(3000, 200), {100, 32}, 20000);
  expectShrunk(views(512, 6, 64), {1, 96}, 500000);
}

/// Cuts the last points of a side off; whether there were any.
static bool cutSide(BoxDim &dim, llvm::ArrayRef<TileDim> tiles) {
  BoxMath math(tiles);
  int64_t last = dim.tileDim < 0 ? 0 : tiles[dim.tileDim].count() - 1;
  int64_t high = INT64_MIN;
  for (int64_t tile = 0; tile <= last; ++tile)
    if (Range range = math.at(dim, tile); !range.empty())
      high = std::max(high, range.high);
  if (high > INT64_MIN)
    dim.bound = high;
  return high > INT64_MIN;
}

/// Boxes that say that they have no more than is needed, with less than that.
static unsigned rejectCuts(const Program &program, const Plan &plan) {
  unsigned cuts = 0;
  for (size_t i = 0; i < plan.footprints[0].domains.size(); ++i) {
    const std::optional<Box> &box = plan.footprints[0].domains[i];
    if (!box || !box->exact || countOf(*box, plan.footprints[0].tiles).all == 0)
      continue;
    for (size_t dim = 0; dim < box->dims.size(); ++dim) {
      Plan cut = plan;
      Footprint &footprint = cut.footprints[0];
      // In tiles where another side is empty nothing is lost.
      if (!cutSide(footprint.domains[i]->dims[dim], footprint.tiles) ||
          countOf(*footprint.domains[i], footprint.tiles).all ==
              countOf(*box, footprint.tiles).all)
        continue;
      ++cuts;
      EXPECT_NE(complaint(program, cut), "")
          << i << " " << dim << "\n"
          << describe(program, plan.groups[0]);
    }
  }
  return cuts;
}

/// What boxes say is enough, and no less: groups compute what their programs
/// do.
TEST(PolyValidate, randomPrograms) {
  unsigned ran = 0, executed = 0, cuts = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Draw draw(seed);
    Program program = draw.program();
    Group group = draw.group(program);
    // All that write the result are sinks.
    for (unsigned i = 0; i < program.last(); ++i)
      if (program.tensors[program.statements[i].write.tensor].liveOut)
        group.sinks.push_back({i, std::vector<int>(group.sizes.size(), -1)});
    // Some programs read what no statement writes.
    if (llvm::errorToBool(execute(program)))
      continue;
    ++ran;
    EXPECT_EQ(complaint(program, planOf(program, group), seed), "")
        << describe(program, group);
    ValidatedBy by = ValidatedBy::Proof;
    EXPECT_EQ(refusal(program, {group}, &by), "") << describe(program, group);
    executed += by == ValidatedBy::Execution;
    cuts += rejectCuts(program, planOf(program, group));
    ASSERT_FALSE(testing::Test::HasFailure()) << seed;
  }
  EXPECT_GT(ran, 300u);
  EXPECT_EQ(executed, ran);
  EXPECT_GT(cuts, ran);
}

TEST(PolyValidate, shrinksWhatIsRelated) {
  Program program = strided(true);
  GroupProgram small = shrink(programOf(program, program.whole({64, 7, 7})));
  const Statement &reader = small.scop.statements[1];
  const Tensor &x = small.scop.tensors[reader.reads[0].tensor];
  // 56 = 2 * 28: what hangs over the ends stays.
  EXPECT_EQ(x.shape[1], 2 * reader.dims[1].extent);
  EXPECT_EQ(reader.dims[1].extent % small.group.sizes[1], 0);
  EXPECT_GE(reader.dims[1].extent, 2 * small.group.sizes[1]);
}

/// Extents that nothing lets change are run as they are, or proven.
TEST(PolyValidate, whatDoesNotShrink) {
  for (int64_t size : {40, 3000}) {
    Program p;
    unsigned x = p.pointwise("x", {p.input({size, size})});
    // The last element of each row, by its number.
    p.op("last", {{size}, {size}},
         {{x, {d(0), d(1)}}, {x, {at(size - 1), at(size - 1)}}});
    p.finish();
    ValidatedBy by = ValidatedBy::Execution;
    EXPECT_EQ(refusal(p, {p.whole({16, 16})}, &by), "");
    EXPECT_EQ(by, size == 40 ? ValidatedBy::Execution : ValidatedBy::Proof);
  }
}

TEST(PolyValidate, loopsShrink) {
  Program program = lstm(128, 64);
  ValidatedBy by = ValidatedBy::Proof;
  EXPECT_EQ(refusal(program, {lstmGroup(program, 16)}, &by), "");
  EXPECT_EQ(by, ValidatedBy::Execution);
}
