//===- PolyBoxTest.cpp - boxes against points -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the boxes of random programs against what tiles need point by
// point: boxes have all of it, and no more where they say so.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyDraw.h"
#include "PolyExact.h"
#include "PolyPrograms.h"
#include "lib/Poly/Count.h"
#include <gtest/gtest.h>

using namespace poly_draw;
using namespace poly_exact;
using namespace poly_programs;

namespace {
/// What was compared.
struct Tally {
  int64_t boxes = 0, exact = 0, tooSmall = 0, falselyExact = 0, miscounted = 0;

  void add(IslContext &isl, const Box &box, llvm::ArrayRef<TileDim> tiles,
           const IslMap &points) {
    IslMap relation = relationOf(isl, box, tiles);
    ++boxes;
    tooSmall += points.isSubsetOf(relation) != true;
    Count count = countOf(box, tiles);
    miscounted += count.all < *points.countPairs();
    if (!box.exact)
      return;
    ++exact;
    falselyExact += relation.isSubsetOf(points) != true;
    miscounted += !count.exact || count.all != *points.countPairs();
  }
};
} // namespace

TEST(PolyBox, randomProgramsAgainstPoints) {
  Tally domains, reads;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Draw draw(seed);
    Program program = draw.program();
    Group group = draw.group(program);
    ASSERT_EQ(llvm::toString(check(program)), "") << seed;
    ASSERT_EQ(llvm::toString(check(program, group)), "") << seed;
    Footprint footprint = footprintOf(program, group);
    IslContext isl(0);
    Exact exact(isl, program, group);
    for (size_t i = 0; i < exact.domains.size(); ++i) {
      ASSERT_EQ(exact.domains[i].has_value(), footprint.domains[i].has_value());
      if (exact.domains[i])
        domains.add(isl, *footprint.domains[i], footprint.tiles,
                    *exact.domains[i]);
    }
    for (auto &[tensor, box] : footprint.reads)
      reads.add(isl, box, footprint.tiles, *exact.reads[tensor]);
    EXPECT_EQ(domains.tooSmall + reads.tooSmall, 0) << seed;
    EXPECT_EQ(domains.falselyExact + reads.falselyExact, 0) << seed;
    EXPECT_EQ(domains.miscounted + reads.miscounted, 0) << seed;
    ASSERT_FALSE(testing::Test::HasFailure()) << describe(program, group);
  }
  // Most are simple enough to be followed without a loss.
  EXPECT_GT(domains.exact * 2, domains.boxes);
  EXPECT_GT(domains.boxes + reads.boxes, 1500);
  EXPECT_LT(reads.exact, reads.boxes);
  RecordProperty("exact", int(domains.exact + reads.exact));
}

//===-- Traps -------------------------------------------------------------===//

/// x of 64, read by a sink of `size` elements in tiles of `tile`.
static Footprint readBy(int64_t size, int64_t tile,
                        std::vector<Index> indices) {
  Program p;
  unsigned x = p.tensor({64});
  p.add({"x", {{64}}, {x, {d(0)}}});
  std::vector<Access> reads;
  for (const Index &index : indices)
    reads.push_back({x, {index}, true, true});
  p.op("y", {{size}}, reads);
  p.finish();
  return footprintOf(p, p.whole({tile}));
}

static Count countOfX(const Footprint &footprint) {
  return countOf(*footprint.domains[0], footprint.tiles);
}

TEST(PolyBox, readsOfTwoPhases) {
  Count even = countOfX(readBy(32, 16, {d(0, 2)}));
  EXPECT_EQ(even.all, 32);
  EXPECT_TRUE(even.exact);
  Count both = countOfX(readBy(32, 16, {d(0, 2), d(0, 2) + 1}));
  EXPECT_EQ(both.all, 64);
  EXPECT_TRUE(both.exact);
}

TEST(PolyBox, readsThatAreFarApart) {
  Footprint near = readBy(32, 16, {d(0), d(0) + 2});
  EXPECT_TRUE(near.wide.empty());
  EXPECT_TRUE(near.domains[0]->exact);
  Footprint far = readBy(8, 4, {d(0), d(0) + 50});
  EXPECT_EQ(far.wide, std::vector<unsigned>{0});
  EXPECT_FALSE(far.domains[0]->exact);
}

TEST(PolyBox, theLastTileDecidesWhatTouches) {
  // Tiles of 4 leave no gap between i and i + 3, a last one of 1 does.
  EXPECT_TRUE(readBy(32, 4, {d(0), d(0) + 3}).domains[0]->exact);
  EXPECT_FALSE(readBy(33, 4, {d(0), d(0) + 3}).domains[0]->exact);
}

TEST(PolyBox, mirroredReadsAreWhole) {
  Footprint mirrored = readBy(32, 4, {d(0, -1) + 31});
  EXPECT_FALSE(mirrored.domains[0]->exact);
  EXPECT_EQ(countOfX(mirrored).largest, 32);
}

TEST(PolyBox, pointsOfViewsAcrossHeads) {
  Program program = views();
  for (int64_t size : {3, 8}) {
    Group group = program.whole({1, size});
    IslContext isl(0);
    Exact exact(isl, program, group);
    int64_t points = 0;
    for (auto &domain : exact.domains)
      points += *domain->countPairs();
    EXPECT_EQ(points, 672);
  }
}
