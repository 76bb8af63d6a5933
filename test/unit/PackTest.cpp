//===- PackTest.cpp - weights in the order of kernels ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what programs of test/run cannot say: sources at odd
// addresses, splats, and constants of more than one piece. The order itself is
// held against a second implementation.
//===----------------------------------------------------------------------===//
// LINK: TenonEmit MLIR LLVM
#include "passes/Emit/Pack.h"

#include "lib/Support/NarrowFloat.h"
#include "lib/Tile/Fragments.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <cstring>
#include <numeric>

using namespace mlir;
using namespace tenon;

namespace {

class PackTest : public testing::Test {
protected:
  RankedTensorType type(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getF32Type());
  }

  DictionaryAttr attributes(ArrayRef<int64_t> k, ArrayRef<int64_t> n,
                            int64_t panel, int64_t winograd = 0) {
    NamedAttrList list;
    list.set("batch_dims", b.getDenseI64ArrayAttr({}));
    list.set("k_dims", b.getDenseI64ArrayAttr(k));
    list.set("n_dims", b.getDenseI64ArrayAttr(n));
    list.set("panel", b.getI64IntegerAttr(panel));
    if (winograd)
      list.set("winograd", b.getI64IntegerAttr(winograd));
    return list.getDictionary(&context);
  }

  std::vector<float> pack(RankedTensorType type, DictionaryAttr attributes,
                          ArrayRef<char> source) {
    std::vector<char> bytes;
    pieces = 0;
    emit::pack(type, attributes, source, [&](ArrayRef<char> piece) {
      bytes.insert(bytes.end(), piece.begin(), piece.end());
      ++pieces;
    });
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }

  MLIRContext context;
  Builder b{&context};
  size_t pieces = 0;
};

ArrayRef<char> bytesOf(const std::vector<float> &numbers) {
  return {reinterpret_cast<const char *>(numbers.data()),
          numbers.size() * sizeof(float)};
}

std::vector<float> iota(size_t count) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  return numbers;
}

/// A matrix [K, N], or its transpose, in panels.
std::vector<float> panelsOf(const std::vector<float> &matrix, size_t k,
                            size_t n, size_t panel, bool isTransposed) {
  std::vector<float> result;
  for (size_t first = 0; first < n; first += panel)
    for (size_t row = 0; row < k; ++row)
      for (size_t column = first; column < first + panel; ++column)
        result.push_back(column >= n    ? 0
                         : isTransposed ? matrix[column * k + row]
                                        : matrix[row * n + column]);
  return result;
}

TEST_F(PackTest, LargeMatricesGoInPieces) {
  std::vector<float> matrix = iota(300 * 413);
  EXPECT_EQ(pack(type({300, 413}), attributes({0}, {1}, 48), bytesOf(matrix)),
            panelsOf(matrix, 300, 413, 48, false));
  EXPECT_GT(pieces, 1u);
  EXPECT_EQ(pack(type({413, 300}), attributes({1}, {0}, 48), bytesOf(matrix)),
            panelsOf(matrix, 300, 413, 48, true));
}

TEST_F(PackTest, APanelMayBeLargerThanAPiece) {
  std::vector<float> matrix = iota(2 * 50000);
  EXPECT_EQ(
      pack(type({2, 50000}), attributes({0}, {1}, 65536), bytesOf(matrix)),
      panelsOf(matrix, 2, 50000, 65536, false));
}

TEST_F(PackTest, SourcesMayLieAnywhere) {
  std::vector<float> filter = iota(4 * 3 * 9);
  std::vector<char> shifted(filter.size() * sizeof(float) + 1);
  llvm::copy(bytesOf(filter), shifted.begin() + 1);
  ArrayRef<char> odd = ArrayRef(shifted).drop_front();
  for (int64_t winograd : {0, 2}) {
    DictionaryAttr order = attributes({2, 3, 1}, {0}, 8, winograd);
    EXPECT_EQ(pack(type({4, 3, 3, 3}), order, odd),
              pack(type({4, 3, 3, 3}), order, bytesOf(filter)));
  }
}

TEST_F(PackTest, ASplatIsOneElement) {
  std::vector<float> filter(4 * 3 * 9, 0.75f);
  for (int64_t winograd : {0, 4}) {
    DictionaryAttr order = attributes({2, 3, 1}, {0}, 8, winograd);
    EXPECT_EQ(pack(type({4, 3, 3, 3}), order, bytesOf(filter).take_front(4)),
              pack(type({4, 3, 3, 3}), order, bytesOf(filter)));
  }
}

TEST_F(PackTest, PlanesAddUpToTheNumbers) {
  // 2 columns of 16 steps, as [16, 2].
  std::vector<float> source(32);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = std::sqrt(float(i) + 0.1f) * (i % 3 ? 1 : -1);
  NamedAttrList list(attributes({0}, {1}, 1));
  list.set("element", TypeAttr::get(VectorType::get({3}, b.getBF16Type())));
  std::vector<float> words =
      pack(type({16, 2}), list.getDictionary(&context), bytesOf(source));
  ASSERT_EQ(words.size(), size_t(3 * 32 / 2));
  std::vector<uint16_t> pieces(3 * 32);
  std::memcpy(pieces.data(), words.data(), pieces.size() * 2);
  for (size_t column = 0; column < 2; ++column)
    for (size_t at = 0; at < 16; ++at) {
      float sum = 0;
      for (size_t plane = 3; plane-- > 0;)
        sum += BrainFloat::widen(pieces[plane * 32 + column * 16 + at]);
      EXPECT_EQ(sum, source[tile::fragmentStep(int64_t(at)) * 2 + column]);
    }
}

} // namespace
