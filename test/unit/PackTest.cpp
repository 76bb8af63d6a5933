//===- PackTest.cpp - weights in the order of kernels ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what programs of test/run cannot say: sources at odd
// addresses, splats, and constants of more than one piece. The order itself is
// held against other implementations, that of the interpreter among them.
//===----------------------------------------------------------------------===//
// LINK: TenonEmit MLIR LLVM
#include "passes/Emit/Pack.h"

#include "dialects/Graph/Graph.h"
#include "lib/Interpreter/Interpreter.h"
#include "lib/Pack/Fragments.h"
#include "lib/Support/NarrowFloat.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <cstring>
#include <numeric>
#include <random>

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

//===-- Against the interpreter -------------------------------------------===//

/// Packs with random numbers, dimensions in random roles.
class PackAgrees : public PackTest {
protected:
  PackAgrees() { context.loadDialect<graph::GraphDialect>(); }

  int64_t draw(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }

  /// A divisor of a number.
  int64_t drawPart(int64_t number) {
    int64_t part = draw(1, number);
    return number % part ? 1 : part;
  }

  std::vector<float> numbers(RankedTensorType type) {
    std::vector<float> list(size_t(type.getNumElements()));
    std::normal_distribution<float> normal;
    for (float &number : list)
      number = std::ldexp(normal(random), int(draw(-30, 20)));
    return list;
  }

  /// Types are inferred before absent attributes get their values.
  NamedAttrList withDefaults(NamedAttrList list) {
    std::pair<StringRef, int64_t> defaults[] = {{"groups", 1},
                                                {"fold", 1},
                                                {"winograd", 0},
                                                {"window_rank", 2},
                                                {"window", 0}};
    for (auto [name, value] : defaults)
      if (!list.get(name))
        list.set(name, b.getI64IntegerAttr(value));
    return list;
  }

  /// What the emitter and the interpreter write.
  std::pair<std::vector<char>, std::vector<char>>
  both(RankedTensorType type, const NamedAttrList &list) {
    std::vector<float> source = numbers(type);
    std::vector<char> emitted;
    emit::pack(type, list.getDictionary(&context), bytesOf(source),
               [&](ArrayRef<char> piece) {
                 emitted.insert(emitted.end(), piece.begin(), piece.end());
               });
    Block block;
    Location loc = b.getUnknownLoc();
    Value operand = block.addArgument(type, loc);
    OpBuilder builder(&context);
    builder.setInsertionPointToEnd(&block);
    auto op = graph::PackOp::create(builder, loc, ValueRange(operand),
                                    withDefaults(list).getAttrs());
    auto tensor = interp::Tensor::borrow(type, bytesOf(source));
    auto results = interp::evaluate(op, ArrayRef(tensor));
    if (failed(results))
      return {emitted, {}};
    ArrayRef<char> bytes = results->front().bytes();
    return {emitted, {bytes.begin(), bytes.end()}};
  }

  Type drawElement() {
    Type elements[] = {b.getF16Type(), b.getBF16Type(),
                       FloatTF32Type::get(&context)};
    return elements[draw(0, 2)];
  }

  NamedAttrList drawOrder(ArrayRef<int64_t> shape) {
    SmallVector<int64_t> dims(shape.size());
    std::iota(dims.begin(), dims.end(), 0);
    std::shuffle(dims.begin(), dims.end(), random);
    int64_t batches = draw(0, int64_t(dims.size()) - 2);
    int64_t ks = draw(1, int64_t(dims.size()) - batches - 1);
    ArrayRef<int64_t> all(dims), k = all.slice(batches, ks),
                                 n = all.drop_front(batches + ks);
    NamedAttrList list(attributes(k, n, draw(1, 5)));
    list.set("batch_dims", b.getDenseI64ArrayAttr(all.take_front(batches)));
    int64_t columns = 1;
    for (int64_t dim : n)
      columns *= shape[dim];
    list.set("groups", b.getI64IntegerAttr(drawPart(columns)));
    list.set("fold", b.getI64IntegerAttr(drawPart(shape[k.back()])));
    if (draw(0, 1))
      list.set("element", TypeAttr::get(drawElement()));
    return list;
  }

  std::mt19937 random{1};
};

TEST_F(PackAgrees, WithTheInterpreter) {
  for (int i = 0; i < 300; ++i) {
    SmallVector<int64_t> shape;
    for (int64_t rank = draw(2, 4); rank > 0; --rank)
      shape.push_back(draw(1, 6));
    NamedAttrList list = drawOrder(shape);
    auto [emitted, interpreted] = both(type(shape), list);
    EXPECT_FALSE(emitted.empty());
    EXPECT_EQ(emitted, interpreted);
  }
}

TEST_F(PackAgrees, InPlanes) {
  NamedAttrList list(attributes({2, 1}, {0}, 1));
  list.set("element", TypeAttr::get(VectorType::get({3}, b.getBF16Type())));
  auto [emitted, interpreted] = both(type({5, 4, 8}), list);
  EXPECT_EQ(emitted.size(), size_t(3 * 5 * 32 * 2));
  EXPECT_EQ(emitted, interpreted);
}

/// Points are rounded sums of other orders.
void expectClose(ArrayRef<char> x, ArrayRef<char> y) {
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); i += sizeof(float)) {
    float a, b;
    std::memcpy(&a, &x[i], sizeof a);
    std::memcpy(&b, &y[i], sizeof b);
    EXPECT_FLOAT_EQ(a, b);
  }
}

TEST_F(PackAgrees, OnPointsOfWindows) {
  struct Case {
    int64_t m, side, window, rank;
  };
  for (auto [m, side, window, rank] :
       {Case{2, 3, 0, 2}, Case{4, 3, 0, 2}, Case{6, 3, 0, 2}, Case{2, 5, 0, 1},
        Case{4, 5, 0, 1}, Case{2, 7, 0, 1}, Case{2, 5, 3, 2},
        Case{4, 7, 3, 1}}) {
    SmallVector<int64_t> shape = {5, 4, rank == 1 ? 1 : side, side};
    SmallVector<int64_t> k = rank == 1 ? SmallVector<int64_t>{3, 2, 1}
                                       : SmallVector<int64_t>{2, 3, 1};
    NamedAttrList list(attributes(k, {0}, 4, m));
    list.set("window_rank", b.getI64IntegerAttr(rank));
    list.set("window", b.getI64IntegerAttr(window));
    auto [emitted, interpreted] = both(type(shape), list);
    EXPECT_FALSE(emitted.empty());
    expectClose(emitted, interpreted);
  }
}

} // namespace
