//===- DifferentiateTest.cpp - gradients against finite differences -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the gradient of every operation against central differences
// in f64, and against exact values where differences have no limit: at ties and
// bounds. Operations without a gradient must say so.
//===----------------------------------------------------------------------===//
// LINK: TenonDifferentiate TenonInterpreter TenonGraph MLIR LLVM
#include "lib/Interpreter/Interpreter.h"
#include "mlir/IR/Verifier.h"
#include "passes/Differentiate/Build.h"
#include "passes/Differentiate/Gradient.h"
#include "test/unit/GraphCases.h"
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;
using interp::Tensor;

namespace {

//===-- Numbers -----------------------------------------------------------===//

/// From where to where the operands of an operation are drawn.
std::pair<double, double> rangeOf(StringRef operation) {
  if (operation == "acosh")
    return {1.2, 3.0};
  if (operation == "asin" || operation == "acos" || operation == "atanh" ||
      operation == "tan")
    return {-0.9, 0.9};
  bool needsPositive = llvm::is_contained(
      {"log", "sqrt", "rsqrt", "pow", "div", "reciprocal", "mod"}, operation);
  return needsPositive ? std::pair(0.3, 2.0) : std::pair(-2.0, 2.0);
}

/// Numbers no two of which are near each other.
double numberAt(unsigned operand, int64_t element, double low, double high) {
  double place = 0.6180339887498949 * double(element + 1) + 0.387 * operand;
  return low + (high - low) * (place - std::floor(place));
}

Tensor tensorOf(RankedTensorType type, ArrayRef<double> numbers) {
  Tensor tensor = Tensor::allocate(type);
  char *bytes = tensor.mutableBytes().data();
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (type.getElementType().isF64())
      std::memcpy(bytes + 8 * i, &numbers[i], 8);
    else if (type.getElementType().isInteger(1))
      bytes[i] = numbers[i] != 0;
    else {
      int64_t integer = int64_t(numbers[i]);
      size_t width = graph::elementBytes(type.getElementType());
      std::memcpy(bytes + width * i, &integer, width);
    }
  }
  return tensor;
}

std::vector<double> numbersOf(const Tensor &tensor) {
  std::vector<double> numbers(tensor.size());
  std::memcpy(numbers.data(), tensor.bytes().data(), tensor.bytes().size());
  return numbers;
}

bool isReal(Value value) { return typeOf(value).getElementType().isF64(); }

//===-- Programs ----------------------------------------------------------===//

/// A function of one result with its gradients, and what it is called with.
class Subject {
public:
  explicit Subject(ModuleOp module)
      : program(*module.getOps<func::FuncOp>().begin()) {}

  /// The sum of all results, each element times its seed.
  Value sumOf(ArrayRef<Value> results, bool ones);
  void returns(ArrayRef<Value> values);
  /// Returns `results` with seeds, and the gradients of all real arguments.
  /// Fails where there is no rule; false where nothing depends on them.
  FailureOr<bool> differentiate(ArrayRef<Value> results, bool ones);
  void draw(StringRef operation, int64_t indexBound);
  std::vector<double> run();

  func::FuncOp program;
  std::vector<std::vector<double>> arguments;
};

Value Subject::sumOf(ArrayRef<Value> results, bool ones) {
  OpBuilder builder(program.front().getTerminator());
  Build g(builder, program.getLoc());
  Value all;
  for (auto [number, result] : llvm::enumerate(results)) {
    std::vector<double> seeds(typeOf(result).getNumElements(), 1.0);
    for (size_t i = 0; !ones && i < seeds.size(); ++i)
      seeds[i] = numberAt(unsigned(7 + number), int64_t(i), 0.5, 1.5);
    Value product = g.mul(result, g.numbers(seeds, typeOf(result)));
    Value sum = g.sumTo(product, {});
    all = all ? g.add(all, sum) : sum;
  }
  return all;
}

void Subject::returns(ArrayRef<Value> values) {
  program.front().getTerminator()->setOperands(values);
  program.setType(FunctionType::get(program.getContext(),
                                    program.getArgumentTypes(),
                                    ValueRange(values).getTypes()));
}

FailureOr<bool> Subject::differentiate(ArrayRef<Value> results, bool ones) {
  Value all = sumOf(results, ones);
  OpBuilder builder(program.front().getTerminator());
  Build g(builder, program.getLoc());
  SmallVector<Value> wanted;
  llvm::copy_if(program.getArguments(), std::back_inserter(wanted), isReal);
  auto gradients = buildGradients(builder, all, g.number(1, all), wanted);
  if (failed(gradients))
    return failure();
  bool depends = llvm::any_of(*gradients, [](Value v) { return bool(v); });
  SmallVector<Value> returned = {all};
  for (auto [gradient, value] : llvm::zip(*gradients, wanted))
    returned.push_back(gradient ? gradient : g.filled(0, typeOf(value)));
  returns(returned);
  return depends;
}

void Subject::draw(StringRef operation, int64_t indexBound) {
  auto [low, high] = rangeOf(operation);
  for (auto [operand, argument] : llvm::enumerate(program.getArguments())) {
    std::vector<double> numbers(typeOf(argument).getNumElements());
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = isReal(argument) ? numberAt(operand, int64_t(i), low, high)
                   : indexBound     ? double(int64_t(i * 7 + 2) % indexBound)
                                    : double(i % 2);
    arguments.push_back(numbers);
  }
}

/// All results, one after the other.
std::vector<double> Subject::run() {
  SmallVector<Tensor> inputs;
  for (auto [argument, numbers] : llvm::zip(program.getArguments(), arguments))
    inputs.push_back(tensorOf(typeOf(argument), numbers));
  auto outputs = interp::interpretFunction(program, inputs);
  std::vector<double> all;
  if (failed(outputs))
    return all;
  for (const Tensor &output : *outputs)
    llvm::append_range(all, numbersOf(output));
  return all;
}

/// Of what a program returns.
SmallVector<Value> realResults(Subject &subject) {
  SmallVector<Value> results;
  llvm::copy_if(subject.program.front().getTerminator()->getOperands(),
                std::back_inserter(results), isReal);
  return results;
}

/// Central differences of the first result against the others.
void expectDifferences(Subject &subject, const std::string &name) {
  std::vector<double> results = subject.run();
  ASSERT_FALSE(results.empty()) << name;
  double scale = 1;
  for (double number : ArrayRef(results).drop_front())
    scale = std::max(scale, std::abs(number));
  size_t at = 1;
  for (auto [argument, numbers] :
       llvm::zip(subject.program.getArguments(), subject.arguments)) {
    if (!isReal(argument))
      continue;
    for (double &number : numbers) {
      const double before = number, step = 1e-5;
      number = before + step;
      double above = subject.run().front();
      number = before - step;
      double below = subject.run().front();
      number = before;
      EXPECT_NEAR((above - below) / (2 * step), results[at], 2e-8 * scale)
          << name << ", derivative " << at;
      ++at;
    }
  }
  EXPECT_EQ(at, results.size()) << name;
}

class DifferentiateTest : public ::testing::Test {
protected:
  DifferentiateTest() {
    context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  }

  /// Parses a function that returns its results.
  OwningOpRef<ModuleOp> parse(const std::string &body) {
    return parseSourceString<ModuleOp>(body, &context);
  }
  void expectLoops(const std::string &text, const std::string &name);

  MLIRContext context;
};

/// The same with all numbers in f64.
GraphCase inDoubles(GraphCase one) {
  for (size_t at; (at = one.signature.find("f32")) != std::string::npos;)
    one.signature.replace(at, 3, "f64");
  return one;
}

/// Beside those of all tests, what their types leave out.
std::vector<GraphCase> differentiatedCases() {
  std::vector<GraphCase> cases = graphCases();
  const std::string strides = "strides = array<i64: 2, 2>, pads = array<i64: ";
  const std::string rest = ">, dilations = array<i64: 1, 1>";
  const std::string kernel = ", kernel = array<i64: 2, 2>";
  const std::string halves = ", coordinate_mode = #graph<coordinate_mode "
                             "half_pixel>, nearest_mode = #graph<nearest_mode "
                             "floor>";
  cases.insert(
      cases.end(),
      {{"mod", "", "2x3xf32 3xf32 -> 2x3xf32"},
       {"mod", "fmod = true", "2x3xf32 3xf32 -> 2x3xf32"},
       {"cast", "", "2x3xf32 -> 2x3xf64"},
       {"matmul", "", "2x3x4xf32 4x5xf32 -> 2x3x5xf32"},
       {"matmul", "transpose_rhs", "2x3x4xf32 5x4xf32 -> 2x3x5xf32"},
       {"matmul", "transpose_lhs, transpose_rhs",
        "2x4x3xf32 5x4xf32 -> 2x3x5xf32"},
       // Interpolation along several dimensions, of parts, to fewer elements.
       {"resize",
        "scales = array<f32: 1.0, 1.5, 2.0>, mode = #graph<resize_mode cubic>"
        ", exclude_outside = true" +
            halves,
        "2x4x3xf32 -> 2x6x6xf32"},
       {"resize",
        "scales = array<f32: 0.5, 1.0>, mode = #graph<resize_mode linear>, "
        "antialias = true" +
            halves,
        "6x2xf32 -> 3x2xf32"},
       {"resize",
        "scales = array<f32: 1.5, 1.0>, mode = #graph<resize_mode linear>, "
        "extrapolation_value = 3.0 : f32, roi = array<f32: 0.1, -0.5, 0.8, "
        "1.2>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, "
        "nearest_mode = #graph<nearest_mode floor>",
        "4x3xf32 -> 6x3xf32"},
       // Rows that no window reads.
       {"conv", strides + "0, 0, 0, 0" + rest,
        "2x2x6x7xf32 3x2x3x2xf32 -> 2x3x2x3xf32"},
       {"conv_transpose",
        strides + "0, 1, 1, 0" + rest + ", output_padding = array<i64: 3, 1>",
        "1x2x3x2xf32 2x3x3x2xf32 -> 1x3x9x4xf32"},
       {"max_pool", strides + "0, 0, 0, 0" + rest + kernel,
        "1x2x5x4xf32 -> 1x2x2x2xf32"},
       // The last windows hang over the end.
       {"max_pool", strides + "1, 0, 0, 0" + rest + kernel,
        "1x1x5x5xf32 -> 1x1x3x3xf32"},
       {"avg_pool", strides + "1, 0, 0, 0" + rest + kernel,
        "1x1x5x5xf32 -> 1x1x3x3xf32"},
       {"pad",
        "low = array<i64: -1, 2>, high = array<i64: 2, -1>, mode = "
        "#graph<pad_mode reflect>",
        "4x4xf32 -> 5x5xf32"},
       {"gather_elements", "axis = 1 : i64", "3x4xf32 3x1xi64 -> 3x1xf32", 4},
       {"reduce_prod", "axes = array<i64: 2>", "2x3x1xf32 -> 2x3x1xf32"}});
  return cases;
}

std::string nameOf(const GraphCase &one) {
  return one.name + " {" + one.attributes + "} " + one.signature;
}

//===-- Every operation ---------------------------------------------------===//

TEST_F(DifferentiateTest, EveryOperationIsToldApart) {
  std::set<std::string> cases;
  for (const GraphCase &one : differentiatedCases())
    cases.insert(one.name);
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "graph")
      continue;
    auto known = differentiabilityOf(name.getStringRef());
    EXPECT_NE(known, Differentiability::Unknown) << name.getStringRef().str();
    // Loops are no cases, because they call functions.
    if (known == Differentiability::HasRule &&
        name.getStringRef() != graph::StepsOp::getOperationName())
      EXPECT_TRUE(cases.count(name.stripDialect().str()))
          << name.getStringRef().str() << " is not held against differences";
  }
}

TEST_F(DifferentiateTest, AgreesWithDifferences) {
  for (const GraphCase &drawn : differentiatedCases()) {
    GraphCase one = inDoubles(drawn);
    auto known = differentiabilityOf("graph." + one.name);
    if (known != Differentiability::HasRule)
      continue;
    auto module = parseCase(one, context);
    ASSERT_TRUE(module) << nameOf(one);
    Subject subject(*module);
    // What the operation becomes is what is returned in its place.
    Operation *exit = subject.program.front().getTerminator();
    exit->setOperands(operationOf(*module)->getResults());
    OwningOpRef<ModuleOp> whole = module->clone();
    expandForGradients(subject.program.front());
    SmallVector<Value> results = realResults(subject);
    if (results.empty())
      continue;
    FailureOr<bool> depends = subject.differentiate(results, false);
    ASSERT_TRUE(succeeded(depends)) << nameOf(one);
    EXPECT_TRUE(*depends) << nameOf(one);
    subject.draw(one.name, one.indexBound);
    expectDifferences(subject, nameOf(one));
    Subject original(*whole);
    original.returns(original.sumOf(realResults(original), false));
    original.arguments = subject.arguments;
    EXPECT_NEAR(original.run().front(), subject.run().front(), 1e-9)
        << nameOf(one);
  }
}

TEST_F(DifferentiateTest, SaysWhatHasNoGradient) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  for (const GraphCase &drawn : differentiatedCases()) {
    GraphCase one = inDoubles(drawn);
    auto known = differentiabilityOf("graph." + one.name);
    auto module = parseCase(one, context);
    if (!module) // Weights are packed in f32 only.
      continue;
    Subject subject(*module);
    Operation *op = operationOf(*module);
    SmallVector<Value> results;
    llvm::copy_if(op->getResults(), std::back_inserter(results), isReal);
    if (results.empty() || known == Differentiability::HasRule)
      continue;
    message.clear();
    FailureOr<bool> depends = subject.differentiate(results, false);
    if (known == Differentiability::Constant) {
      ASSERT_TRUE(succeeded(depends)) << nameOf(one);
      EXPECT_FALSE(*depends) << nameOf(one);
      continue;
    }
    EXPECT_TRUE(failed(depends)) << nameOf(one);
    EXPECT_EQ(message, "'graph." + one.name + "' has no gradient yet");
  }
}

//===-- Exact values ------------------------------------------------------===//

struct Exact {
  GraphCase one;
  std::vector<std::vector<double>> arguments;
  std::vector<double> gradients; ///< of all real arguments, seeds are ones
};

std::vector<Exact> exactCases() {
  const double third = 1.0 / 3;
  const std::string row = "axes = array<i64: 1>";
  const std::string widths = "low = array<i64: 2>, high = array<i64: 1>, mode "
                             "= #graph<pad_mode ";
  const std::string pool =
      "kernel = array<i64: 3>, strides = array<i64: 1>, pads = array<i64: 0, "
      "0>, dilations = array<i64: 1>";
  return {
      {{"relu", "", "4xf64 -> 4xf64"}, {{0.0, -0.0, 1, -1}}, {0, 0, 1, 0}},
      {{"max", "", "4xf64 4xf64 -> 4xf64"},
       {{1, 2, 2, 0}, {1, 1, 3, 0}},
       {.5, 1, 0, .5, .5, 0, 1, .5}},
      {{"abs", "", "3xf64 -> 3xf64"}, {{-2, 0, 3}}, {-1, 0, 1}},
      {{"pow", "", "3xf64 3xf64 -> 3xf64"},
       {{0, 0, 2}, {2, 0, 0}},
       {0, 0, 0, 0, 0, std::log(2.0)}},
      {{"reduce_max", row, "2x3xf64 -> 2x1xf64"},
       {{1, 3, 3, 2, 2, 2}},
       {0, .5, .5, third, third, third}},
      {{"reduce_prod", row, "2x3xf64 -> 2x1xf64"},
       {{1, 0, 3, 0, 0, 2}},
       {0, 3, 0, 0, 0, 0}},
      {{"gather", "axis = 0 : i64", "3xf64 4xi64 -> 4xf64"},
       {{5, 6, 7}, {0, 2, 2, -1}},
       {1, 0, 3}},
      {{"pad", widths + "reflect>", "4xf64 -> 7xf64"},
       {{1, 2, 3, 4}},
       {1, 2, 3, 1}},
      {{"pad", widths + "edge>", "4xf64 -> 7xf64"},
       {{1, 2, 3, 4}},
       {3, 1, 1, 2}},
      {{"max_pool", pool, "1x1x3xf64 -> 1x1x1xf64"}, {{0, 0, 0}}, {1, 0, 0}},
      // Of updates of one row the last remains.
      {{"scatter", "", "2xf64 3xi64 3xf64 -> 2xf64"},
       {{1, 2}, {1, 1, -1}, {3, 4, 5}},
       {1, 0, 0, 0, 1}},
  };
}

TEST_F(DifferentiateTest, IsExactAtTiesAndBounds) {
  for (const Exact &exact : exactCases()) {
    auto module = parseCase(exact.one, context);
    ASSERT_TRUE(module) << nameOf(exact.one);
    Subject subject(*module);
    Operation *op = operationOf(*module);
    ASSERT_TRUE(succeeded(subject.differentiate({op->getResult(0)}, true)));
    subject.arguments = exact.arguments;
    std::vector<double> results = subject.run();
    ASSERT_FALSE(results.empty());
    results.erase(results.begin());
    EXPECT_EQ(results, exact.gradients) << nameOf(exact.one);
  }
}

//===-- Programs of several operations ------------------------------------===//

TEST_F(DifferentiateTest, SumsWhatUsersContribute) {
  auto module = parse(R"(
    func.func @main(%x: tensor<3x4xf64>, %i: tensor<2xi64>) -> tensor<2x3xf64> {
      %rows = graph.gather %x, %i {axis = 0 : i64} : (tensor<3x4xf64>, tensor<2xi64>) -> tensor<2x4xf64>
      %e = graph.exp %rows : (tensor<2x4xf64>) -> tensor<2x4xf64>
      %y = graph.matmul %e, %x {transpose_rhs} : (tensor<2x4xf64>, tensor<3x4xf64>) -> tensor<2x3xf64>
      return %y : tensor<2x3xf64>
    })");
  Subject subject(*module);
  Value y = subject.program.front().getTerminator()->getOperand(0);
  ASSERT_TRUE(succeeded(subject.differentiate({y}, false)));
  // The table is tied: the rows are added to what the product gives.
  int adds = 0;
  subject.program.walk([&](graph::ScatterOp op) {
    adds += op.getInput().getDefiningOp<graph::MatmulOp>() != nullptr;
  });
  EXPECT_EQ(adds, 1);
  subject.draw("", 3);
  expectDifferences(subject, "a tied table");
}

TEST_F(DifferentiateTest, LetsNoNaNThrough) {
  auto module = parse(R"(
    func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
      %zero = graph.constant dense<0.0> : tensor<f64>
      %one = graph.constant dense<1.0> : tensor<f64>
      %c = graph.greater %x, %zero : (tensor<3xf64>, tensor<f64>) -> tensor<3xi1>
      %safe = graph.select %c, %x, %one : (tensor<3xi1>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
      %l = graph.log %safe : (tensor<3xf64>) -> tensor<3xf64>
      %y = graph.select %c, %l, %zero : (tensor<3xi1>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
      return %y : tensor<3xf64>
    })");
  Subject subject(*module);
  Value y = subject.program.front().getTerminator()->getOperand(0);
  ASSERT_TRUE(succeeded(subject.differentiate({y}, true)));
  subject.arguments = {{-1, 2, 0.5}};
  std::vector<double> results = subject.run();
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(std::vector<double>(results.begin() + 1, results.end()),
            (std::vector<double>{0, 0.5, 2}));
}

TEST_F(DifferentiateTest, BoundsOfAClipBelongToTheOutside) {
  auto module = parse(R"(
    func.func @main(%x: tensor<5xf64>) -> tensor<5xf64> {
      %low = graph.constant dense<0.0> : tensor<f64>
      %high = graph.constant dense<6.0> : tensor<f64>
      %0 = graph.max %x, %low : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
      %y = graph.min %0, %high : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
      return %y : tensor<5xf64>
    })");
  Subject subject(*module);
  Value y = subject.program.front().getTerminator()->getOperand(0);
  ASSERT_TRUE(succeeded(subject.differentiate({y}, true)));
  subject.arguments = {{-1, 0, 3, 6, 7}};
  std::vector<double> results = subject.run();
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(std::vector<double>(results.begin() + 1, results.end()),
            (std::vector<double>{0, 0, 1, 0, 0}));
}

/// Programs of loops: all results, by all arguments.
void DifferentiateTest::expectLoops(const std::string &text,
                                    const std::string &name) {
  auto module = parse(text);
  ASSERT_TRUE(module);
  Subject subject(*module);
  expandForGradients(subject.program.front());
  SmallVector<Value> results(
      subject.program.front().getTerminator()->getOperands());
  ASSERT_TRUE(succeeded(subject.differentiate(results, false)));
  ASSERT_TRUE(succeeded(verify(*module)));
  subject.draw("", 0);
  expectDifferences(subject, name);
}

/// A result of each step and what the last one gave, a scan that is longer than
/// the loop, and weights that all steps read.
TEST_F(DifferentiateTest, RunsLoopsBackwards) {
  expectLoops(R"(
    func.func @main(%xs: tensor<5x3xf64>, %h: tensor<3xf64>, %w: tensor<3x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>) {
      %s = graph.exp %xs : (tensor<5x3xf64>) -> tensor<5x3xf64>
      %all, %last = graph.steps @body(%s, %h, %w) {count = 4 : i64, scans = 1 : i64, next = array<i64: 1>, stacked = array<i1: true, false>}
        : (tensor<5x3xf64>, tensor<3xf64>, tensor<3x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>)
      return %all, %last : tensor<4x3xf64>, tensor<3xf64>
    }
    func.func @body(%x: tensor<3xf64>, %h: tensor<3xf64>, %w: tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {graph.steps_body} {
      %row = graph.reshape %h : (tensor<3xf64>) -> tensor<1x3xf64>
      %p = graph.matmul %row, %w : (tensor<1x3xf64>, tensor<3x3xf64>) -> tensor<1x3xf64>
      %q = graph.reshape %p : (tensor<1x3xf64>) -> tensor<3xf64>
      %sum = graph.add %q, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %next = graph.tanh %sum : (tensor<3xf64>) -> tensor<3xf64>
      %out = graph.mul %next, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      return %out, %next : tensor<3xf64>, tensor<3xf64>
    })",
              "a loop");
}

/// Bodies stand behind those that call them, forwards and backwards.
TEST_F(DifferentiateTest, RunsLoopsInLoopsBackwards) {
  expectLoops(R"(
    func.func @main(%xs: tensor<3x2x4xf64>, %h: tensor<4xf64>, %w: tensor<4xf64>) -> tensor<4xf64> {
      %last = graph.steps @outer(%xs, %h, %w) {count = 3 : i64, scans = 1 : i64, next = array<i64: 0>, stacked = array<i1: false>}
        : (tensor<3x2x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      return %last : tensor<4xf64>
    }
    func.func @outer(%x: tensor<2x4xf64>, %h: tensor<4xf64>, %w: tensor<4xf64>) -> tensor<4xf64> attributes {graph.steps_body} {
      %last = graph.steps @inner(%x, %h, %w) {count = 2 : i64, scans = 1 : i64, next = array<i64: 0>, stacked = array<i1: false>}
        : (tensor<2x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %next = graph.mul %last, %w : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      return %next : tensor<4xf64>
    }
    func.func @inner(%x: tensor<4xf64>, %h: tensor<4xf64>, %w: tensor<4xf64>) -> tensor<4xf64> attributes {graph.steps_body} {
      %product = graph.mul %h, %w : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %sum = graph.add %product, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %next = graph.tanh %sum : (tensor<4xf64>) -> tensor<4xf64>
      return %next : tensor<4xf64>
    })",
              "a loop in a loop");
}

TEST_F(DifferentiateTest, RunsRecurrencesInLoopsBackwards) {
  expectLoops(R"(
    func.func @main(%xs: tensor<2x3x1x1x2xf64>, %h: tensor<1x1x2xf64>, %r: tensor<1x2x2xf64>) -> tensor<1x1x2xf64> {
      %last = graph.steps @body(%xs, %h, %r) {count = 2 : i64, scans = 1 : i64, next = array<i64: 0>, stacked = array<i1: false>}
        : (tensor<2x3x1x1x2xf64>, tensor<1x1x2xf64>, tensor<1x2x2xf64>) -> tensor<1x1x2xf64>
      return %last : tensor<1x1x2xf64>
    }
    func.func @body(%x: tensor<3x1x1x2xf64>, %h: tensor<1x1x2xf64>, %r: tensor<1x2x2xf64>) -> tensor<1x1x2xf64> attributes {graph.steps_body} {
      %0:3 = graph.recurrence %x, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
        : (tensor<3x1x1x2xf64>, tensor<1x2x2xf64>) -> (tensor<3x1x1x2xf64>, tensor<1x1x2xf64>, tensor<1x1x2xf64>)
      %next = graph.mul %0#1, %h : (tensor<1x1x2xf64>, tensor<1x1x2xf64>) -> tensor<1x1x2xf64>
      return %next : tensor<1x1x2xf64>
    })",
              "a recurrence in a loop");
}

/// The gradient of a gradient: ONNX's `Gradient` allows it.
TEST_F(DifferentiateTest, HasSecondOrders) {
  auto module = parse(R"(
    func.func @main(%x: tensor<5xf64>) -> tensor<5xf64> {
      %t = graph.tanh %x : (tensor<5xf64>) -> tensor<5xf64>
      %e = graph.exp %x : (tensor<5xf64>) -> tensor<5xf64>
      %y = graph.mul %t, %e : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
      return %y : tensor<5xf64>
    })");
  Subject subject(*module);
  Operation *exit = subject.program.front().getTerminator();
  OpBuilder builder(exit);
  Build g(builder, exit->getLoc());
  Value y = exit->getOperand(0);
  auto first = buildGradients(builder, y, g.filled(1, typeOf(y)),
                              {subject.program.getArgument(0)});
  ASSERT_TRUE(succeeded(first));
  ASSERT_TRUE(succeeded(subject.differentiate({first->front()}, false)));
  subject.draw("", 0);
  expectDifferences(subject, "tanh * exp, twice");
}

TEST_F(DifferentiateTest, VisitsOnlyWhatIsActive) {
  auto module = parse(R"(
    func.func @main(%x: tensor<2x3xf64>, %w: tensor<3x4xf64>) -> tensor<2x4xf64> {
      %y = graph.matmul %x, %w : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
      return %y : tensor<2x4xf64>
    })");
  func::FuncOp main = *module->getOps<func::FuncOp>().begin();
  Operation *exit = main.front().getTerminator();
  OpBuilder builder(exit);
  Build g(builder, exit->getLoc());
  Value y = exit->getOperand(0);
  auto gradients =
      buildGradients(builder, y, g.filled(1, typeOf(y)), {main.getArgument(1)});
  ASSERT_TRUE(succeeded(gradients));
  int products = 0;
  main.walk([&](graph::MatmulOp) { ++products; });
  EXPECT_EQ(products, 2) << "an input has no data gradient";
}

} // namespace
