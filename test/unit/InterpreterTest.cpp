//===- InterpreterTest.cpp - the reference interpreter --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what the self-checking programs of test/run cannot: tensors
// and attributes, that no operation is left out, and failures.
//===----------------------------------------------------------------------===//
// LINK: TenonInterpreter TenonGraph TenonKernel TenonCheck MLIR
#include "lib/Interpreter/Interpreter.h"

#include "dialects/Check/Check.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Kernel/Kernel.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace tenon;
using interp::Tensor;

namespace {

class InterpreterTest : public testing::Test {
protected:
  InterpreterTest() {
    context.loadDialect<func::FuncDialect, graph::GraphDialect,
                        check::CheckDialect, kernel::KernelDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += diagnostic.str() + "\n";
    });
  }

  RankedTensorType type(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  Type f32() { return Float32Type::get(&context); }
  Type i1() { return IntegerType::get(&context, 1); }

  template <typename T> Tensor borrow(RankedTensorType type, ArrayRef<T> data) {
    return Tensor::borrow(type, {reinterpret_cast<const char *>(data.data()),
                                 data.size() * sizeof(T)});
  }

  /// Parses a module and interprets its @main.
  FailureOr<SmallVector<Tensor>> run(StringRef body,
                                     ArrayRef<Tensor> inputs = {}) {
    module = parseSourceString<ModuleOp>(body, &context);
    EXPECT_TRUE(module) << errors;
    if (!module)
      return failure();
    return interp::interpretFunction(module->lookupSymbol<func::FuncOp>("main"),
                                     inputs);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string errors;
};

TEST_F(InterpreterTest, EveryGraphOperationHasSemantics) {
  int count = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    // Loops call a function, which Interpret.cpp does itself.
    if (name.getDialectNamespace() == "graph" &&
        name.getStringRef() != graph::StepsOp::getOperationName()) {
      EXPECT_TRUE(interp::hasSemantics(name.getStringRef()))
          << name.getStringRef().str();
      ++count;
    }
  EXPECT_GT(count, 50);
  EXPECT_FALSE(interp::hasSemantics("graph.nothing"));
}

TEST_F(InterpreterTest, BorrowChecksTheNumberOfBytes) {
  float data[] = {1, 2};
  EXPECT_TRUE(borrow<float>(type({2}, f32()), data));
  EXPECT_FALSE(borrow<float>(type({3}, f32()), data));
  EXPECT_FALSE(borrow<float>(type({ShapedType::kDynamic}, f32()), data));
}

TEST_F(InterpreterTest, AllocateRefusesWhatCannotBe) {
  EXPECT_TRUE(Tensor::allocate(type({0, 5}, f32())));
  EXPECT_FALSE(Tensor::allocate(type({ShapedType::kDynamic}, f32())));
  EXPECT_FALSE(Tensor::allocate(type({1ll << 40, 1ll << 40}, f32())));
  EXPECT_FALSE(Tensor::allocate(type({1}, ComplexType::get(f32()))));
}

TEST_F(InterpreterTest, BoolsAreBytesInTensorsAndBitsInAttributes) {
  auto dense = DenseElementsAttr::get(type({3}, i1()), {true, false, true});
  FailureOr<Tensor> tensor = Tensor::fromElements(cast<ElementsAttr>(dense));
  ASSERT_TRUE(succeeded(tensor));
  EXPECT_EQ(tensor->bytes(), ArrayRef<char>({1, 0, 1}));
  EXPECT_EQ(tensor->toElements(), dense);
}

TEST_F(InterpreterTest, SplatsAreExpandedAndFound) {
  auto dense = DenseElementsAttr::get(type({1000}, f32()), 2.5f);
  FailureOr<Tensor> tensor = Tensor::fromElements(cast<ElementsAttr>(dense));
  ASSERT_TRUE(succeeded(tensor));
  EXPECT_EQ(tensor->bytes().size(), 4000u);
  EXPECT_EQ(tensor->toElements(), dense);
}

TEST_F(InterpreterTest, LargeTensorsBecomeResourcesOfTheSameBytes) {
  Tensor tensor = Tensor::allocate(type({1000}, f32()));
  auto floats = reinterpret_cast<float *>(tensor.mutableBytes().data());
  for (int i = 0; i < 1000; ++i)
    floats[i] = i;
  auto resource = dyn_cast<DenseResourceElementsAttr>(tensor.toElements());
  ASSERT_TRUE(resource);
  EXPECT_EQ(resource.getRawHandle().getBlob()->getData().data(),
            tensor.bytes().data());
  FailureOr<Tensor> back = Tensor::fromElements(cast<ElementsAttr>(resource));
  ASSERT_TRUE(succeeded(back));
  EXPECT_EQ(back->bytes(), tensor.bytes());
}

TEST_F(InterpreterTest, OnlyElementsAtOddAddressesAreCopied) {
  alignas(4) char bytes[12] = {};
  for (size_t shift : {0, 1}) {
    ArrayRef<char> data(bytes + shift, 8);
    auto resource = cast<ElementsAttr>(DenseResourceElementsAttr::get(
        type({2}, f32()), "weights",
        UnmanagedAsmResourceBlob::allocateWithAlign(data, 1)));
    FailureOr<Tensor> view = Tensor::viewElements(resource);
    FailureOr<Tensor> tensor = Tensor::fromElements(resource);
    ASSERT_TRUE(succeeded(view) && succeeded(tensor));
    EXPECT_EQ(view->bytes().data(), data.data());
    EXPECT_EQ(tensor->bytes().data() == data.data(), shift == 0);
    EXPECT_EQ(uintptr_t(tensor->bytes().data()) % 4, 0u);
    EXPECT_EQ(tensor->bytes(), data);
  }
}

TEST_F(InterpreterTest, TransposesPlanesInBlocks) {
  // Two planes of 37 x 45 that swap their dimensions.
  Tensor input = Tensor::allocate(type({2, 37, 45}, f32()));
  auto numbers = reinterpret_cast<float *>(input.mutableBytes().data());
  std::iota(numbers, numbers + input.size(), 0.0f);
  auto results = run(R"(
    func.func @main(%0: tensor<2x37x45xf32>) -> tensor<2x45x37xf32> {
      %1 = graph.transpose %0 {permutation = array<i64: 0, 2, 1>}
        : (tensor<2x37x45xf32>) -> tensor<2x45x37xf32>
      return %1 : tensor<2x45x37xf32>
    })",
                     {input});
  ASSERT_TRUE(succeeded(results)) << errors;
  auto moved = reinterpret_cast<const float *>((*results)[0].bytes().data());
  for (int64_t i = 0; i < input.size(); ++i) {
    int64_t plane = i / (37 * 45), row = i / 37 % 45, column = i % 37;
    ASSERT_EQ(moved[i], numbers[(plane * 37 + column) * 45 + row]) << i;
  }
}

TEST_F(InterpreterTest, EvaluatesOnAttributes) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  auto value = DenseElementsAttr::get(type({2}, f32()), {1.0f, 2.0f});
  auto constant =
      graph::ConstantOp::create(builder, loc, value.getType(), value);
  auto add = graph::AddOp::create(builder, loc, constant, constant);
  ElementsAttr operand = value;
  auto results = interp::evaluate(add, {operand, operand});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ((*results)[0],
            DenseElementsAttr::get(type({2}, f32()), {2.0f, 4.0f}));
  std::string reason;
  EXPECT_TRUE(failed(interp::evaluate(add, {operand}, &reason)));
  EXPECT_EQ(reason, "needs one value per operand");
  ElementsAttr other =
      DenseElementsAttr::get(type({3}, f32()), {1.0f, 2.0f, 3.0f});
  EXPECT_TRUE(failed(interp::evaluate(add, {operand, other}, &reason)));
  EXPECT_EQ(reason, "a value differs from its operand's type");
  EXPECT_TRUE(errors.empty());
  add.erase();
  constant.erase();
}

TEST_F(InterpreterTest, RunsAFunctionOnInputs) {
  float x[] = {-1, 2};
  auto results = run(R"(
    func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %0 = graph.relu %x : (tensor<2xf32>) -> tensor<2xf32>
      %1 = graph.add %0, %x
        : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %1, %x : tensor<2xf32>, tensor<2xf32>
    })",
                     {borrow<float>(type({2}, f32()), x)});
  ASSERT_TRUE(succeeded(results)) << errors;
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ((*results)[0].toElements(),
            DenseElementsAttr::get(type({2}, f32()), {-1.0f, 4.0f}));
  EXPECT_EQ((*results)[1].bytes().data(), reinterpret_cast<char *>(x));
}

TEST_F(InterpreterTest, RefusesWrongInputs) {
  const char *text = R"(
    func.func @main(%x: tensor<2xf32>) { return })";
  EXPECT_TRUE(failed(run(text)));
  EXPECT_NE(errors.find("needs 1 inputs, got 0"), std::string::npos);
  float x[] = {1, 2, 3};
  EXPECT_TRUE(failed(run(text, {borrow<float>(type({3}, f32()), x)})));
  EXPECT_NE(errors.find("input 0 is not of type 'tensor<2xf32>'"),
            std::string::npos)
      << errors;
}

TEST_F(InterpreterTest, NamesTheFirstElementThatDiffers) {
  EXPECT_TRUE(failed(run(R"(
    func.func @main() {
      %0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
      %1 = graph.constant dense<[[1.0, 2.0], [3.5, 9.0]]> : tensor<2x2xf32>
      check.expect_eq %0, %1 : tensor<2x2xf32>
      return
    })")));
  EXPECT_NE(errors.find("element [1, 0] is 3 but 3.5 is expected"),
            std::string::npos)
      << errors;
}

TEST_F(InterpreterTest, ToleranceIsRelativeAndAbsolute) {
  const char *format = R"(
    func.func @main() {
      %%0 = graph.constant dense<[100.5, 0.0]> : tensor<2xf32>
      %%1 = graph.constant dense<[100.0, 0.125]> : tensor<2xf32>
      check.expect_close %%0, %%1 {rtol = %s, atol = %s} : tensor<2xf32>
      return
    })";
  auto check = [&](const char *rtol, const char *atol) {
    char text[512];
    snprintf(text, sizeof text, format, rtol, atol);
    return succeeded(run(text));
  };
  EXPECT_TRUE(check("1.0e-02", "0.125"));
  EXPECT_FALSE(check("1.0e-02", "0.1"));
  EXPECT_FALSE(check("1.0e-03", "0.125"));
}

TEST_F(InterpreterTest, IndicesOutOfRangeFail) {
  for (const char *index : {"3", "-4"}) {
    errors.clear();
    std::string text = std::string(R"(
    func.func @main() {
      %0 = graph.constant dense<[1, 2, 3]> : tensor<3xi64>
      %1 = graph.constant dense<[)") +
                       index +
                       R"(]> : tensor<1xi64>
      %2 = graph.gather %0, %1 {axis = 0 : i64}
        : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
      %3 = graph.gather_elements %0, %1 {axis = 0 : i64}
        : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
      return
    })";
    EXPECT_TRUE(failed(run(text)));
    EXPECT_NE(errors.find("'graph.gather' index " + std::string(index) +
                          " is out of range: it selects from 3 rows"),
              std::string::npos)
        << errors;
  }
}

TEST_F(InterpreterTest, RefusesFunctionsWithoutBody) {
  EXPECT_TRUE(failed(run("func.func private @main()")));
  EXPECT_NE(errors.find("only a function of one block can be interpreted"),
            std::string::npos)
      << errors;
}

TEST_F(InterpreterTest, UnknownOperationsFail) {
  EXPECT_TRUE(failed(run(R"(
    func.func @main() {
      func.call @main() : () -> ()
      return
    })")));
  EXPECT_NE(errors.find("'func.call' has no semantics in the interpreter"),
            std::string::npos)
      << errors;
}

} // namespace
