//===- WeightsTest.cpp - each constant once -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests when constants are the same bytes as they are stored, and
// that their fingerprints never deny it.
//===----------------------------------------------------------------------===//
// LINK: TenonEmit MLIR LLVM
#include "passes/Emit/Weights.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using emit::StoredConstant;

namespace {

class WeightsTest : public testing::Test {
protected:
  ElementsAttr floats(ArrayRef<int64_t> shape, ArrayRef<float> values) {
    return DenseElementsAttr::get(RankedTensorType::get(shape, b.getF32Type()),
                                  values);
  }

  DictionaryAttr pack(int64_t k, int64_t n, int64_t panel) {
    NamedAttrList list;
    list.set("batch_dims", b.getDenseI64ArrayAttr({}));
    list.set("k_dims", b.getDenseI64ArrayAttr({k}));
    list.set("n_dims", b.getDenseI64ArrayAttr({n}));
    list.set("panel", b.getI64IntegerAttr(panel));
    return list.getDictionary(&context);
  }

  static void expectSame(const StoredConstant &x, const StoredConstant &y) {
    EXPECT_EQ(x.fingerprint(), y.fingerprint());
    EXPECT_TRUE(x.equals(y));
    EXPECT_TRUE(y.equals(x));
  }

  MLIRContext context;
  Builder b{&context};
};

TEST_F(WeightsTest, ShapesAndTypesDoNotMatter) {
  StoredConstant x{floats({2, 2}, {0, 1, 2, 3}), {}, 16};
  StoredConstant y{floats({4}, {0, 1, 2, 3}), {}, 16};
  auto words = RankedTensorType::get({4}, b.getI32Type());
  StoredConstant z{
      DenseElementsAttr::get(
          words, ArrayRef<int32_t>{0, 0x3f800000, 0x40000000, 0x40400000}),
      {},
      16};
  expectSame(x, y);
  expectSame(x, z);
}

// Of the rows 1 2 3 and 4 5 6, the panels 1 2, 4 5 and 3 0, 6 0.
TEST_F(WeightsTest, PacksOfATensorAndItsTranspose) {
  StoredConstant x{floats({2, 3}, {1, 2, 3, 4, 5, 6}), pack(0, 1, 2), 32};
  StoredConstant y{floats({3, 2}, {1, 4, 2, 5, 3, 6}), pack(1, 0, 2), 32};
  StoredConstant z{floats({8}, {1, 2, 4, 5, 3, 0, 6, 0}), {}, 32};
  expectSame(x, y);
  expectSame(x, z);
}

TEST_F(WeightsTest, SplatsAreTheirElements) {
  StoredConstant x{floats({2, 3}, {7}), pack(0, 1, 2), 32};
  StoredConstant y{floats({8}, {7, 7, 7, 7, 7, 0, 7, 0}), {}, 32};
  StoredConstant z{floats({8}, {7}), {}, 32};
  expectSame(x, y);
  EXPECT_FALSE(x.equals(z));
}

// The fingerprint does not see the order; the comparison does.
TEST_F(WeightsTest, OrderMatters) {
  StoredConstant x{floats({4}, {1, 2, 3, 4}), {}, 16};
  StoredConstant y{floats({4}, {1, 2, 4, 3}), {}, 16};
  EXPECT_EQ(x.fingerprint(), y.fingerprint());
  EXPECT_FALSE(x.equals(y));
}

// A pack that rounds is another constant than one that does not.
TEST_F(WeightsTest, RoundedPacksDiffer) {
  NamedAttrList list(pack(0, 1, 2));
  list.set("element", TypeAttr::get(b.getF16Type()));
  StoredConstant x{floats({2, 2}, {1, 2, 3, 4}), pack(0, 1, 2), 16};
  StoredConstant y{x.value, list.getDictionary(&context), 8};
  EXPECT_NE(x.fingerprint(), y.fingerprint());
  EXPECT_FALSE(x.equals(y));
}

} // namespace
