//===- PolyCountTest.cpp - how much groups do -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the counts of groups against numbers that were counted by
// hand and by enumeration.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyPrograms.h"
#include "lib/Poly/Count.h"
#include <gtest/gtest.h>

using namespace poly_programs;

namespace {
/// A program as one group.
struct Counted {
  Counted(const Program &program, const Group &group)
      : program(program), group(group), footprint(footprintOf(program, group)),
        count(countOf(program, group, footprint)) {
    EXPECT_EQ(llvm::toString(check(program)), "");
    EXPECT_EQ(llvm::toString(check(program, group)), "");
  }
  Counted(const Program &program, std::vector<int64_t> sizes)
      : Counted(program, program.whole(std::move(sizes))) {}

  const Count &of(const std::string &name) const {
    return count.instances[program.named.at(name)];
  }
  /// Elements of what a statement reads first.
  int64_t mostRead(const std::string &name, unsigned number = 0) const {
    const Statement &statement = program.statements[program.named.at(name)];
    return count.bytes.at(statement.reads[number].tensor).largest / 4;
  }
  void expect(int64_t fused, int64_t unfused) const {
    EXPECT_EQ(count.total().all, fused);
    EXPECT_EQ(count.total().once, unfused);
    EXPECT_TRUE(count.total().exact);
    EXPECT_TRUE(footprint.wide.empty());
  }

  Program program;
  Group group;
  Footprint footprint;
  GroupCount count;
};
} // namespace

TEST(PolyCount, convolutionChain) {
  Counted small(convChain(), {2, 2, 2});
  small.expect(6432, 4992);
  EXPECT_EQ(small.of("conv1").all, 3600);
  EXPECT_EQ(small.of("conv1").once, 2304);
  EXPECT_EQ(small.mostRead("conv1", 1), 36);
  Counted(convChain(), {2, 4, 4}).expect(4992, 4992);
  Counted(convChain(), {1, 3, 3}).expect(10432, 4992);
}

TEST(PolyCount, bottleneck) {
  Counted square(bottleneck(), {3, 2, 2});
  square.expect(2792, 2088);
  EXPECT_EQ(square.of("x").all, 300);
  EXPECT_EQ(square.of("x").once, 108);
  Counted channel(bottleneck(), {1, 6, 6});
  channel.expect(5616, 2088);
  EXPECT_EQ(channel.of("x").all, 324);
}

TEST(PolyCount, rows) {
  Counted(softmaxRows(), {2, 6}).expect(96, 96);
  Counted columns(softmaxRows(), {2, 3});
  columns.expect(168, 96);
  for (const char *name : {"max", "exp", "sum"}) {
    EXPECT_EQ(columns.of(name).all, 48);
    EXPECT_EQ(columns.of(name).once, 24);
  }
  Counted norm(layernormRows(), {1, 6});
  norm.expect(96, 96);
  EXPECT_EQ(norm.mostRead("norm", 0), 6);
  EXPECT_EQ(norm.mostRead("norm", 1), 1);
  EXPECT_EQ(norm.mostRead("centre", 1), 1);
}

TEST(PolyCount, depthwiseSeparable) {
  Counted square(depthwiseSeparable(), {2, 3, 3});
  square.expect(1944, 1692);
  EXPECT_EQ(square.of("expand").all, 384);
  Counted small(depthwiseSeparable(), {1, 2, 2});
  small.expect(4248, 1692);
  EXPECT_EQ(small.of("expand").all, 1200);
  EXPECT_EQ(small.of("expand").once, 216);
}

TEST(PolyCount, squeezeExcite) {
  Counted one(squeezeExcite(), {3, 4, 4});
  one.expect(161, 161);
  EXPECT_EQ(one.of("pool").all, 48);
  Counted six(squeezeExcite(), {1, 2, 4});
  six.expect(690, 161);
  EXPECT_EQ(six.of("pool").all, 288);
}

TEST(PolyCount, transformerLayer) {
  Counted layer(bertLayer(), {2, 4});
  EXPECT_EQ(layer.program.statements.size(), 31u);
  layer.expect(1216, 1056);
  for (size_t i = 0; i < layer.program.statements.size(); ++i) {
    const std::string &name = layer.program.statements[i].name;
    bool doubles = name.starts_with("k") || name.starts_with("v");
    if (name == "variance")
      doubles = false;
    EXPECT_EQ(layer.count.instances[i].all,
              (doubles ? 2 : 1) * layer.count.instances[i].once)
        << name;
  }
}

TEST(PolyCount, viewsWithWholeHeads) {
  Counted(views(), {1, 8}).expect(672, 1056);
}

TEST(PolyCount, viewsAcrossHeads) {
  Counted across(views(), {1, 3});
  EXPECT_GE(across.count.total().all, 672);
  for (const char *name : {"add", "split", "transpose"})
    EXPECT_FALSE(across.of(name).exact) << name;
  for (const char *name : {"merge", "slice", "pad"})
    EXPECT_TRUE(across.of(name).exact) << name;
}

TEST(PolyCount, concatenation) { Counted(concat(), {2, 2}).expect(72, 72); }

TEST(PolyCount, stridedReader) {
  Counted reader(strided(false), {64, 7, 7});
  EXPECT_EQ(reader.of("x").all, 50176);
  EXPECT_EQ(reader.of("x").once, 200704);
  EXPECT_TRUE(reader.of("x").exact);
  Counted both(strided(true), {64, 7, 7});
  EXPECT_EQ(both.of("x").all, 222784);
  EXPECT_TRUE(both.of("x").exact);
}

TEST(PolyCount, poolTilesOfAConvolutionChain) {
  for (auto [size, ratio] : std::map<int64_t, double>{
           {4, 1.4745}, {7, 1.2258}, {14, 1.0727}, {28, 1.0000}}) {
    Counted chain(convChain(64, 56), {64, size, size});
    const Count &first = chain.of("conv1");
    EXPECT_NEAR(double(first.all) / first.once, ratio, 5e-5);
    EXPECT_TRUE(first.exact);
  }
}

TEST(PolyCount, visitsEachStatementOnce) {
  Counted ten(diamonds(10), {4, 4}), twenty(diamonds(20), {4, 4});
  EXPECT_EQ(ten.footprint.visits, 10 * 4 + 29u);
  EXPECT_EQ(twenty.footprint.visits, 20 * 4 + 59u);
  Counted chain(stencils(80), {32, 32});
  EXPECT_EQ(chain.footprint.visits, 80 + 79u);
  EXPECT_TRUE(chain.count.total().exact);
}
