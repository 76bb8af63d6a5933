//===- PolyExecuteTest.cpp - groups run against their program -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs programs and groups on hashes, and holds the execution against
// plans with a fault each: in what they compute, in the boxes that they run
// over, in the groups.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyDraw.h"
#include "lib/Poly/Count.h"
#include "lib/Poly/Execute.h"
#include "lib/Poly/Shrink.h"
#include <functional>
#include <gtest/gtest.h>

using namespace poly_draw;

static std::string complaint(const Program &program, const Plan &plan,
                             uint64_t seed = 1) {
  return llvm::toString(compare(program, plan, seed));
}

static Plan wholePlan(const Program &program, std::vector<int64_t> sizes) {
  return planOf(program, program.whole(std::move(sizes)));
}

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

//===-- Faults ------------------------------------------------------------===//

namespace {
using Change = std::function<void(Plan &)>;
struct Mutant {
  const char *name;
  Change change;
};
} // namespace

/// A statement of a plan, and the box that it runs over.
static Statement &in(Plan &plan, unsigned index) {
  return plan.scop.statements[index];
}
static BoxDim &side(Plan &plan, unsigned index, unsigned dim) {
  return plan.footprints[0].domains[index]->dims[dim];
}

static void expectRejected(const Program &program, const Plan &sound,
                           const std::vector<Mutant> &mutants) {
  ASSERT_EQ(complaint(program, sound), "");
  for (const Mutant &mutant : mutants) {
    Plan plan = sound;
    mutant.change(plan);
    EXPECT_NE(complaint(program, plan), "") << mutant.name;
  }
}

static void expectAccepted(const Program &program, const Plan &sound,
                           const std::vector<Mutant> &mutants) {
  for (const Mutant &mutant : mutants) {
    Plan plan = sound;
    mutant.change(plan);
    EXPECT_EQ(complaint(program, plan), "") << mutant.name;
  }
}

// conv1, bias, relu, conv2, pool.
TEST(PolyMutants, convolutionChain) {
  expectRejected(
      convChain(), wholePlan(convChain(), {2, 2, 2}),
      {{"offset", [](Plan &p) { in(p, 3).reads[0].index[1].offset = 0; }},
       {"stride",
        [](Plan &p) { in(p, 4).reads[0].index[1].coefficients[1] = 1; }},
       {"window of another channel",
        [](Plan &p) {
          std::swap(in(p, 0).reads[1].index[2], in(p, 0).reads[1].index[3]);
        }},
       {"bias of another channel",
        [](Plan &p) { in(p, 1).reads[1].index[0] = at(0); }},
       {"span", [](Plan &p) { side(p, 2, 1).span -= 1; }},
       {"offset of a box", [](Plan &p) { side(p, 2, 2).offset += 1; }},
       {"no halo", [](Plan &p) { side(p, 0, 1) = side(p, 3, 1); }},
       {"cut too early", [](Plan &p) { side(p, 1, 1).bound -= 1; }},
       {"cut too late", [](Plan &p) { side(p, 1, 1).least += 1; }},
       {"stale scale", [](Plan &p) { side(p, 2, 1).scale = 1; }},
       {"half a sum",
        [](Plan &p) {
          side(p, 3, 3).span -= 1;
          side(p, 3, 3).bound -= 1;
        }},
       {"other tile dimension", [](Plan &p) { side(p, 2, 1).tileDim = 2; }},
       {"nothing", [](Plan &p) { p.footprints[0].domains[1].reset(); }},
       {"tiles that miss the end",
        [](Plan &p) { p.footprints[0].tiles[1].extent -= 2; }},
       {"order", [](Plan &p) {
          std::swap(p.groups[0].statements[1], p.groups[0].statements[2]);
          std::swap(p.footprints[0].domains[1], p.footprints[0].domains[2]);
        }}});
  expectAccepted(
      convChain(), wholePlan(convChain(), {2, 2, 2}),
      {{"more than needed",
        [](Plan &p) {
          side(p, 0, 1).span += 2;
          side(p, 0, 1).offset -= 1;
        }},
       {"all of it", [](Plan &p) { side(p, 0, 2) = BoxMath::constant(0, 8); }},
       {"tiles of another size",
        [](Plan &p) { p.footprints[0].tiles[2].size = 1; }},
       {"other tiles",
        [](Plan &p) { p = wholePlan(convChain(), {1, 4, 3}); }}});
}

// x, conv1, relu1, conv2, relu2, conv3, add.
TEST(PolyMutants, bottleneck) {
  expectRejected(
      bottleneck(), wholePlan(bottleneck(), {3, 2, 4}),
      {{"residual from elsewhere",
        [](Plan &p) { in(p, 6).reads[1].index[2] = d(1); }},
       {"box of one reader only",
        [](Plan &p) { side(p, 0, 1) = side(p, 6, 1); }},
       {"sides changed about",
        [](Plan &p) { std::swap(side(p, 2, 1), side(p, 2, 2)); }},
       {"window of a sink", [](Plan &p) { side(p, 6, 1).bound -= 1; }},
       {"operands changed about",
        [](Plan &p) { std::swap(in(p, 6).reads[0], in(p, 6).reads[1]); }}});
  Group whole = bottleneck().whole({3, 2, 4});
  whole.sinks[0].dims[0] = -1;
  expectAccepted(bottleneck(), planOf(bottleneck(), whole),
                 {{"a dimension that no tile has", [](Plan &) {}}});
}

TEST(PolyMutants, rowsAndHeads) {
  expectRejected(softmaxRows(), wholePlan(softmaxRows(), {2, 6}),
                 {{"maximum of another row",
                   [](Plan &p) { in(p, 1).reads[1].index[0] = at(0); }},
                  {"maximum of a part",
                   [](Plan &p) { side(p, 0, 1) = BoxMath::constant(0, 5); }},
                  {"sum before the shift",
                   [](Plan &p) { in(p, 2).reads[0] = in(p, 0).reads[0]; }}});
  Program bert = bertLayer();
  unsigned k = bert.named.at("k"), scores = bert.named.at("scores");
  unsigned out = bert.named.at("out");
  expectRejected(bert, wholePlan(bert, {2, 4}),
                 {{"keys of the tile only",
                   [=](Plan &p) { side(p, k, 0) = side(p, bert.last(), 0); }},
                  {"column of another head",
                   [=](Plan &p) { in(p, scores).reads[0].index[1] = d(3); }},
                  {"heads that are not merged",
                   [=](Plan &p) { in(p, out).reads[0].index[0].divisor = 4; }},
                  {"another depth", [=](Plan &p) {
                     in(p, out).reads[0].index[2].modulus = 1;
                   }}});
}

// add, split, transpose, merge, slice, pad.
TEST(PolyMutants, viewsAndConcatenation) {
  expectRejected(
      views(), wholePlan(views(), {1, 8}),
      {{"digits of another base",
        [](Plan &p) { in(p, 3).reads[0].index[1].divisor = 4; }},
       {"padding on one side",
        [](Plan &p) { in(p, 5).reads[0].index[1].offset = 0; }},
       {"the next row", [](Plan &p) { side(p, 2, 1).offset += 1; }}});
  // first, second, left, right, relu.
  expectRejected(
      concat(), wholePlan(concat(), {2, 2}),
      {{"parts that overlap",
        [](Plan &p) { in(p, 3).write.index[1].offset = 2; }},
       {"missing writer", [](Plan &p) { p.footprints[0].domains[3].reset(); }},
       {"writer of a part", [](Plan &p) { side(p, 3, 1).bound -= 1; }},
       {"parts changed about",
        [](Plan &p) { std::swap(in(p, 2).reads[0], in(p, 3).reads[0]); }}});
  expectAccepted(
      concat(), wholePlan(concat(), {2, 2}),
      {{"order of the parts", [](Plan &p) {
          std::swap(p.groups[0].statements[2], p.groups[0].statements[3]);
          std::swap(p.footprints[0].domains[2], p.footprints[0].domains[3]);
        }}});
}

/// x, reader, sibling, add: 1x1 and 3x3 windows, both with stride 2.
static Program strides() {
  Program p;
  unsigned x = p.pointwise("x", {p.input({1, 9, 9})});
  unsigned y = p.conv("reader", x, 1, 1, 2);
  p.pointwise("add", {y, p.conv("sibling", x, 1, 3, 2)});
  return p.finish();
}

TEST(PolyMutants, strides) {
  expectRejected(
      strides(), wholePlan(strides(), {1, 2, 2}),
      {{"even rows only", [](Plan &p) { side(p, 0, 1).step = 2; }},
       {"no odd columns", [](Plan &p) { side(p, 0, 2).offset += 1; }}});
}

TEST(PolyMutants, recurrence) {
  Program program = lstm();
  expectRejected(
      program, planOf(program, lstmGroup(program, 2)),
      {{"h of this step",
        [](Plan &p) { in(p, 0).reads[1].index[0].offset = 1; }},
       {"another gate", [](Plan &p) { in(p, 2).reads[1].index[1].offset = 2; }},
       {"c of the step before",
        [](Plan &p) { in(p, 3).reads[1].index[0].offset = 0; }},
       {"h before c", [](Plan &p) {
          std::swap(p.groups[0].statements[2], p.groups[0].statements[3]);
          std::swap(p.footprints[0].domains[2], p.footprints[0].domains[3]);
        }}});
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
