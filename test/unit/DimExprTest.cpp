//===- DimExprTest.cpp - sizes that are computed from symbols -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the arithmetic of random expressions against that of numbers.
//===----------------------------------------------------------------------===//
// LINK: TenonGraph MLIR LLVM
#include "dialects/Graph/DimExpr.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Shapes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
class DimExprTest : public ::testing::Test {
protected:
  DimExprTest() { context.loadDialect<GraphDialect, func::FuncDialect>(); }

  Attribute size(int64_t value) { return sizeDim(&context, value); }
  Attribute symbol(StringRef name) { return StringAttr::get(&context, name); }

  /// What a dimension is for these values of the symbols "a", "b" and "c".
  int64_t valueOf(Attribute dim, ArrayRef<int64_t> values) {
    if (auto number = dyn_cast<IntegerAttr>(dim))
      return number.getInt();
    if (auto name = dyn_cast<StringAttr>(dim))
      return values[name.getValue()[0] - 'a'];
    auto expr = cast<DimExprAttr>(dim);
    SmallVector<AffineExpr> numbers;
    for (StringAttr name : expr.getSymbols())
      numbers.push_back(getAffineConstantExpr(valueOf(name, values), &context));
    AffineExpr result = expr.getExpr().replaceSymbols(numbers);
    return cast<AffineConstantExpr>(result).getValue();
  }

  MLIRContext context;
};

/// An expression in both forms: a dimension, and its value at some points.
struct Sample {
  Attribute dim;
  SmallVector<int64_t, 4> values;
};

class Samples {
public:
  Samples(MLIRContext *context, unsigned seed)
      : context(context), random(seed) {}

  Sample draw(unsigned depth);
  /// Values of the symbols at each of the points.
  static constexpr int64_t points[4][3] = {
      {0, 0, 0}, {1, 2, 3}, {17, 5, 100}, {1023, 64, 7}};

private:
  Sample leaf();
  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }

  MLIRContext *context;
  std::mt19937 random;
};
} // namespace

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && a < 0);
}

Sample Samples::leaf() {
  Sample sample;
  int64_t kind = number(0, 3);
  if (kind == 3) {
    int64_t value = number(-9, 9);
    return {sizeDim(context, value), SmallVector<int64_t, 4>(4, value)};
  }
  sample.dim = StringAttr::get(context, std::string(1, char('a' + kind)));
  for (auto &point : points)
    sample.values.push_back(point[kind]);
  return sample;
}

Sample Samples::draw(unsigned depth) {
  if (depth == 0)
    return leaf();
  Sample left = draw(depth - 1);
  int64_t factor = number(-6, 6), offset = number(-9, 9), by = number(1, 12);
  switch (number(0, 4)) {
  case 0: {
    Sample right = draw(depth - 1);
    bool adds = number(0, 1);
    left.dim =
        adds ? addDims(left.dim, right.dim) : subtractDims(left.dim, right.dim);
    for (auto [value, other] : llvm::zip(left.values, right.values))
      value += adds ? other : -other;
    return left;
  }
  case 1: {
    Sample right = draw(depth > 2 ? 0 : depth - 1);
    left.dim = multiplyDims(left.dim, right.dim);
    for (auto [value, other] : llvm::zip(left.values, right.values))
      value *= other;
    return left;
  }
  case 2:
    left.dim = modDim(left.dim, by);
    for (int64_t &value : left.values)
      value -= by * floorDiv(value, by);
    return left;
  default:
    left.dim = affineDim(left.dim, factor, offset, by);
    for (int64_t &value : left.values)
      value = floorDiv(factor * value + offset, by);
    return left;
  }
}

TEST_F(DimExprTest, ComputesAsNumbersDo) {
  Samples samples(&context, 3);
  for (int round = 0; round < 3000; ++round) {
    Sample sample = samples.draw(round % 5);
    for (auto [point, value] : llvm::zip(Samples::points, sample.values))
      ASSERT_EQ(valueOf(sample.dim, point), value) << dimText(sample.dim);
  }
}

TEST_F(DimExprTest, HasOneFormForOneExpression) {
  Samples samples(&context, 5);
  for (int round = 0; round < 2000; ++round) {
    Attribute a = samples.draw(round % 4).dim, b = samples.draw(2).dim;
    Attribute sum = addDims(a, b);
    ASSERT_EQ(sum, addDims(b, a)) << dimText(sum);
    ASSERT_EQ(subtractDims(sum, b), a) << dimText(a) << " and " << dimText(b);
    ASSERT_EQ(subtractDims(sum, sum), size(0));
    ASSERT_EQ(affineDim(sum, 6, 5, 6), sum) << dimText(sum);
  }
}

TEST_F(DimExprTest, DividesProductsByTheirFactors) {
  Samples samples(&context, 11);
  for (int round = 0; round < 2000; ++round) {
    Attribute a = samples.draw(round % 2).dim, b = samples.draw(1).dim;
    if (b == size(0))
      continue;
    Attribute product = multiplyDims(a, b);
    ASSERT_EQ(multiplyDims(divideDims(product, b), b), product)
        << dimText(product) << " by " << dimText(b);
  }
  Attribute n = symbol("n");
  EXPECT_EQ(divideDims(affineDim(n, 3, 6), affineDim(n, 1, 2)), size(3));
  EXPECT_FALSE(divideDims(affineDim(n, 3, 7), affineDim(n, 1, 2)));
  EXPECT_FALSE(divideDims(n, symbol("m")));
  EXPECT_FALSE(divideDims(n, size(0)));
}

/// A quotient of a quotient is one, whatever comes in between.
TEST_F(DimExprTest, MergesQuotients) {
  Samples samples(&context, 9);
  for (int round = 0; round < 2000; ++round) {
    Attribute a = samples.draw(0).dim, b = samples.draw(0).dim;
    Attribute sum = addDims(affineDim(a, round % 7, round % 5), b);
    ASSERT_EQ(floorDivDim(floorDivDim(sum, 3), 4), floorDivDim(sum, 12))
        << dimText(sum);
    ASSERT_EQ(floorDivDim(addDims(floorDivDim(sum, 2), a), 5),
              floorDivDim(addDims(sum, affineDim(a, 2, 0)), 10))
        << dimText(sum);
  }
}

TEST_F(DimExprTest, IsReadAsItIsWritten) {
  Samples samples(&context, 7);
  for (int round = 0; round < 2000; ++round) {
    Attribute dim = samples.draw(round % 5).dim;
    if (!isa<DimExprAttr>(dim))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << dim;
    ASSERT_EQ(parseAttribute(text, &context), dim) << text;
  }
  EXPECT_EQ(parseAttribute("#graph.dim<\"n\">", &context), symbol("n"));
  EXPECT_EQ(parseAttribute("#graph.dim<2 * (3 + 1)>", &context), size(8));
}

TEST_F(DimExprTest, WritesWhatPeopleRead) {
  Attribute n = symbol("n"), odd = symbol("past + 1");
  EXPECT_EQ(dimText(affineDim(n, 2, 1)), "2 * n + 1");
  EXPECT_EQ(dimText(affineDim(n, 1, -1, 2)), "(n + 1) floordiv 2 - 1");
  EXPECT_EQ(dimText(subtractDims(odd, affineDim(n, 3, 0))),
            "-3 * n + 'past + 1'");
  EXPECT_EQ(dimText(modDim(n, 8)), "n mod 8");
  EXPECT_EQ(dimText(size(7)), "7");
  EXPECT_EQ(dimText({}), "?");
  // Names do not pass for expressions.
  EXPECT_NE(dimText(symbol("n + 1")), dimText(affineDim(n, 1, 1)));
}

TEST_F(DimExprTest, ProductsOfSymbolsAreExpressions) {
  Attribute n = symbol("n"), m = symbol("m");
  Attribute product = multiplyDims(affineDim(n, 4, 0), m);
  EXPECT_EQ(dimText(product), "4 * m * n");
  EXPECT_EQ(dimText(multiplyDims(affineDim(n, 1, 1), affineDim(m, 1, -1))),
            "m - n + m * n - 1");
  EXPECT_EQ(dimText(multiplyDims(floorDivDim(n, 2), m)), "m * (n floordiv 2)");
  EXPECT_EQ(product, multiplyDims(affineDim(m, 2, 0), affineDim(n, 2, 0)));
  EXPECT_EQ(multiplyDims(n, size(0)), size(0));
  EXPECT_EQ(contentOf(product).factor, 4);
  EXPECT_EQ(contentOf(affineDim(n, 4, 6)).factor, 2);
  EXPECT_EQ(contentOf(affineDim(n, 4, 6)).rest, affineDim(n, 2, 3));
}

TEST_F(DimExprTest, NumbersThatAreTooLargeMakeSymbols) {
  Attribute n = symbol("n");
  int64_t large = int64_t(1) << 61;
  Attribute some = affineDim(n, large, 0);
  EXPECT_TRUE(isa<DimExprAttr>(some));
  EXPECT_TRUE(isa<StringAttr>(affineDim(some, 8, 0)));
  EXPECT_TRUE(isa<StringAttr>(addDims(size(INT64_MAX), n)));
  EXPECT_TRUE(isa<StringAttr>(affineDim(size(INT64_MIN + 1), -1, 0, 3)));
  EXPECT_EQ(affineDim(some, 8, 0), affineDim(some, 8, 0));
  EXPECT_NE(affineDim(some, 8, 0), affineDim(some, 9, 0));
}

TEST_F(DimExprTest, UnknownStaysUnknown) {
  Attribute n = symbol("n");
  EXPECT_FALSE(addDims(n, {}));
  EXPECT_FALSE(multiplyDims({}, n));
  EXPECT_FALSE(affineDim({}, 2, 1));
  EXPECT_TRUE(mayBeEqual(n, {}));
}

TEST_F(DimExprTest, SomeDimensionsAreNeverEqual) {
  Attribute n = symbol("n");
  EXPECT_FALSE(mayBeEqual(n, affineDim(n, 1, 1)));
  EXPECT_TRUE(mayBeEqual(n, affineDim(n, 2, 1)));
  EXPECT_TRUE(mayBeEqual(n, symbol("m")));
  EXPECT_FALSE(mayBeEqual(size(2), size(3)));
}

/// One unknown dimension leaves the names of the others.
TEST_F(DimExprTest, BroadcastsToWhatIsNeverOne) {
  Attribute a = symbol("a"), twice = affineDim(symbol("b"), 2, 0);
  Attribute odd = affineDim(symbol("b"), 2, 1);
  EXPECT_EQ(broadcastSymbols(a, twice), twice);
  EXPECT_EQ(broadcastSymbols(twice, a), twice);
  EXPECT_EQ(dimText(broadcastSymbols(a, odd)), "'broadcast(2 * b + 1, a)'");
  // They must be equal, but neither is better.
  Attribute thrice = affineDim(a, 3, 0);
  EXPECT_EQ(broadcastSymbols(twice, thrice), broadcastSymbols(thrice, twice));
}

TEST_F(DimExprTest, TypesKeepWhatIsKnown) {
  Type f32 = Float32Type::get(&context);
  Dims dims = {symbol("n"), {}, size(4), affineDim(symbol("n"), 2, 1)};
  RankedTensorType type = typeFromDims(dims, f32);
  EXPECT_EQ(dimsOf(type), dims);
  EXPECT_EQ(countUnknown(type), 1u);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  EXPECT_EQ(text, "tensor<?x?x4x?xf32, #graph.dims<[\"n\", ?, 4, 2 * \"n\" + "
                  "1]>>");
  EXPECT_EQ(parseType(text, &context), type);
}

TEST_F(DimExprTest, RefusesWhatIsNoDimension) {
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    EXPECT_EQ(diagnostic.str(), "1.000000e+00 : f32 is no dimension");
    return success();
  });
  Builder builder(&context);
  Location loc = UnknownLoc::get(&context);
  auto dims = builder.getArrayAttr({builder.getF32FloatAttr(1)});
  EXPECT_FALSE(
      DimsAttr::getChecked([&] { return emitError(loc); }, &context, dims));
}

TEST_F(DimExprTest, FreshSymbolsAreNew) {
  auto module = parseSourceString<ModuleOp>(R"(
func.func @f(%x: tensor<?xf32, #graph.dims<[2 * "pick"]>>) {
  %0 = graph.relu %x : (tensor<?xf32, #graph.dims<[2 * "pick"]>>)
    -> tensor<?xf32, #graph.dims<[2 * "pick"]>> loc("pick")
  %1 = graph.relu %x : (tensor<?xf32, #graph.dims<[2 * "pick"]>>)
    -> tensor<?xf32, #graph.dims<[2 * "pick"]>> loc("choose")
  return
})",
                                            &context);
  ASSERT_TRUE(module);
  SmallVector<std::string> names;
  module->walk([&](ReluOp op) { names.push_back(dimText(freshDim(op))); });
  EXPECT_EQ(names, (SmallVector<std::string>{"pick.2", "choose"}));
}
