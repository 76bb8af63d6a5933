//===- ViewsTest.cpp - places of views --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks what reshapes, slices and transpositions do to strides, and
// that going back through them gives the place one started from.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonKernel TenonGraph MLIR LLVM
#include "passes/Codegen/Layout/Views.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/TypicalSizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {

using Strides = std::vector<int64_t>;

class ViewsTest : public testing::Test {
protected:
  ViewsTest() : builder(&context) {
    context.loadDialect<graph::GraphDialect, memory::MemoryDialect>();
    block.reset(new Block);
    builder.setInsertionPointToEnd(block.get());
  }

  Value tensor(ArrayRef<int64_t> shape) {
    return block->addArgument(
        RankedTensorType::get(shape, builder.getF32Type()),
        builder.getUnknownLoc());
  }

  Operation *reshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    return graph::ReshapeOp::create(
        builder, builder.getUnknownLoc(),
        RankedTensorType::get(to, builder.getF32Type()), tensor(from));
  }

  static Strides fixed(ArrayRef<graph::Size> strides) {
    Strides numbers;
    for (const graph::Size &stride : strides)
      numbers.push_back(stride.fixed());
    return numbers;
  }

  /// Strides after a reshape; empty when there are none.
  Strides reshaped(ArrayRef<int64_t> from, ArrayRef<int64_t> strides,
                   ArrayRef<int64_t> to) {
    graph::Sizes steps(strides.begin(), strides.end());
    auto place = placeThrough(reshape(from, to), {7, steps});
    if (!place)
      return {};
    EXPECT_EQ(place->first, 7);
    return fixed(place->strides);
  }

  MLIRContext context;
  std::unique_ptr<Block> block;
  OpBuilder builder;
};

TEST_F(ViewsTest, ReshapeSplitsAnyDimension) {
  EXPECT_EQ(reshaped({8, 64}, {192, 1}, {8, 4, 16}), (Strides{192, 16, 1}));
  EXPECT_EQ(reshaped({6, 5}, {1, 6}, {2, 3, 5}), (Strides{3, 1, 6}));
}

TEST_F(ViewsTest, ReshapeMergesWhatIsOneLoop) {
  EXPECT_EQ(reshaped({2, 3, 4}, {100, 4, 1}, {2, 12}), (Strides{100, 1}));
  EXPECT_EQ(reshaped({2, 3, 4}, {100, 8, 1}, {2, 12}), Strides());
  EXPECT_EQ(reshaped({4, 6}, {6, 1}, {8, 3}), (Strides{3, 1}));
  EXPECT_EQ(reshaped({4, 6}, {12, 1}, {8, 3}), Strides());
}

TEST_F(ViewsTest, ReshapeIgnoresDimensionsOfOne) {
  EXPECT_EQ(reshaped({1, 5, 1, 4}, {999, 8, 77, 1}, {5, 4}), (Strides{8, 1}));
  EXPECT_EQ(reshaped({5, 4}, {8, 1}, {1, 5, 1, 4}), (Strides{40, 8, 4, 1}));
  EXPECT_EQ(reshaped({1, 1}, {3, 3}, {1}), (Strides{1}));
}

TEST_F(ViewsTest, ReshapeOfNothing) {
  EXPECT_EQ(reshaped({0, 4}, {4, 1}, {2, 0}), (Strides{0, 0}));
}

TEST_F(ViewsTest, ReshapeBackIsTheInverse) {
  Operation *op = reshape({8, 64}, {8, 4, 16});
  auto place = placeThrough(op, {3, {192, 1}});
  ASSERT_TRUE(place);
  auto back = placeBefore(op, *place);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->first, 3);
  EXPECT_EQ(fixed(back->strides), (Strides{192, 1}));
}

TEST_F(ViewsTest, TransposeMovesStrides) {
  Operation *op =
      graph::TransposeOp::create(builder, builder.getUnknownLoc(),
                                 tensor({2, 3, 4}), ArrayRef<int64_t>{2, 0, 1});
  auto place = placeThrough(op, {5, {12, 4, 1}});
  ASSERT_TRUE(place);
  EXPECT_EQ(fixed(place->strides), (Strides{1, 12, 4}));
  auto back = placeBefore(op, *place);
  ASSERT_TRUE(back);
  EXPECT_EQ(fixed(back->strides), (Strides{12, 4, 1}));
}

TEST_F(ViewsTest, SliceStartsLaterAndSteps) {
  auto slice = [&](int64_t start, int64_t step) {
    Operation *op = graph::SliceOp::create(
        builder, builder.getUnknownLoc(), tensor({8, 16}),
        ArrayRef<int64_t>{start, 4}, ArrayRef<int64_t>{3, 8},
        ArrayRef<int64_t>{step, 1});
    EXPECT_FALSE(placeBefore(op, {0, {8, 1}}));
    return placeThrough(op, {100, {20, 1}});
  };
  auto place = slice(1, 2);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->first, 124);
  EXPECT_EQ(fixed(place->strides), (Strides{40, 1}));
  EXPECT_FALSE(slice(7, -2));
}

TEST_F(ViewsTest, PartsFollowEachOther) {
  Operation *op = graph::ConcatOp::create(
      builder, builder.getUnknownLoc(),
      ValueRange{tensor({4, 3}), tensor({4, 5})}, uint64_t(1));
  TensorPlace place = placeOfPart(op, 1, {10, {8, 1}});
  EXPECT_EQ(place.first, 13);
  auto type = cast<RankedTensorType>(op->getOperand(1).getType());
  PlacedBuffer buffer = bufferAt(type, place);
  EXPECT_EQ(buffer.byteOffset, 52);
  EXPECT_EQ(buffer.type.getBytes(), (3 * 8 + 5) * 4);
  // One free element before each row belongs to the buffer, one after, too.
  buffer = bufferAt(type, place, {0, 1}, {0, 1});
  EXPECT_EQ(buffer.byteOffset, 48);
  EXPECT_EQ(buffer.type.getOffset(), 1);
  EXPECT_EQ(buffer.type.getBytes(), (1 + 3 * 8 + 6) * 4);
}

TEST_F(ViewsTest, RowsAreLongOrAll) {
  auto sizes = graph::TypicalSizes::in({});
  auto type = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  };
  EXPECT_TRUE(hasLongRows(type({4, 8}), {0, {100, 1}}, sizes));
  EXPECT_FALSE(hasLongRows(type({4, 4}), {0, {100, 1}}, sizes));
  EXPECT_TRUE(hasLongRows(type({4, 4}), {0, {4, 1}}, sizes));
  EXPECT_FALSE(hasLongRows(type({8, 4}), {0, {1, 8}}, sizes));
  EXPECT_TRUE(hasLongRows(type({1, 1}), {0, {9, 9}}, sizes));
  EXPECT_TRUE(hasLongRows(type({}), {0, {}}, sizes));
}

TEST_F(ViewsTest, SparseRowsFillLessThanHalf) {
  auto sizes = graph::TypicalSizes::in({});
  auto type = RankedTensorType::get({2, 4, 8}, builder.getF32Type());
  EXPECT_FALSE(isSparse(type, {0, {64, 16, 1}}, sizes));
  EXPECT_TRUE(isSparse(type, {0, {68, 17, 1}}, sizes));
  EXPECT_FALSE(isSparse(type, {0, {64, 8, 1}}, sizes));
  EXPECT_TRUE(isSparse(type, {0, {65, 8, 1}}, sizes));
  EXPECT_FALSE(isSparse(type, {0, {32, 8, 1}}, sizes));
}

} // namespace
