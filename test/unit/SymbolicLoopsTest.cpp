//===- SymbolicLoopsTest.cpp - loop nests of any sizes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles each group in symbolic-loops.mlir once for each
// instruction set that this processor has, and compares it with the interpreter
// for sizes around what tiles, vectors and blocks of sums hold.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonEmit TenonTargetCpu TenonInterpreter TenonKernel
#include "mlir/Parser/Parser.h"
#include "test/unit/SymbolicRuns.h"
#include "test/unit/TestProcessors.h"

#include <filesystem>

using namespace mlir;
using namespace tenon;
using test::SymbolNumbers;

namespace {
class SymbolicLoops : public ::testing::Test {
protected:
  void SetUp() override {
    test::loadDialects(context);
    std::filesystem::path path =
        std::filesystem::path(TENON_UNIT_TESTS) / "symbolic-loops.mlir";
    module = parseSourceFile<ModuleOp>(path.string(), &context);
    ASSERT_TRUE(module);
  }

  func::FuncOp find(StringRef name) {
    return module->lookupSymbol<func::FuncOp>(name);
  }

  /// On each processor, planned for `typical` or 128 of each symbol.
  void check(StringRef name, ArrayRef<SymbolNumbers> cases, double slack = 1,
             SymbolNumbers typical = {}) {
    for (const auto &[symbol, number] : cases.front())
      typical.try_emplace(symbol, 128);
    for (const std::string &processor : test::processors()) {
      auto target = cpu::resolveCpu(processor);
      ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
      test::checkSizes(find(name), typical, cases, *target, slack);
    }
  }

  /// Each of `x` with some of `y`, in turn.
  void checkPairs(StringRef name, const std::string &a, const std::string &b,
                  SymbolNumbers others = {}, double slack = 1) {
    std::vector<SymbolNumbers> cases;
    for (auto [i, x] : llvm::enumerate(extents))
      for (size_t j = i % 5; j < std::size(extents); j += 5) {
        others[a] = x;
        others[b] = extents[j];
        cases.push_back(others);
      }
    check(name, cases, slack);
  }

  /// None, one, vectors of 4 to 64 lanes and their neighbours, several and some
  /// more.
  static constexpr int64_t extents[] = {0,  1,  3,  4,  5,  7,  8,  9, 15,
                                        16, 17, 31, 33, 53, 64, 65, 67};

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(SymbolicLoops, LayerNorm) {
  checkPairs("layer_norm", "b", "s", {}, /*slack=*/3);
}

TEST_F(SymbolicLoops, Softmax) {
  checkPairs("softmax", "s", "t", {{"b", 2}});
  // Longer than what is kept of a row, and than a block of sums.
  check("softmax",
        {{{"b", 1}, {"s", 5}, {"t", 5003}},
         {{"b", 0}, {"s", 5}, {"t", 70}},
         {{"b", 1}, {"s", 2}, {"t", 70000}}},
        /*slack=*/4);
}

TEST_F(SymbolicLoops, Elementwise) {
  checkPairs("gelu", "b", "s");
  std::vector<SymbolNumbers> cases;
  for (int64_t n : extents)
    cases.push_back({{"n", n}});
  for (int64_t n : {8191, 8192, 8193, 30001})
    cases.push_back({{"n", n}});
  check("negate", cases);
}

TEST_F(SymbolicLoops, Transposes) {
  for (const char *name : {"split_heads", "merge_heads"})
    checkPairs(name, "b", "s");
  for (const char *name :
       {"transpose", "transpose_long", "to_pixels", "from_pixels"}) {
    checkPairs(name, "s", "t", {{"b", 2}});
    check(name, {{{"b", 1}, {"s", 3}, {"t", 2500}},
                 {{"b", 1}, {"s", 2500}, {"t", 17}}});
  }
}

TEST_F(SymbolicLoops, Reductions) {
  for (const char *name :
       {"sum_rows", "sum_columns", "max_rows", "sum_outer", "max_i32",
        "sum_i64", "mean_i32", "min_u8", "sum_f64"})
    checkPairs(name, "s", "t");
  checkPairs("mean_rows", "b", "t");
  checkPairs("mean_middle", "b", "s");
  checkPairs("mean_image", "s", "t", {{"b", 2}});
}

TEST_F(SymbolicLoops, LongSums) {
  check("sum_all", {{{"n", 0}}, {{"n", 1}}, {{"n", 4097}}, {{"n", 1000003}}});
  check("sum_columns", {{{"s", 129}, {"t", 3}}, {{"s", 5000}, {"t", 33}}});
  check("sum_outer", {{{"s", 300}, {"t", 70}}, {{"s", 3}, {"t", 9000}}});
  check("mean_image", {{{"b", 1}, {"s", 200}, {"t", 170}}});
}

TEST_F(SymbolicLoops, Types) {
  for (const char *name : {"compare", "select", "bytes", "half"})
    checkPairs(name, "s", "t");
}

TEST_F(SymbolicLoops, Slices) {
  std::vector<SymbolNumbers> cases;
  for (int64_t s : extents)
    cases.push_back({{"s", s}});
  check("slice", cases);
  check("slice_from",
        {{{"p", 0}, {"s", 0}},
         {{"p", 0}, {"s", 17}},
         {{"p", 5}, {"s", 33}},
         {{"p", 63}, {"s", 1}}},
        /*slack=*/1, {{"p", 1}, {"s", 32}});
}

TEST_F(SymbolicLoops, WhatMayBeOneIsRepeated) {
  for (const char *name : {"repeat_rows", "repeat_columns"})
    for (auto [s, u] : {std::pair(1, 1), {1, 7}, {40, 1}, {18, 18}, {1, 0}}) {
      std::vector<SymbolNumbers> cases;
      for (int64_t v : {0, 1, 5, 16, 35})
        cases.push_back({{"s", s}, {"u", u}, {"v", v}});
      check(name, cases);
    }
  for (int64_t w : {1, 20})
    check("repeat_to_size",
          {{{"s", 0}, {"w", w}}, {{"s", 1}, {"w", w}}, {{"s", 33}, {"w", w}}});
}
