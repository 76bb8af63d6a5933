//===- PolyBoxTest.cpp - boxes against points -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the boxes of random programs against what tiles need point by
// point: boxes have all of it, and no more where they say so.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyExact.h"
#include "PolyPrograms.h"
#include "lib/Poly/Count.h"
#include <gtest/gtest.h>

#include <random>

using namespace poly_exact;
using namespace poly_programs;

namespace {
/// Programs of a few statements that read what earlier ones wrote in all ways.
class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}

  Program program() {
    Program p;
    std::vector<unsigned> tensors;
    for (unsigned count = 1 + below(3); count > 0; --count)
      tensors.push_back(addTensor(p, tensors));
    return p.finish();
  }

  Group group(const Program &p) {
    Group group = p.whole({});
    const Statement &sink = p.statements.back();
    for (size_t dim = 0; dim < sink.dims.size(); ++dim)
      if (sink.dims[dim].kind == DimKind::Parallel && below(4) != 0) {
        group.sinks[0].dims.push_back(int(dim));
        group.sizes.push_back(1 + below(sink.dims[dim].extent));
      }
    return group;
  }

private:
  int64_t below(int64_t end) { return int64_t(random() % uint64_t(end)); }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }

  Index index(size_t dims) {
    Index index = d(below(dims), between(1, 3)) + at(between(-4, 4));
    if (below(3) == 0)
      index = index + d(below(dims), between(-1, 2));
    if (below(4) == 0)
      index = index / between(2, 4);
    if (below(6) == 0)
      index = index % between(2, 8);
    index.any = below(16) == 0;
    return index;
  }

  Access read(const Program &p, unsigned tensor, size_t dims) {
    Access access = {tensor, {}, true, true};
    const std::vector<int64_t> &shape = p.tensors[tensor].shape;
    for (size_t i = 0; i < shape.size(); ++i)
      access.index.push_back(index(dims));
    if (shape.size() == 2 && below(3) == 0) {
      Index number = d(below(dims)) + at(below(3) == 0 ? between(-4, 4) : 0);
      access.index = {number / shape[1], number % shape[1]};
    }
    return access;
  }

  /// Of one statement, or of two that write parts of it.
  unsigned addTensor(Program &p, const std::vector<unsigned> &before) {
    std::vector<int64_t> shape;
    for (int64_t rank = between(1, 2); rank > 0; --rank)
      shape.push_back(between(4, 20));
    unsigned tensor = p.tensor(shape);
    bool isCut = below(3) == 0;
    int64_t first = isCut ? between(1, shape[0] - 1) : shape[0];
    addStatement(p, before, tensor, first, 0);
    if (isCut)
      addStatement(p, before, tensor, shape[0] - first, first);
    return tensor;
  }

  void addStatement(Program &p, const std::vector<unsigned> &before,
                    unsigned tensor, int64_t extent, int64_t offset) {
    Statement statement;
    statement.name = "f";
    statement.write.tensor = tensor;
    for (int64_t size : p.tensors[tensor].shape) {
      statement.write.index.push_back(d(statement.dims.size()));
      statement.dims.push_back({size});
    }
    statement.dims[0].extent = extent;
    statement.write.index[0].offset = offset;
    if (offset == 0 && extent > 4 && below(6) == 0) {
      statement.dims[0].extent = (extent + 1) / 2;
      statement.write.index[0].coefficients[0] = 2;
    }
    if (below(2) == 0)
      statement.dims.push_back(sum(between(1, 4)));
    for (int64_t reads = before.empty() ? 0 : between(1, 2); reads > 0; --reads)
      statement.reads.push_back(
          read(p, before[below(before.size())], statement.dims.size()));
    p.add(statement);
  }

  std::mt19937 random;
};

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
