//===- CheckStagesTest.cpp - boxes that are too small are found -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests that the check of groups of stages notices any box that lacks
// a single line of what the program needs.
//===----------------------------------------------------------------------===//
// LINK: TenonFuse TenonKernel TenonGraph MLIR LLVM
#include "passes/Fuse/CheckStages.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon;

/// Windows of 3 over windows of 3, tiles of 4 by 5 of the last result.
static constexpr const char *program = R"mlir(
func.func @main(%x: tensor<1x13x12x4xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x13x12x4xf32> {
  %r = kernel.group(%x, %w) {tile = #kernel.tile<dims = [1, 2], sizes = [4, 5]>} : (tensor<1x13x12x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x13x12x4xf32> {
  ^bb0(%a: tensor<1x13x12x4xf32>, %b: tensor<4x1x3x3xf32>):
    %s = kernel.stage(%a, %b) : (tensor<1x13x12x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x13x12x4xf32> {
    ^bb0(%i: tensor<1x13x12x4xf32>, %f: tensor<4x1x3x3xf32>):
      %0 = graph.conv %i, %f {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x13x12x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x13x12x4xf32>
      %1 = graph.relu %0 : (tensor<1x13x12x4xf32>) -> tensor<1x13x12x4xf32>
      kernel.yield %1 : tensor<1x13x12x4xf32>
    }
    %t = kernel.stage(%s, %b) : (tensor<1x13x12x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x13x12x4xf32> {
    ^bb0(%i: tensor<1x13x12x4xf32>, %f: tensor<4x1x3x3xf32>):
      %0 = graph.conv %i, %f {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x13x12x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x13x12x4xf32>
      kernel.yield %0 : tensor<1x13x12x4xf32>
    }
    kernel.yield %t : tensor<1x13x12x4xf32>
  }
  return %r : tensor<1x13x12x4xf32>
}
)mlir";

namespace {
class CheckStagesTest : public ::testing::Test {
protected:
  CheckStagesTest() {
    context.loadDialect<func::FuncDialect, graph::GraphDialect,
                        kernel::KernelDialect>();
    module = parseSourceString<ModuleOp>(program, &context);
    module->walk([&](kernel::GroupOp op) { group = op; });
  }

  /// What the middle tile computes.
  fuse::Boxes boxesOfMiddle() {
    fuse::Boxes boxes;
    auto stages = kernel::footprintsOf(group, {4, 5}, {4, 5});
    for (const kernel::StageFootprint &stage : *stages)
      boxes.insert(stage.values.begin(), stage.values.end());
    return boxes;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  kernel::GroupOp group;
};
} // namespace

TEST_F(CheckStagesTest, AcceptsWhatIsComputed) {
  fuse::StageChecker checker;
  EXPECT_TRUE(succeeded(checker.check(group)));
}

TEST_F(CheckStagesTest, RefusesAnyLineLess) {
  std::optional<fuse::GroupStatements> read = fuse::readGroup(group);
  ASSERT_TRUE(read);
  poly::Footprint needed = poly::footprintOf(read->scop, read->group);
  ScopedDiagnosticHandler silent(&context,
                                 [](Diagnostic &) { return success(); });
  fuse::Boxes whole = boxesOfMiddle();
  ASSERT_TRUE(succeeded(fuse::checkBoxes(*read, needed, {1, 1}, whole)));
  for (Operation *op : read->operations)
    for (size_t dim = 0; dim < 4; ++dim)
      for (int64_t low : {0, 1}) {
        fuse::Boxes less = whole;
        kernel::BoxDim &side = less[op->getResult(0)][dim];
        side.offset += low;
        --side.span;
        EXPECT_TRUE(failed(fuse::checkBoxes(*read, needed, {1, 1}, less)))
            << op->getName().getStringRef().str() << " " << dim;
      }
}
