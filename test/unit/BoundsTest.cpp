//===- BoundsTest.cpp - what is known of a dimension ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds proofs about random expressions against their values.
//===----------------------------------------------------------------------===//
// LINK: TenonGraph MLIR LLVM
#include "dialects/Graph/Bounds.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
class BoundsTest : public ::testing::Test {
protected:
  BoundsTest() { context.loadDialect<GraphDialect>(); }

  Attribute size(int64_t value) { return sizeDim(&context, value); }
  Attribute symbol(StringRef name) { return StringAttr::get(&context, name); }

  Attribute randomDim(unsigned depth) {
    switch (depth == 0 ? random() % 2 : random() % 5) {
    case 0:
      return size(int64_t(random() % 7) - 3);
    case 1:
      return symbol(random() % 2 ? "m" : "n");
    case 2:
      return addDims(randomDim(depth - 1), randomDim(depth - 1));
    case 3:
      return multiplyDims(randomDim(depth - 1), randomDim(depth - 1));
    default:
      return floorDivDim(randomDim(depth - 1), 1 + int64_t(random() % 4));
    }
  }

  int64_t valueOf(Attribute dim, int64_t m, int64_t n) {
    return sizeOf(substitute(dim, [&](StringAttr name) {
      return size(name.getValue() == "m" ? m : n);
    }));
  }

  MLIRContext context;
  std::mt19937 random{42};
};
} // namespace

TEST_F(BoundsTest, HoldAllValues) {
  ConstraintStore symbols;
  ASSERT_TRUE(succeeded(symbols.constrain("m", {1, 5, 1})));
  ASSERT_TRUE(succeeded(symbols.constrain("n", {0, 3, 1})));
  for (int round = 0; round < 2000; ++round) {
    Attribute dim = randomDim(4);
    DimBounds bounds = boundsOf(dim, symbols);
    for (int64_t m = 1; m <= 5; ++m)
      for (int64_t n = 0; n <= 3; ++n) {
        int64_t value = valueOf(dim, m, n);
        EXPECT_LE(bounds.min, value) << dimText(dim);
        EXPECT_GE(bounds.max, value) << dimText(dim);
      }
  }
}

TEST_F(BoundsTest, ProveWhatHoldsForAll) {
  ConstraintStore symbols;
  Attribute m = symbol("m"), n = symbol("n");
  EXPECT_TRUE(isAtLeast(addDims(m, n), m, symbols));
  EXPECT_TRUE(isAtLeast(m, size(0), symbols));
  EXPECT_FALSE(isAtLeast(m, size(1), symbols));
  EXPECT_FALSE(isAtLeast(m, n, symbols));
  EXPECT_FALSE(isAtLeast({}, size(0), symbols));
  EXPECT_FALSE(isAtLeast(size(-1), size(INT64_MAX), symbols));
  EXPECT_TRUE(isAtLeast(size(INT64_MAX), size(-1), symbols));
  EXPECT_FALSE(isAtLeast(size(INT64_MIN), m, symbols));
  EXPECT_TRUE(isAtLeast(size(INT64_MAX), m, symbols));
  EXPECT_TRUE(isAtLeast(m, floorDivDim(m, 1), symbols));
}

TEST_F(BoundsTest, DemandNarrowsOneSymbol) {
  ConstraintStore symbols;
  Attribute m = symbol("m");
  EXPECT_TRUE(succeeded(
      demandNotNegative(subtractDims(size(9), affineDim(m, 2, 0)), symbols)));
  EXPECT_TRUE(succeeded(demandNotNegative(affineDim(m, 3, -4), symbols)));
  EXPECT_EQ(symbols.range("m"), (SymbolRange{2, 4, 1}));
  // Proved by now.
  EXPECT_TRUE(succeeded(demandNotNegative(affineDim(m, 1, -2), symbols)));
  // What grows with its symbol, rounded.
  Attribute k = symbol("k");
  EXPECT_TRUE(succeeded(demandNotNegative(
      affineDim(affineDim(k, 1, 64 - 256, 128), 1, -1), symbols)));
  EXPECT_EQ(symbols.range("k").min, 128 + 256 - 64);
  EXPECT_TRUE(failed(demandNotNegative(
      affineDim(floorDivDim(symbol("j"), 2), 1, INT32_MIN), symbols)));
  // Nothing would be left; two symbols; neither a multiple nor growing.
  EXPECT_TRUE(failed(demandNotNegative(affineDim(m, 1, -5), symbols)));
  EXPECT_TRUE(failed(demandNotNegative(subtractDims(m, symbol("n")), symbols)));
  // What shrinks has an end: 3 - j / 2 is not negative up to j = 7.
  EXPECT_TRUE(succeeded(demandNotNegative(
      subtractDims(size(3), floorDivDim(symbol("j"), 2)), symbols)));
  EXPECT_EQ(symbols.range("j").max, 7);
  EXPECT_TRUE(failed(demandNotNegative({}, symbols)));
  EXPECT_EQ(symbols.range("m"), (SymbolRange{2, 4, 1}));
}
