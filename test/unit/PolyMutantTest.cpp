//===- PolyMutantTest.cpp - plans with a fault each -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the execution on hashes against plans that are wrong in one
// thing: in what they compute, in the boxes that they run over, in their
// groups; and against some that are only different.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyPlans.h"
#include <functional>
#include <gtest/gtest.h>

using namespace poly_plans;

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
