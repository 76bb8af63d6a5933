//===- SymbolicProductTest.cpp - products of any size ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles products whose extents are symbols once for each
// instruction set that this processor has, and compares them with the
// interpreter where extents are 0, 1, and around the sizes of tiles.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonEmit TenonTargetCpu TenonInterpreter TenonKernel
// TenonGraph
#include "mlir/Parser/Parser.h"
#include "test/unit/SymbolicRuns.h"
#include "test/unit/TestProcessors.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using test::SymbolNumbers;

/// An f32 tensor of such dimensions: numbers, symbols, expressions.
static std::string tensor(ArrayRef<StringRef> dims) {
  std::string shape, names;
  bool isFixed = true;
  for (StringRef dim : dims) {
    int64_t number;
    bool isNumber = !dim.getAsInteger(10, number);
    isFixed &= isNumber;
    shape += (isNumber ? dim.str() : "?") + "x";
    names += (names.empty() ? "" : ", ") + dim.str();
  }
  return "tensor<" + shape + "f32" +
         (isFixed ? ">" : ", #graph.dims<[" + names + "]>>");
}

namespace {
/// A group around a product; the second operand may be a constant.
struct Product {
  std::vector<std::string> operands; ///< types
  std::string result, body;          ///< `%p` of `%a0`, `%a1`, ..
  bool hasWeights = false;

  std::string text() const;
};
} // namespace

std::string Product::text() const {
  std::string arguments, values, inner;
  for (auto [i, type] : llvm::enumerate(operands)) {
    std::string number = std::to_string(i);
    bool isConstant = i == 1 && hasWeights;
    if (!isConstant)
      arguments += (arguments.empty() ? "%x" : ", %x") + number + ": " + type;
    values += (values.empty() ? "%x" : ", %x") + number;
    inner += (inner.empty() ? "%a" : ", %a") + number + ": " + type;
  }
  std::string text =
      "func.func @product(" + arguments + ") -> " + result + " {\n";
  if (hasWeights)
    text += "%x1 = graph.constant dense<0.0> : " + operands[1] + "\n";
  return text + "%g = kernel.group(" + values + ") : (" +
         llvm::join(operands, ", ") + ") -> " + result + " {\n^bb0(" + inner +
         "):\n" + body + "kernel.yield %p : " + result +
         "\n}\nreturn %g : " + result + "\n}\n";
}

static void check(const Product &product, const SymbolNumbers &typical,
                  ArrayRef<SymbolNumbers> cases) {
  MLIRContext context;
  test::loadDialects(context);
  auto module = parseSourceString<ModuleOp>(product.text(), &context);
  ASSERT_TRUE(module) << product.text();
  auto function = *module->getOps<func::FuncOp>().begin();
  test::fillWeights(function);
  for (const std::string &name : test::processors()) {
    auto target = cpu::resolveCpu(name);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    test::checkSizes(function, typical, cases, *target);
  }
}

/// Each symbol at each of the extents, the others at their typical ones, then
/// all at once.
static std::vector<SymbolNumbers> sweep(const SymbolNumbers &typical,
                                        ArrayRef<int64_t> extents) {
  std::vector<SymbolNumbers> cases = {typical};
  for (const auto &[symbol, number] : typical)
    for (int64_t extent : extents) {
      SymbolNumbers numbers = typical;
      numbers[symbol] = extent;
      cases.push_back(numbers);
    }
  for (int64_t extent : extents) {
    SymbolNumbers numbers = typical;
    for (auto &entry : numbers)
      entry.second = extent;
    cases.push_back(numbers);
  }
  return cases;
}

/// Around tiles of 4 to 14 rows, vectors of 4 to 16 lanes, panels of 1 to 4
/// of them.
constexpr int64_t aroundTiles[] = {0,  1,  2,  3,  4,  5,  6,  7,  8, 9,
                                   11, 12, 13, 14, 15, 16, 17, 29, 41};

static std::string multiply(const Product &product, StringRef attributes = "",
                            StringRef result = "p") {
  return ("%" + result + " = graph.matmul %a0, %a1 " + attributes + " : (" +
          product.operands[0] + ", " + product.operands[1] + ") -> " +
          product.result + "\n")
      .str();
}

//===-- Rows
//---------------------------------------------------------------===//

static Product linear(StringRef k, StringRef n) {
  Product product;
  product.hasWeights = true;
  product.operands = {tensor({"\"m\"", k}), tensor({k, n}), tensor({n}),
                      tensor({"\"m\"", n})};
  product.result = tensor({"\"m\"", n});
  std::string type = product.result;
  product.body = multiply(product, "", "0") + "%1 = graph.add %0, %a2 : (" +
                 type + ", " + product.operands[2] + ") -> " + type +
                 "\n%p = graph.add %1, %a3 : (" + type + ", " + type + ") -> " +
                 type + "\n";
  return product;
}

TEST(SymbolicProduct, Rows) {
  check(linear("40", "70"), {{"m", 128}}, sweep({{"m", 128}}, aroundTiles));
  check(linear("24", "256"), {{"m", 128}}, sweep({{"m", 128}}, {1, 2, 100}));
  check(linear("700", "96"), {{"m", 128}}, sweep({{"m", 128}}, {0, 1, 300}));
  check(linear("16", "3"), {{"m", 128}}, sweep({{"m", 128}}, aroundTiles));
}

/// Dot products.
TEST(SymbolicProduct, OneColumn) {
  check(linear("40", "1"), {{"m", 128}}, sweep({{"m", 128}}, aroundTiles));
  check(linear("21", "1"), {{"m", 2}}, sweep({{"m", 2}}, {0, 1, 3, 9}));
}

/// A plan for few rows.
TEST(SymbolicProduct, FewRows) {
  check(linear("48", "130"), {{"m", 1}}, sweep({{"m", 1}}, {0, 2, 3, 9}));
  check(linear("48", "130"), {{"m", 3}}, sweep({{"m", 3}}, {0, 1, 2, 10}));
}

/// A plan for many rows, which are shared out unless they are few.
TEST(SymbolicProduct, ManyRows) {
  check(linear("64", "64"), {{"m", 3000}},
        sweep({{"m", 3000}}, {0, 1, 5, 300, 500}));
}

/// An epilogue that is long enough to be a loop.
TEST(SymbolicProduct, LongEpilogue) {
  Product product = linear("40", "70");
  StringRef(product.body).consume_back("\n");
  std::string type = product.result;
  product.body = multiply(product, "", "0");
  for (int i = 0; i < 6; ++i)
    product.body += "%" + std::to_string(i + 1) + " = graph.tanh %" +
                    std::to_string(i) + " : (" + type + ") -> " + type + "\n";
  product.body +=
      "%p = graph.add %6, %a3 : (" + type + ", " + type + ") -> " + type + "\n";
  product.operands[2] = tensor({"70"});
  check(product, {{"m", 128}}, sweep({{"m", 128}}, aroundTiles));
}

/// What one tensor has for all of a batch keeps rows of two dimensions.
TEST(SymbolicProduct, RowsOfTwoDimensions) {
  Product product;
  product.hasWeights = true;
  product.operands = {tensor({"\"b\"", "\"s\"", "20"}), tensor({"20", "40"}),
                      tensor({"\"s\"", "40"})};
  product.result = tensor({"\"b\"", "\"s\"", "40"});
  product.body = multiply(product, "", "0") + "%p = graph.add %0, %a2 : (" +
                 product.result + ", " + product.operands[2] + ") -> " +
                 product.result + "\n";
  check(product, {{"b", 3}, {"s", 40}},
        sweep({{"b", 3}, {"s", 40}}, {0, 1, 2, 13, 33}));
}

//===-- Columns, steps, batches
//--------------------------------------------===//

TEST(SymbolicProduct, Scores) {
  Product product;
  product.operands = {tensor({"\"b\"", "3", "\"s\"", "24"}),
                      tensor({"\"b\"", "3", "\"past\" + \"s\"", "24"})};
  product.result = tensor({"\"b\"", "3", "\"s\"", "\"past\" + \"s\""});
  product.body = multiply(product, "{transpose_rhs}");
  SymbolNumbers typical = {{"b", 2}, {"s", 20}, {"past", 50}};
  check(product, typical, sweep(typical, {0, 1, 7, 8, 13, 15, 33, 64}));
}

TEST(SymbolicProduct, Mixtures) {
  Product product;
  product.operands = {tensor({"\"b\"", "2", "\"s\"", "\"t\""}),
                      tensor({"\"b\"", "2", "\"t\"", "40"})};
  product.result = tensor({"\"b\"", "2", "\"s\"", "40"});
  product.body = multiply(product);
  SymbolNumbers typical = {{"b", 2}, {"s", 20}, {"t", 50}};
  check(product, typical, sweep(typical, {0, 1, 5, 7, 8, 13, 31, 32, 33}));
  typical = {{"b", 2}, {"s", 1}, {"t", 128}};
  check(product, typical, sweep(typical, {0, 1, 30}));
}

TEST(SymbolicProduct, Elements) {
  for (StringRef element : {"i32", "f16", "f64"}) {
    auto of = [&](ArrayRef<StringRef> dims) {
      std::string type = tensor(dims);
      return type.replace(type.find("xf32"), 4, ("x" + element).str());
    };
    Product product;
    product.operands = {of({"2", "\"m\"", "\"k\""}),
                        of({"2", "\"n\"", "\"k\""})};
    product.result = of({"2", "\"m\"", "\"n\""});
    product.body = multiply(product, "{transpose_rhs}");
    SymbolNumbers typical = {{"m", 9}, {"n", 40}, {"k", 30}};
    check(product, typical, sweep(typical, {0, 1, 7, 17}));
  }
}

/// With a mask in the epilogue, whose rows and columns are symbols.
TEST(SymbolicProduct, AllExtents) {
  for (StringRef attributes : {"", "{transpose_lhs}", "{transpose_rhs}",
                               "{transpose_lhs, transpose_rhs}"}) {
    Product product;
    bool left = attributes.contains("lhs"), right = attributes.contains("rhs");
    StringRef m = "\"m\"", n = "\"n\"", k = "\"k\"";
    product.operands = {tensor({"2", left ? k : m, left ? m : k}),
                        tensor({"2", right ? n : k, right ? k : n}),
                        tensor({"1", m, n})};
    product.result = tensor({"2", m, n});
    product.body = multiply(product, attributes, "0") +
                   "%p = graph.add %0, %a2 : (" + product.result + ", " +
                   product.operands[2] + ") -> " + product.result + "\n";
    SymbolNumbers typical = {{"m", 20}, {"n", 50}, {"k", 300}};
    check(product, typical, sweep(typical, {0, 1, 3, 9, 17, 33, 65}));
  }
}

//===-- Convolutions
//-------------------------------------------------------===//

static Product convolution(StringRef size, StringRef stride, StringRef height,
                           StringRef width, StringRef pad = "0") {
  Product product;
  product.hasWeights = true;
  std::string pads = (pad + ", " + pad + ", " + pad + ", " + pad).str();
  product.operands = {tensor({"\"b\"", "\"h\"", "\"w\"", "20"}),
                      tensor({"36", "20", size, size}), tensor({"36"})};
  product.result = tensor({"\"b\"", height, width, "36"});
  product.body =
      ("%0 = graph.conv %a0, %a1 {strides = array<i64: " + stride + ", " +
       stride + ">, pads = array<i64: " + pads +
       ">, dilations = array<i64: 1, " +
       "1>, layout = #graph<layout nhwc>} : (" + product.operands[0] + ", " +
       product.operands[1] + ") -> " + product.result +
       "\n%p = graph.add %0, %a2 : (" + product.result + ", " +
       product.operands[2] + ") -> " + product.result + "\n")
          .str();
  return product;
}

TEST(SymbolicProduct, Convolutions) {
  SymbolNumbers typical = {{"b", 2}, {"h", 9}, {"w", 17}};
  check(convolution("1", "1", "\"h\"", "\"w\""), typical,
        sweep(typical, {0, 1, 3, 14, 33}));
  check(convolution("1", "2", "(\"h\" - 1) floordiv 2 + 1",
                    "(\"w\" - 1) floordiv 2 + 1"),
        typical, sweep(typical, {1, 2, 3, 14, 33}));
  check(convolution("3", "1", "\"h\" - 2", "\"w\" - 2"), typical,
        sweep(typical, {3, 4, 16, 33}));
  check(convolution("3", "1", "\"h\"", "\"w\"", "1"), typical,
        sweep(typical, {1, 2, 3, 16, 33}));
  check(convolution("3", "2", "(\"h\" - 1) floordiv 2 + 1",
                    "(\"w\" - 1) floordiv 2 + 1", "1"),
        typical, sweep(typical, {1, 2, 3, 16, 33}));
}
