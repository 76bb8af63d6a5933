//===- StageWorkTest.cpp - what a group does, as plain numbers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonCodegenCpu TenonKernel TenonGraph
#include "passes/Codegen/Groups/Work.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;

/// The work of the one group in `text`.
static cost::StageWork workOf(StringRef text) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, graph::GraphDialect,
                      kernel::KernelDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  cost::StageWork work;
  if (module)
    module->walk([&](kernel::GroupOp group) { work = codegen::workOf(group); });
  return work;
}

TEST(StageWorkTest, CountsElementwiseByKind) {
  cost::StageWork work = workOf(R"(
func.func @f(%x: tensor<40x60xf32>, %y: tensor<60xf32>) {
  %r = kernel.group (%x, %y)
      : (tensor<40x60xf32>, tensor<60xf32>) -> tensor<40x60xf32> {
  ^bb0(%a: tensor<40x60xf32>, %b: tensor<60xf32>):
    %0 = graph.add %a, %b
      : (tensor<40x60xf32>, tensor<60xf32>) -> tensor<40x60xf32>
    %1 = graph.exp %0 : (tensor<40x60xf32>) -> tensor<40x60xf32>
    kernel.yield %1 : tensor<40x60xf32>
  }
  return
})");
  EXPECT_EQ(work.fma, 0);
  EXPECT_EQ(work.plain, 2400);
  EXPECT_EQ(work.transcendental, 2400);
  EXPECT_EQ(work.bytesRead, 4 * (2400 + 60));
  EXPECT_EQ(work.bytesWritten, 4 * 2400);
  EXPECT_EQ(work.accesses, 2400 + 60 + 2400);
  EXPECT_EQ(work.lanes, 60);
  EXPECT_EQ(work.tiles, 1);
}

TEST(StageWorkTest, CountsProductsOnce) {
  cost::StageWork work = workOf(R"(
func.func @f(%x: tensor<64x32xf32>, %y: tensor<32x96xf32>) {
  %r = kernel.group (%x, %y)
      : (tensor<64x32xf32>, tensor<32x96xf32>) -> tensor<64x96xf32> {
  ^bb0(%a: tensor<64x32xf32>, %b: tensor<32x96xf32>):
    %0 = graph.matmul %a, %b
      : (tensor<64x32xf32>, tensor<32x96xf32>) -> tensor<64x96xf32>
    %1 = graph.relu %0 : (tensor<64x96xf32>) -> tensor<64x96xf32>
    kernel.yield %1 : tensor<64x96xf32>
  }
  return
})");
  EXPECT_EQ(work.fma, 64 * 32 * 96);
  EXPECT_EQ(work.plain, 64 * 96);
  EXPECT_EQ(work.bytesRead, 4 * (64 * 32 + 32 * 96));
  EXPECT_LT(work.accesses, 64 * 32 * 96);
  EXPECT_EQ(work.tiles, 24);
}

/// A depthwise window loads an element for each multiply-add.
TEST(StageWorkTest, WindowsUseNothingAgain) {
  cost::StageWork work = workOf(R"(
func.func @f(%x: tensor<1x10x10x16xf32>, %y: tensor<16x1x3x3xf32>) {
  %r = kernel.group (%x, %y)
      : (tensor<1x10x10x16xf32>, tensor<16x1x3x3xf32>)
     -> tensor<1x8x8x16xf32> {
  ^bb0(%a: tensor<1x10x10x16xf32>, %b: tensor<16x1x3x3xf32>):
    %0 = graph.conv %a, %b {group = 16, strides = array<i64: 1, 1>,
         pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>,
         layout = #graph<layout nhwc>}
      : (tensor<1x10x10x16xf32>, tensor<16x1x3x3xf32>)
     -> tensor<1x8x8x16xf32>
    kernel.yield %0 : tensor<1x8x8x16xf32>
  }
  return
})");
  EXPECT_EQ(work.fma, 8 * 8 * 16 * 9);
  EXPECT_GE(work.accesses, 8 * 8 * 16 * 9);
  EXPECT_EQ(work.bytesRead, 4 * (1600 + 144));
}

/// Rows that are not gathered are not read.
TEST(StageWorkTest, CountsTheRowsThatAreGathered) {
  cost::StageWork work = workOf(R"(
func.func @f(%x: tensor<1000x32xf32>, %y: tensor<5xi64>) {
  %r = kernel.group (%x, %y)
      : (tensor<1000x32xf32>, tensor<5xi64>) -> tensor<5x32xf32> {
  ^bb0(%a: tensor<1000x32xf32>, %b: tensor<5xi64>):
    %0 = graph.gather %a, %b {axis = 0}
      : (tensor<1000x32xf32>, tensor<5xi64>) -> tensor<5x32xf32>
    kernel.yield %0 : tensor<5x32xf32>
  }
  return
})");
  EXPECT_EQ(work.bytesRead, 5 * 32 * 4 + 5 * 8);
  EXPECT_EQ(work.elementBytes, 8);
}

/// Nor is what a slice leaves out.
TEST(StageWorkTest, CountsTheSlice) {
  cost::StageWork work = workOf(R"(
func.func @f(%x: tensor<1000x32xf32>) {
  %r = kernel.group (%x) : (tensor<1000x32xf32>) -> tensor<10x32xf32> {
  ^bb0(%a: tensor<1000x32xf32>):
    %0 = graph.slice %a {starts = array<i64: 7, 0>, sizes = array<i64: 10, 32>,
                         steps = array<i64: 1, 1>}
      : (tensor<1000x32xf32>) -> tensor<10x32xf32>
    kernel.yield %0 : tensor<10x32xf32>
  }
  return
})");
  EXPECT_EQ(work.bytesRead, 10 * 32 * 4);
  EXPECT_EQ(work.plain, 0);
}
