//===- AccessTest.cpp - what operations state against what they do --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the accesses of every operation against the interpreter: an
// element is read where results change with it. Exact accesses name all of
// these and no other, the rest at least all of them.
//===----------------------------------------------------------------------===//
// LINK: TenonInterpreter TenonGraph MLIR LLVM
#include "dialects/Graph/Roles.h"
#include "lib/Interpreter/Interpreter.h"
#include "test/unit/GraphCases.h"
#include "test/unit/StatedAccesses.h"
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;
using namespace tenon;
using interp::Tensor;

namespace {
/// An operation's operands, filled with numbers that are changed one by one.
class Experiment {
public:
  Experiment(graph::TensorOpInterface op, int64_t indexBound)
      : op(op), indexBound(indexBound) {}

  /// Fills operands anew and observes all changes of one element.
  void run(unsigned seed);

  /// Whether some change of an operand's element changed a result's.
  bool changes(Element operand, Element result) const {
    return changed.count({operand, result}) != 0;
  }
  const std::set<std::pair<Element, Element>> &all() const { return changed; }

private:
  std::vector<std::vector<char>> evaluate();
  void observe(Element element, const std::vector<std::vector<char>> &before);
  std::vector<double> alternatives(Type type, double number) const;
  double draw(Type type, std::mt19937 &random) const;
  static size_t widthOf(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return graph::elementBytes(type.getElementType());
  }

  graph::TensorOpInterface op;
  int64_t indexBound;
  std::vector<std::vector<char>> operands;
  std::vector<std::vector<double>> numbers;
  std::set<std::pair<Element, Element>> changed;
};

class AccessTest : public ::testing::Test {
protected:
  AccessTest() {
    context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  }

  /// The results of a module's operation on f32 or 8-bit numbers.
  void expectIdentity(const std::string &name, const std::string &element);

  MLIRContext context;
};
} // namespace

//===-- Numbers -----------------------------------------------------------===//

static void put(Type type, double number, char *bytes) {
  if (type.isF32()) {
    float value = number;
    std::memcpy(bytes, &value, sizeof value);
    return;
  }
  int64_t value = int64_t(number);
  std::memcpy(bytes, &value, graph::elementBytes(type));
}

double Experiment::draw(Type type, std::mt19937 &random) const {
  // Few different numbers, so that some are equal.
  if (type.isF32())
    return 0.25 * (1 + random() % 3);
  if (type.isInteger(32) || type.isInteger(64))
    return random() % indexBound;
  return type.isInteger(1) ? random() % 2 : 1 + random() % 6;
}

std::vector<double> Experiment::alternatives(Type type, double number) const {
  if (type.isF32())
    return {NAN, INFINITY, number + 3.7, -number - 1, 0.25, 0.5, 0.75};
  std::vector<double> all;
  int64_t bound = type.isInteger(1) ? 2 : 256;
  if (type.isInteger(32) || type.isInteger(64))
    bound = indexBound;
  for (int64_t value = 0; value < bound; ++value)
    all.push_back(value);
  return all;
}

//===-- Observation -------------------------------------------------------===//

std::vector<std::vector<char>> Experiment::evaluate() {
  SmallVector<Tensor> inputs;
  for (auto [type, bytes] : llvm::zip(op->getOperandTypes(), operands))
    inputs.push_back(Tensor::borrow(cast<RankedTensorType>(type), bytes));
  std::string reason;
  auto results = interp::evaluate(op, inputs, &reason);
  EXPECT_TRUE(succeeded(results)) << reason;
  std::vector<std::vector<char>> bytes;
  if (succeeded(results))
    for (const Tensor &result : *results)
      bytes.emplace_back(result.bytes().begin(), result.bytes().end());
  return bytes;
}

void Experiment::observe(Element element,
                         const std::vector<std::vector<char>> &before) {
  std::vector<std::vector<char>> after = evaluate();
  for (size_t number = 0; number < after.size(); ++number) {
    size_t width = widthOf(op->getResult(number));
    for (size_t at = 0; at * width < after[number].size(); ++at)
      if (std::memcmp(&after[number][at * width], &before[number][at * width],
                      width) != 0)
        changed.insert({element, {unsigned(number), int64_t(at)}});
  }
}

void Experiment::run(unsigned seed) {
  std::mt19937 random(seed);
  operands.clear();
  for (Value operand : op->getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    size_t width = widthOf(operand);
    std::vector<char> bytes(type.getNumElements() * width);
    for (size_t at = 0; at < bytes.size(); at += width)
      put(type.getElementType(), draw(type.getElementType(), random),
          &bytes[at]);
    operands.push_back(std::move(bytes));
  }
  std::vector<std::vector<char>> before = evaluate();
  ASSERT_EQ(before.size(), op->getNumResults());
  for (unsigned number = 0; number < operands.size(); ++number) {
    Value operand = op->getOperand(number);
    Type type = cast<RankedTensorType>(operand.getType()).getElementType();
    size_t width = widthOf(operand);
    for (size_t at = 0; at * width < operands[number].size(); ++at) {
      char *place = &operands[number][at * width];
      std::vector<char> kept(place, place + width);
      float own = 0;
      if (type.isF32())
        std::memcpy(&own, place, width);
      for (double alternative : alternatives(type, own)) {
        put(type, alternative, place);
        observe({number, int64_t(at)}, before);
      }
      llvm::copy(kept, place);
    }
  }
}

//===-- Tests -------------------------------------------------------------===//

static std::string nameOf(const GraphCase &one, Element operand,
                          Element result) {
  return one.name + " {" + one.attributes + "} : " + one.signature +
         ", operand " + std::to_string(operand.first) + " element " +
         std::to_string(operand.second) + ", result " +
         std::to_string(result.first) + " element " +
         std::to_string(result.second);
}

/// What is observed must be stated; what is stated exactly must be observed.
static void compare(const GraphCase &one, const StatedAccesses &stated,
                    const Experiment &experiment) {
  for (auto [operand, result] : experiment.all())
    EXPECT_TRUE(stated.mayRead(result, operand))
        << "not stated: " << nameOf(one, operand, result);
  for (auto [result, operands] : stated.mustRead())
    for (Element operand : operands)
      EXPECT_TRUE(experiment.changes(operand, result))
          << "not read: " << nameOf(one, operand, result);
}

TEST_F(AccessTest, OperationsReadWhatTheyState) {
  std::set<std::string> missing = statedOperations(context);
  EXPECT_GT(missing.size(), 50u);
  for (const GraphCase &one : graphCases()) {
    auto module = parseCase(one, context);
    ASSERT_TRUE(module) << one.name << " " << one.signature;
    graph::TensorOpInterface op = operationOf(*module);
    StatedAccesses stated(op);
    EXPECT_EQ(stated.problem(), "")
        << one.name << " {" << one.attributes << "} : " << one.signature;
    Experiment experiment(op, one.indexBound);
    for (unsigned seed = 0; seed < 8; ++seed)
      experiment.run(seed);
    compare(one, stated, experiment);
    missing.erase(one.name);
  }
  EXPECT_TRUE(missing.empty()) << "no case for " << *missing.begin();
}

TEST_F(AccessTest, ReductionDimensionsHaveAReduction) {
  for (const GraphCase &one : graphCases()) {
    auto module = parseCase(one, context);
    ASSERT_TRUE(module);
    graph::TensorOpInterface op = operationOf(*module);
    auto domain = op.getIterationDomain();
    bool reduces = llvm::any_of(
        domain.dims, [](graph::IterationDim dim) { return dim.isReduction(); });
    EXPECT_EQ(op.getReduction().has_value(), reduces) << one.name;
  }
}

void AccessTest::expectIdentity(const std::string &name,
                                const std::string &element) {
  GraphCase one{name, "axes = array<i64: 0>",
                "2x" + element + " -> 1x" + element};
  auto module = parseCase(one, context);
  ASSERT_TRUE(module);
  graph::TensorOpInterface op = operationOf(*module);
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  TypedAttr identity = op.getReduction()->identity;
  ASSERT_TRUE(identity);
  auto single = RankedTensorType::get({1}, type.getElementType());
  Tensor neutral = *Tensor::fromElements(
      DenseElementsAttr::get(single, ArrayRef<Attribute>(identity)));
  size_t width = neutral.bytes().size();
  std::vector<char> pair(2 * width);
  llvm::copy(neutral.bytes(), pair.begin());
  for (double number : {0.0, 1.0, 5.0, 100.0}) {
    put(type.getElementType(), number, &pair[width]);
    auto results = interp::evaluate(op, {Tensor::borrow(type, pair)});
    ASSERT_TRUE(succeeded(results));
    EXPECT_EQ(std::memcmp(results->front().bytes().data(), &pair[width], width),
              0)
        << name << " " << element << " " << number;
  }
}

TEST_F(AccessTest, IdentitiesChangeNothing) {
  for (const char *name :
       {"reduce_sum", "reduce_prod", "reduce_max", "reduce_min"})
    for (const char *element : {"f32", "i8", "ui8"})
      expectIdentity(name, element);
}
