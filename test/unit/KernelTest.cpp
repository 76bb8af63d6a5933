//===- KernelTest.cpp - kernels against the interpreter -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles each group in kernels/*.mlir for each instruction set that
// this processor has, runs it on random operands, and compares every element
// with the interpreter. Bytes behind each result must stay untouched, and those
// between the rows of one that is a piece of a wider one.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonEmit TenonTargetCpu TenonInterpreter TenonKernel
// TenonGraph
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Layout/Views.h"

#include "mlir/Parser/Parser.h"
#include "test/unit/KernelRuns.h"
#include "test/unit/TestProcessors.h"

#include <filesystem>

using namespace mlir;
using namespace tenon;

static kernel::PlanAttr withParam(kernel::PlanAttr plan, StringRef name,
                                  int64_t value) {
  Builder b(plan.getContext());
  NamedAttrList params(plan.getParams());
  params.set(name, b.getI64IntegerAttr(value));
  return kernel::PlanAttr::get(plan.getContext(), plan.getStrategy(),
                               params.getDictionary(plan.getContext()));
}

/// The plan with its decision to split steps reversed; null if it has none.
static kernel::PlanAttr otherSplit(kernel::PlanAttr plan) {
  if (!plan.getParams().contains("split"))
    return nullptr;
  return withParam(plan, "split", !plan.getInt("split"));
}

/// The plan with results going past the caches, as those of large tensors do;
/// null where they can't.
static kernel::PlanAttr streaming(kernel::PlanAttr plan,
                                  const tile::Target &target) {
  if (!plan.getParams().contains("transposed") || !target.hasStreams())
    return nullptr;
  return withParam(plan, "stream", 1);
}

/// Results begin `behind` bytes behind a line.
static void check(func::FuncOp function, const codegen::StagePlan &plan,
                  const cpu::CpuTarget &target, double slack,
                  size_t behind = 0) {
  SCOPED_TRACE((function.getName() + " on " + target.cpu).str());
  auto group = *function.getOps<kernel::GroupOp>().begin();
  test::CompiledKernel kernel = test::compile(group, plan, target);
  ASSERT_TRUE(kernel.code);
  test::compareWithInterpreter(function, kernel, plan,
                               kernel.info.tiles.fixed(), slack, behind);
}

/// Once more with results that are pieces of wider ones, where the strategy can
/// have that.
static void checkPieces(func::FuncOp function, const codegen::StagePlan &plan,
                        const cpu::CpuTarget &target, double slack) {
  SCOPED_TRACE((function.getName() + " in pieces on " + target.cpu).str());
  auto group = *function.getOps<kernel::GroupOp>().begin();
  group.setPlanAttr(plan.plan);
  test::Pieces pieces;
  for (auto [i, value] : llvm::enumerate(group.getResults_()))
    pieces.push_back(
        codegen::canAddressBuffer(group, group.getNumOperands() + unsigned(i),
                                  {test::pieceType(value), /*byteOffset=*/0}));
  group.removePlanAttr();
  if (!llvm::is_contained(pieces, true))
    return;
  test::CompiledKernel kernel = test::compile(group, plan, target, pieces);
  ASSERT_TRUE(kernel.code);
  test::compareWithInterpreter(function, kernel, plan,
                               kernel.info.tiles.fixed(), slack, /*behind=*/0,
                               /*sizes=*/{}, pieces);
}

/// With the planner's plan, and with others where there are.
static void check(func::FuncOp function, const cpu::CpuTarget &target,
                  double slack, tile::WinogradUse winograd) {
  auto group = *function.getOps<kernel::GroupOp>().begin();
  auto plan = test::planFor(group, *target.row, {winograd});
  ASSERT_TRUE(succeeded(plan));
  check(function, *plan, target, slack);
  checkPieces(function, *plan, target, slack);
  codegen::StagePlan other = *plan;
  other.plan = otherSplit(plan->plan);
  if (other.plan)
    check(function, other, target, slack);
  other.plan = streaming(plan->plan, *target.row);
  for (size_t behind : {0, 8})
    if (other.plan)
      check(function, other, target, slack, behind);
}

//===-- All kernels of a file ------------------------------------------===//

/// `slack`: by how much errors grow on the way.
static void checkModule(ModuleOp module, double slack = 1,
                        tile::WinogradUse winograd = tile::WinogradUse::Off) {
  for (const std::string &name : test::processors()) {
    auto target = cpu::resolveCpu(name);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    for (auto function : module.getOps<func::FuncOp>())
      check(function, *target, slack, winograd);
  }
}

static void checkFile(StringRef name, double slack = 1,
                      tile::WinogradUse winograd = tile::WinogradUse::Off) {
  MLIRContext context;
  test::loadDialects(context);
  std::filesystem::path path =
      std::filesystem::path(TENON_UNIT_TESTS) / "kernels" / name.str();
  auto module = parseSourceFile<ModuleOp>(path.string(), &context);
  ASSERT_TRUE(module);
  checkModule(*module, slack, winograd);
}

TEST(Kernel, RefusesWhatIsNotElementwise) {
  MLIRContext context;
  context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(
      "func.func @f(%x: tensor<4xf32>) -> tensor<1xf32> {\n"
      "  %0 = graph.reduce_sum %x {axes = array<i64: 0>}"
      " : (tensor<4xf32>) -> tensor<1xf32>\n"
      "  return %0 : tensor<1xf32>\n}",
      &context);
  ASSERT_TRUE(module);
  context.loadDialect<arith::ArithDialect, LLVM::LLVMDialect>();
  codegen::CalledFunction function(*module, module->getLoc(), "k", 0);
  codegen::KernelBuilder b(function, module->getLoc(),
                           *tile::findTarget("baseline"));
  Operation *reduce = nullptr;
  module->walk([&](graph::ReduceSumOp op) { reduce = op; });
  EXPECT_TRUE(failed(codegen::emitElementwise(b, reduce, {}, 4)));
  EXPECT_NE(message.find("has no element-wise code for"), std::string::npos);
}

TEST(Kernel, Loops) { checkFile("loops.mlir"); }
TEST(Kernel, Move) { checkFile("move.mlir"); }
TEST(Kernel, Pool) { checkFile("pool.mlir"); }
TEST(Kernel, Average) { checkFile("average.mlir"); }
TEST(Kernel, ConvTranspose) { checkFile("conv-transpose.mlir"); }
TEST(Kernel, Dots) { checkFile("dots.mlir"); }
TEST(Kernel, Recurrent) { checkFile("recurrent.mlir"); }

//===-- Recurrences of many sizes --------------------------------------===//

namespace {
struct Layer {
  const char *cell, *activations;
  int64_t gates;
  bool linearBeforeReset = false;
};
} // namespace

/// Three steps in both directions.
static constexpr StringLiteral layerBody = R"mlir(
func.func @layer(%g: !gates, %m: !matrix, %l: !lengths, %h: !state)
    -> (!all, !state, !state) {
  %r:3 = kernel.group(%g, %m, %l, %h)
      : (!gates, !matrix, !lengths, !state) -> (!all, !state, !state) {
  ^bb0(%a: !gates, %b: !matrix, %c: !lengths, %d: !state):
    %0:3 = "graph.recurrence"(%a, %b, %c, %d) <{
      operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0>, cell = #cell,
      direction = #graph<direction bidirectional>, activations = #functions,
      linear_before_reset = #after}>
      : (!gates, !matrix, !lengths, !state) -> (!all, !state, !state)
    kernel.yield %0#0, %0#1, %0#2 : !all, !state, !state
  }
  return %r#0, %r#1, %r#2 : !all, !state, !state
})mlir";

static std::string layerText(const Layer &layer, int64_t hidden,
                             int64_t batch) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto tensor = [&](StringRef name, std::initializer_list<int64_t> shape,
                    StringRef element) {
    stream << "!" << name << " = tensor<";
    for (int64_t size : shape)
      stream << size << "x";
    stream << element << ">\n";
  };
  tensor("gates", {3, 2, batch, layer.gates * hidden}, "f32");
  tensor("matrix", {2, hidden, layer.gates * hidden}, "f32");
  tensor("lengths", {batch}, "i32");
  tensor("state", {2, batch, hidden}, "f32");
  tensor("all", {3, 2, batch, hidden}, "f32");
  stream << "#cell = #graph<cell " << layer.cell << ">\n#functions = ["
         << layer.activations << ", " << layer.activations
         << "]\n#after = " << (layer.linearBeforeReset ? "true" : "false")
         << layerBody;
  return text;
}

TEST(Kernel, RecurrentSizes) {
  const Layer layers[] = {
      {"lstm", "\"Sigmoid\", \"Tanh\", \"Tanh\"", 4},
      {"gru", "\"Sigmoid\", \"Tanh\"", 3},
      {"gru", "\"Sigmoid\", \"Tanh\"", 3, true},
      {"rnn", "\"Tanh\"", 1},
  };
  MLIRContext context;
  test::loadDialects(context);
  int64_t number = 0;
  for (int64_t hidden : {1, 7, 16, 17, 33, 48, 100})
    for (const Layer &layer : layers) {
      int64_t batch = 1 + number++ % 5;
      SCOPED_TRACE(
          ("batch " + Twine(batch) + ", hidden " + Twine(hidden)).str());
      auto module = parseSourceString<ModuleOp>(layerText(layer, hidden, batch),
                                                &context);
      ASSERT_TRUE(module);
      checkModule(*module, /*slack=*/5);
    }
}

TEST(Kernel, Elementwise) { checkFile("elementwise.mlir"); }
TEST(Kernel, Products) { checkFile("products.mlir"); }
TEST(Kernel, Winograd) {
  checkFile("products.mlir", /*slack=*/10, tile::WinogradUse::Max);
}
