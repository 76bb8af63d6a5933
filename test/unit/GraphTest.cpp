//===- GraphTest.cpp - the mathematics that operations state --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests iteration domains, accesses, costs, shapes and constraints.
//===----------------------------------------------------------------------===//
// LINK: TenonGraph MLIR LLVM
#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Shapes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon::graph;

namespace {
class GraphTest : public ::testing::Test {
protected:
  GraphTest() { context.loadDialect<GraphDialect, func::FuncDialect>(); }

  /// The first graph operation of a function with these arguments.
  TensorOpInterface parse(const std::string &arguments,
                          const std::string &operation) {
    std::string text =
        "func.func @f(" + arguments + ") {\n" + operation + "\nreturn\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    TensorOpInterface found;
    if (module)
      module->walk([&](TensorOpInterface op) {
        if (!found)
          found = op;
      });
    return found;
  }

  RankedTensorType type(const std::string &text) {
    return cast<RankedTensorType>(parseType(text, &context));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static std::string textOf(const Access &access) {
  const char *kinds[] = {"", " over", " gather"};
  const char *outside[] = {" nothing", " zero",    " value",
                           " edge",    " reflect", " wrap"};
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(access.map.getResults(), os);
  os << kinds[int(access.kind)];
  if (access.outside)
    os << outside[int(*access.outside)];
  return text;
}

TEST_F(GraphTest, BroadcastReadsElementZero) {
  auto op = parse("%x: tensor<2x1x4xf32>, %y: tensor<3x1xf32>",
                  "%0 = graph.add %x, %y : (tensor<2x1x4xf32>, "
                  "tensor<3x1xf32>) -> tensor<2x3x4xf32>");
  ASSERT_TRUE(op);
  auto accesses = op.getAccesses();
  ASSERT_EQ(accesses.size(), 3u);
  EXPECT_EQ(textOf(accesses[0]), "d0, 0, d2");
  EXPECT_EQ(textOf(accesses[1]), "d1, 0");
  EXPECT_EQ(textOf(accesses[2]), "d0, d1, d2");
  EXPECT_EQ(op.getIterationDomain().size(), 24);
  EXPECT_EQ(op.getCost().flops, 24);
  EXPECT_EQ(op.getCost().bytesRead, 32 + 12);
  EXPECT_EQ(op.getCost().bytesWritten, 96);
}

TEST_F(GraphTest, SymbolBesideASizeMayBeOne) {
  auto op = parse("%x: tensor<?x4xf32, #graph.dims<[\"n\", 4]>>, %y: "
                  "tensor<3x4xf32>, %z: tensor<4xf32>",
                  "%0 = graph.add %x, %y : (tensor<?x4xf32, "
                  "#graph.dims<[\"n\", 4]>>, tensor<3x4xf32>) -> "
                  "tensor<3x4xf32>");
  ASSERT_TRUE(op);
  EXPECT_EQ(textOf(op.getAccesses()[0]), "s0, d1 over");
  EXPECT_EQ(textOf(op.getAccesses()[1]), "d0, d1");
  // Beside itself, and under a size of 1, it is what it is.
  op = parse("%x: tensor<?x4xf32, #graph.dims<[\"n\", 4]>>, %z: "
             "tensor<1x4xf32>",
             "%0 = graph.add %x, %z : (tensor<?x4xf32, #graph.dims<[\"n\", "
             "4]>>, tensor<1x4xf32>) -> tensor<?x4xf32, #graph.dims<[\"n\", "
             "4]>>");
  ASSERT_TRUE(op);
  EXPECT_EQ(textOf(op.getAccesses()[0]), "d0, d1");
  EXPECT_EQ(textOf(op.getAccesses()[1]), "0, d1");
  auto domain = op.getIterationDomain();
  EXPECT_EQ(domain.dims[0].extent, StringAttr::get(&context, "n"));
  EXPECT_EQ(domain.size(), std::nullopt);
}

TEST_F(GraphTest, StepsOfARecurrenceReadTheStepBefore) {
  auto op = parse(
      "%g: tensor<3x1x2x4xf32>, %r: tensor<1x4x4xf32>",
      "%0:3 = graph.recurrence %g, %r {cell = #graph<cell rnn>, direction = "
      "#graph<direction reverse>, activations = [\"Tanh\"], "
      "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>} : "
      "(tensor<3x1x2x4xf32>, tensor<1x4x4xf32>) -> (tensor<3x1x2x4xf32>, "
      "tensor<1x2x4xf32>, tensor<1x2x4xf32>)");
  ASSERT_TRUE(op);
  auto domain = op.getIterationDomain();
  EXPECT_EQ(domain.dims[0].kind, DimKind::Sequential);
  auto accesses = op.getAccesses();
  ASSERT_EQ(accesses.size(), 6u);
  EXPECT_EQ(textOf(accesses[0]), "d0, d1, d2, d3");
  // Without an initial state the first step multiplies zeros.
  EXPECT_EQ(textOf(accesses[1]), "d1, d4, d3 over");
  EXPECT_EQ(textOf(accesses[2]), "d0 + 1, d1, d2, d4 zero");
  EXPECT_TRUE(accesses[2].ofResult && !accesses[2].writes);
  EXPECT_EQ(accesses[2].valueIn(op), op->getResult(0));
  EXPECT_TRUE(accesses[3].writes);
}

TEST_F(GraphTest, MatmulReducesOverDepth) {
  auto op = parse("%x: tensor<5x2x3xf32>, %y: tensor<4x3xf32>",
                  "%0 = graph.matmul %x, %y {transpose_rhs} : "
                  "(tensor<5x2x3xf32>, tensor<4x3xf32>) -> tensor<5x2x4xf32>");
  ASSERT_TRUE(op);
  auto accesses = op.getAccesses();
  EXPECT_EQ(textOf(accesses[0]), "d0, d1, d3");
  EXPECT_EQ(textOf(accesses[1]), "d2, d3");
  EXPECT_EQ(textOf(accesses[2]), "d0, d1, d2");
  auto domain = op.getIterationDomain();
  ASSERT_EQ(domain.dims.size(), 4u);
  EXPECT_TRUE(domain.dims[3].isReduction());
  EXPECT_EQ(sizeOf(domain.dims[3].extent), 3);
  EXPECT_EQ(op.getCost().flops, 2 * 5 * 2 * 4 * 3);
}

TEST_F(GraphTest, GroupedConvolutionReadsItsGroup) {
  auto op = parse(
      "%x: tensor<1x4x9x9xf32>, %w: tensor<6x2x3x3xf32>",
      "%0 = graph.conv %x, %w {strides = array<i64: 2, 1>, pads = array<i64: "
      "1, 0, 1, 0>, dilations = array<i64: 1, 2>, group = 2 : i64} : "
      "(tensor<1x4x9x9xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x5x5xf32>");
  ASSERT_TRUE(op);
  auto accesses = op.getAccesses();
  EXPECT_EQ(textOf(accesses[0]),
            "d0, (d1 floordiv 3) * 2 + d4, d2 * 2 + d5 - 1, d3 + d6 * 2 "
            "zero");
  EXPECT_EQ(textOf(accesses[1]), "d1, d4, d5, d6");
  EXPECT_EQ(op.getCost().flops, 2 * 6 * 5 * 5 * 2 * 3 * 3);
}

TEST_F(GraphTest, ReshapeSplitsAndMergesByRuns) {
  auto op = parse("%x: tensor<2x6x5xf32>",
                  "%0 = graph.reshape %x : (tensor<2x6x5xf32>) -> "
                  "tensor<2x2x1x15xf32>");
  ASSERT_TRUE(op);
  auto accesses = op.getAccesses();
  // 2 | 2, and 6 x 5 | 2 x 1 x 15 through the linear index.
  EXPECT_TRUE(accesses[0].isPrecise());
  auto point = [&](ArrayRef<int64_t> at) {
    SmallVector<Attribute> in;
    for (int64_t value : at)
      in.push_back(IntegerAttr::get(IndexType::get(&context), value));
    SmallVector<Attribute> out;
    EXPECT_TRUE(succeeded(accesses[0].map.constantFold(in, out)));
    return llvm::map_to_vector(
        out, [](Attribute a) { return cast<IntegerAttr>(a).getInt(); });
  };
  for (int64_t a = 0; a < 2; ++a)
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t c = 0; c < 15; ++c) {
        int64_t linear = (a * 2 + b) * 15 + c;
        SmallVector<int64_t> expected = {linear / 30, linear / 5 % 6,
                                         linear % 5};
        EXPECT_EQ(point({a, b, 0, c}), expected);
      }
}

TEST_F(GraphTest, MovementShiftsIndices) {
  auto slice = parse("%x: tensor<9xf32>",
                     "%0 = graph.slice %x {starts = array<i64: 8>, sizes = "
                     "array<i64: 3>, steps = array<i64: -2>} : "
                     "(tensor<9xf32>) -> tensor<3xf32>");
  ASSERT_TRUE(slice);
  EXPECT_EQ(textOf(slice.getAccesses()[0]), "d0 * -2 + 8");
  auto pad = parse("%x: tensor<9xf32>, %v: tensor<f32>",
                   "%0 = graph.pad %x, %v {low = array<i64: 2>, high = "
                   "array<i64: 1>} : (tensor<9xf32>, tensor<f32>) -> "
                   "tensor<12xf32>");
  ASSERT_TRUE(pad);
  EXPECT_EQ(textOf(pad.getAccesses()[0]), "d0 - 2 value");
  EXPECT_EQ(textOf(pad.getAccesses()[1]), " over");
  auto concat = parse("%x: tensor<2x3xf32>, %y: tensor<2x4xf32>",
                      "%0 = graph.concat %x, %y {axis = 1 : i64} : "
                      "(tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>");
  ASSERT_TRUE(concat);
  EXPECT_EQ(textOf(concat.getAccesses()[1]), "d0, d1 - 3 nothing");
  auto gather = parse("%x: tensor<5x6x7xf32>, %i: tensor<2x3xi64>",
                      "%0 = graph.gather %x, %i {axis = 1 : i64} : "
                      "(tensor<5x6x7xf32>, tensor<2x3xi64>) -> "
                      "tensor<5x2x3x7xf32>");
  ASSERT_TRUE(gather);
  EXPECT_EQ(textOf(gather.getAccesses()[0]), "d0, s1, d3 gather");
  EXPECT_EQ(textOf(gather.getAccesses()[1]), "d1, d2");
}

TEST_F(GraphTest, ReductionKeepsParallelDimensionsFirst) {
  auto op = parse("%x: tensor<2x3x4xf32>",
                  "%0 = graph.reduce_sum %x {axes = array<i64: 0, 2>} : "
                  "(tensor<2x3x4xf32>) -> tensor<1x3x1xf32>");
  ASSERT_TRUE(op);
  EXPECT_EQ(textOf(op.getAccesses()[0]), "d1, d0, d2");
  EXPECT_EQ(textOf(op.getAccesses()[1]), "0, d0, 0");
}

TEST_F(GraphTest, BroadcastCarriesSymbols) {
  auto batch = type("tensor<?x1xf32, #graph.dims<[\"batch\", 1]>>");
  auto row = type("tensor<4xf32>");
  Type f32 = Float32Type::get(&context);
  auto joined = broadcastTypes({batch, row}, f32);
  ASSERT_TRUE(succeeded(joined));
  EXPECT_EQ(*joined, type("tensor<?x4xf32, #graph.dims<[\"batch\", 4]>>"));
  auto same = broadcastTypes({batch, batch}, f32);
  ASSERT_TRUE(succeeded(same));
  EXPECT_EQ(*same, batch);
  // Two unrelated symbols, of which one may be 1, make a third.
  auto other = type("tensor<?x1xf32, #graph.dims<[\"rows\", 1]>>");
  auto third = broadcastTypes({batch, other}, f32);
  ASSERT_TRUE(succeeded(third));
  EXPECT_EQ(*third,
            type("tensor<?x1xf32, #graph.dims<[\"broadcast(batch, rows)\", "
                 "1]>>"));
  EXPECT_EQ(*third, *broadcastTypes({other, batch}, f32));
  auto unknown = broadcastTypes({batch, type("tensor<?x1xf32>")}, f32);
  ASSERT_TRUE(succeeded(unknown));
  EXPECT_EQ(*unknown, type("tensor<?x1xf32>"));
  EXPECT_TRUE(failed(broadcastTypes({type("tensor<3xf32>"), row}, f32)));
}

TEST_F(GraphTest, RecurrentDecomposesIntoAProductAndARecurrence) {
  auto op = parse(
      "%x: tensor<7x2x3xf32>, %w: tensor<2x15x3xf32>, %r: "
      "tensor<2x15x5xf32>, %b: tensor<2x30xf32>",
      "%0:3 = graph.recurrent %x, %w, %r, %b {cell = #graph<cell gru>, "
      "direction = #graph<direction bidirectional>, activations = "
      "[\"Sigmoid\", \"Tanh\", \"Sigmoid\", \"Tanh\"], linear_before_reset = "
      "true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>} : "
      "(tensor<7x2x3xf32>, tensor<2x15x3xf32>, tensor<2x15x5xf32>, "
      "tensor<2x30xf32>) -> (tensor<7x2x2x5xf32>, tensor<2x2x5xf32>, "
      "tensor<2x2x5xf32>)");
  ASSERT_TRUE(op);
  OpBuilder builder(op);
  auto values = op.decompose(builder);
  ASSERT_TRUE(succeeded(values));
  auto step = values->front().getDefiningOp<RecurrenceOp>();
  ASSERT_TRUE(step);
  EXPECT_EQ(step.getGates().getType(), type("tensor<7x2x2x15xf32>"));
  EXPECT_EQ(step.getRecurrence().getType(), type("tensor<2x5x15xf32>"));
  ASSERT_TRUE(step.getBias());
  EXPECT_EQ(step.getBias().getType(), type("tensor<2x15xf32>"));
}

TEST_F(GraphTest, LrnDecomposesIntoShiftedSlices) {
  auto op = parse("%x: tensor<1x4x2x2xf32>",
                  "%0 = graph.lrn %x {size = 3 : i64, alpha = 1.0e-4 : f32, "
                  "beta = 0.75 : f32, bias = 1.0 : f32} : "
                  "(tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>");
  ASSERT_TRUE(op);
  OpBuilder builder(op);
  auto values = op.decompose(builder);
  ASSERT_TRUE(succeeded(values));
  EXPECT_EQ(values->front().getType(), type("tensor<1x4x2x2xf32>"));
  unsigned slices = 0;
  module->walk([&](SliceOp) { ++slices; });
  EXPECT_EQ(slices, 3u);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(GraphTest, ConstraintsAnswerForClasses) {
  ConstraintStore store;
  EXPECT_TRUE(succeeded(store.constrain("batch", {1, 32, 4})));
  EXPECT_TRUE(succeeded(store.constrain("rows", {2, 100, 6})));
  EXPECT_FALSE(store.equal("batch", "rows"));
  EXPECT_TRUE(succeeded(store.setEqual("rows", "batch")));
  EXPECT_TRUE(store.equal("batch", "rows"));
  EXPECT_EQ(store.range("rows"), (SymbolRange{2, 32, 12}));
  EXPECT_TRUE(failed(store.constrain("batch", {25, 35, 1})));
  EXPECT_EQ(store.range("batch"), (SymbolRange{2, 32, 12}));
  EXPECT_EQ(store.range("other"), SymbolRange());
}

TEST_F(GraphTest, ConstraintsSurviveTheirText) {
  ConstraintStore store;
  ASSERT_TRUE(succeeded(store.constrain("batch", {1, 32, 1})));
  ASSERT_TRUE(succeeded(store.setEqual("keys", "queries")));
  OwningOpRef<ModuleOp> holder = ModuleOp::create(UnknownLoc::get(&context));
  store.save(*holder);
  auto loaded = ConstraintStore::load(*holder);
  ASSERT_TRUE(succeeded(loaded));
  EXPECT_TRUE(loaded->equal("keys", "queries"));
  EXPECT_EQ(loaded->range("batch"), (SymbolRange{1, 32, 1}));
  EXPECT_EQ(loaded->toAttr(&context), store.toAttr(&context));
}
