//===- TypicalSizesTest.cpp - what symbols are likely to be ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks where typical sizes come from, and that no estimate of an
// extent is negative or wraps around.
//===----------------------------------------------------------------------===//
// LINK: TenonGraph MLIR LLVM
#include "dialects/Graph/TypicalSizes.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/TypicalAttr.h"
#include "mlir/IR/OwningOpRef.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
class TypicalSizesTest : public ::testing::Test {
protected:
  TypicalSizesTest() { context.loadDialect<GraphDialect>(); }

  Attribute size(int64_t value) { return sizeDim(&context, value); }
  Attribute symbol(StringRef name) { return StringAttr::get(&context, name); }
  int64_t typical(Attribute dim) { return TypicalSizes::in(*module).of(dim); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
};
} // namespace

TEST_F(TypicalSizesTest, AreStatedPickedOrUsual) {
  EXPECT_EQ(typical(symbol("n")), 128);
  EXPECT_EQ(typical(size(7)), 7);
  ConstraintStore store;
  ASSERT_TRUE(succeeded(store.constrain("m", {.max = 100, .multipleOf = 8})));
  ASSERT_TRUE(succeeded(store.constrain("k", {.typical = 33})));
  store.save(*module);
  EXPECT_EQ(typical(symbol("m")), 96);
  EXPECT_EQ(typical(symbol("k")), 33);
  (*module)->setAttr(typicalAttr, DenseI64ArrayAttr::get(&context, {5}));
  EXPECT_EQ(typical(symbol("n")), 5);
  EXPECT_EQ(typical(symbol("m")), 8);
  EXPECT_EQ(typical(symbol("k")), 33);
}

TEST_F(TypicalSizesTest, FurtherOnesAreDividedOrListed) {
  Attribute n = symbol("n"), m = symbol("m");
  auto at = [&](double number, Attribute dim) {
    return TypicalSizes::in(*module, number).of(dim);
  };
  EXPECT_EQ(TypicalSizes::countFurther(*module), 0u);
  Builder b(&context);
  (*module)->setAttr(furtherAttr, b.getI64IntegerAttr(15));
  EXPECT_EQ(TypicalSizes::countFurther(*module), 15u);
  EXPECT_EQ(at(1, n), 91);
  EXPECT_EQ(at(2, n), 64);
  EXPECT_EQ(at(15, n), 1);
  EXPECT_EQ(typical(n), 128);
  auto run = b.getDictionaryAttr({b.getNamedAttr("n", b.getI64IntegerAttr(8))});
  (*module)->setAttr(furtherAttr, b.getArrayAttr(run));
  EXPECT_EQ(TypicalSizes::countFurther(*module), 1u);
  EXPECT_EQ(at(1, n), 8);
  EXPECT_EQ(at(0.5, n), 32);
  EXPECT_EQ(at(1, m), 128);
}

TEST_F(TypicalSizesTest, AreNeverNegative) {
  Attribute n = symbol("n");
  EXPECT_EQ(typical(subtractDims(n, size(200))), 0);
  EXPECT_EQ(typical(subtractDims(n, size(100))), 28);
  EXPECT_EQ(typical(floorDivDim(subtractDims(n, size(200)), 3)), 0);
  EXPECT_EQ(TypicalSizes::in(*module).of(Size(n) - 200), 0);
}

TEST_F(TypicalSizesTest, DoNotWrapAround) {
  Attribute product = symbol("n");
  for (int i = 0; i < 12; ++i)
    product = multiplyDims(product, symbol("n"));
  EXPECT_GT(typical(product), int64_t(1) << 40);
  EXPECT_EQ(typical(subtractDims(size(0), product)), 0);
}
