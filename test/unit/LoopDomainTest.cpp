//===- LoopDomainTest.cpp - operations that share one loop nest -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests which operations a loop nest can hold, and the loops and
// indices that follow from their accesses.
//===----------------------------------------------------------------------===//
// LINK: TenonKernel TenonGraph MLIR LLVM
#include "dialects/Kernel/LoopDomain.h"
#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon;
using kernel::LoopIndex;
using kernel::LoopNode;

namespace {
class LoopDomainTest : public ::testing::Test {
protected:
  LoopDomainTest() {
    context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  }

  /// The nest of all operations of a function that computes what it returns.
  FailureOr<kernel::LoopProgram> analyze(const std::string &arguments,
                                         const std::string &body,
                                         const std::string &returned,
                                         const std::string &types) {
    std::string text = "func.func @f(" + arguments + ") -> (" + types +
                       ") {\n" + body + "\nreturn " + returned + " : " + types +
                       "\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return failure();
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    Block &block = function.getBody().front();
    SmallVector<Operation *> ops;
    for (Operation &op : block.without_terminator())
      ops.push_back(&op);
    return kernel::analyzeLoops(ops, block.getTerminator()->getOperands(), why);
  }

  /// Whether a nest holds one operation on %x.
  bool holds(const std::string &input, const std::string &operation,
             const std::string &result) {
    return succeeded(
        analyze("%x: " + input,
                "%r = \"graph." + operation + " : (" + input + ") -> " + result,
                "%r", "" + result + ""));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string why;
};
} // namespace

static bool isIndex(const LoopIndex &index, int64_t offset,
                    ArrayRef<int64_t> coefficients) {
  return index.offset == offset &&
         index.coefficients ==
             graph::Sizes(coefficients.begin(), coefficients.end());
}

TEST_F(LoopDomainTest, RowsAreReducedAndUsedAgain) {
  auto program = analyze("%x: tensor<4x6xf32>", R"(
    %s = graph.reduce_sum %x {axes = array<i64: 1>} : (tensor<4x6xf32>) -> tensor<4x1xf32>
    %r = graph.sub %x, %s : (tensor<4x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>)",
                         "%r, %s", "tensor<4x6xf32>, tensor<4x1xf32>");
  ASSERT_TRUE(succeeded(program)) << why;
  ASSERT_EQ(program->loops.size(), 2u);
  EXPECT_FALSE(program->loops[0].reduction);
  EXPECT_TRUE(program->loops[1].reduction);
  ASSERT_EQ(program->nodes.size(), 3u);
  EXPECT_EQ(program->nodes[0].kind, LoopNode::Load);
  EXPECT_EQ(program->nodes[1].kind, LoopNode::Reduce);
  EXPECT_EQ(program->nodes[2].kind, LoopNode::Compute);
  EXPECT_TRUE(program->results[0].full);
  EXPECT_FALSE(program->results[1].full);
}

TEST_F(LoopDomainTest, IndicesFollowTheAccesses) {
  // Columns from the last on, every second one, of rows that are split.
  auto program = analyze("%x: tensor<6x8xf32>", R"(
    %s = graph.slice %x {starts = array<i64: 0, 7>, sizes = array<i64: 6, 4>, steps = array<i64: 1, -2>} : (tensor<6x8xf32>) -> tensor<6x4xf32>
    %r = graph.reshape %s : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
    %t = graph.transpose %r {permutation = array<i64: 1, 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>)",
                         "%t", "tensor<3x2x4xf32>");
  ASSERT_TRUE(succeeded(program)) << why;
  ASSERT_EQ(program->nodes.size(), 1u);
  const LoopNode &load = program->nodes[0];
  EXPECT_TRUE(isIndex(load.index[0], 0, {1, 3, 0}));
  EXPECT_TRUE(isIndex(load.index[1], 7, {0, 0, -2}));
}

TEST_F(LoopDomainTest, RepeatedRowsAreCut) {
  auto program = analyze("%x: tensor<2x16xf32>", R"(
    %r = graph.resize %x {scales = array<f32: 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<2x16xf32>) -> tensor<6x16xf32>)",
                         "%r", "tensor<6x16xf32>");
  ASSERT_TRUE(succeeded(program)) << why;
  ASSERT_EQ(program->loops.size(), 3u);
  EXPECT_EQ(program->loops[1].extent, 3);
  EXPECT_TRUE(isIndex(program->nodes[0].index[0], 0, {1, 0, 0}));
}

TEST_F(LoopDomainTest, AccessesDecideWhatFits) {
  const std::string type = "tensor<4x6xf32>", low = "low = array<i64: ",
                    cropped = "(%x) {" + low + "-1, 0>, high = array<i64: 0, ";
  EXPECT_TRUE(holds(type, "exp\"(%x)", type));
  EXPECT_TRUE(holds(type, "pad\"" + cropped + "-2>}", "tensor<3x4xf32>"));
  EXPECT_FALSE(holds(type, "pad\"" + cropped + "2>}", "tensor<3x8xf32>"));
  EXPECT_EQ(why, "'graph.pad' is not a loop");
  EXPECT_FALSE(holds(type, "bitcast\"(%x)", "tensor<4x6xi32>"));
  EXPECT_FALSE(holds(type, "softmax\"(%x) {axis = 1 : i64}", type));
  EXPECT_FALSE(
      holds(type, "arg_max\"(%x) {axis = 1 : i64}", "tensor<4x1xi64>"));
  EXPECT_TRUE(holds(type, "reduce_max\"(%x) {axes = array<i64: 1>}",
                    "tensor<4x1xf32>"));
  EXPECT_TRUE(holds(type, "reshape\"(%x)", "tensor<8x3xf32>"));
  EXPECT_FALSE(holds(type, "reshape\"(%x)", "tensor<3x8xf32>"));
  EXPECT_EQ(why, "a reshape neither splits nor merges dimensions");
}

TEST_F(LoopDomainTest, DiagonalsDoNotFit) {
  EXPECT_TRUE(failed(analyze("%x: tensor<4x4xf32>", R"(
    %s = graph.reduce_sum %x {axes = array<i64: 1>} : (tensor<4x4xf32>) -> tensor<4x1xf32>
    %t = graph.transpose %s {permutation = array<i64: 1, 0>} : (tensor<4x1xf32>) -> tensor<1x4xf32>
    %r = graph.add %x, %t : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>)",
                             "%r", "tensor<4x4xf32>")));
  EXPECT_EQ(why, "a value is read along a diagonal");
}

TEST_F(LoopDomainTest, SymbolsSplitAndMergeExactly) {
  auto dims = [](const std::string &shape, const std::string &dims) {
    return "tensor<" + shape + "xf32, #graph.dims<[" + dims + "]>>";
  };
  std::string rows = dims("?x?x12", R"("b", "s", 12)");
  EXPECT_TRUE(holds(rows, "reshape\"(%x)", dims("?x12", R"("b" * "s", 12)")));
  EXPECT_TRUE(
      holds(rows, "reshape\"(%x)", dims("?x?x3x4", R"("b", "s", 3, 4)")));
  EXPECT_FALSE(holds(rows, "reshape\"(%x)", dims("?x?", R"("b", 12 * "t")")));
  EXPECT_EQ(why, "a reshape neither splits nor merges dimensions");
}

TEST_F(LoopDomainTest, WhatMayBeOneIsRepeated) {
  auto program = analyze(
      R"(%x: tensor<?xf32, #graph.dims<["m"]>>, %y: tensor<?xf32, #graph.dims<["n"]>>)",
      R"mlir(%r = graph.add %x, %y : (tensor<?xf32, #graph.dims<["m"]>>, tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xf32, #graph.dims<["broadcast(m, n)"]>>)mlir",
      "%r", R"mlir(tensor<?xf32, #graph.dims<["broadcast(m, n)"]>>)mlir");
  ASSERT_TRUE(succeeded(program)) << why;
  Attribute m = StringAttr::get(&context, "m");
  EXPECT_EQ(program->nodes[0].index[0].repeated, graph::Sizes{graph::Size(m)});
}
