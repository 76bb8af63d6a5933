//===- ControlInterpreterTest.cpp - control flow that fails ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what the self-checking programs of test/run cannot: that each
// primitive has semantics, which function is run, and errors.
//===----------------------------------------------------------------------===//
// LINK: TenonInterpreter TenonControl TenonKernel TenonGraph TenonCheck MLIR
// LLVM
#include "lib/Interpreter/Datum.h"
#include "lib/Interpreter/Letters.h"
#include "lib/Interpreter/Primitive.h"

#include "dialects/Control/Control.h"
#include "dialects/Control/Primitives.h"
#include "dialects/Graph/Graph.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using interp::Datum;

namespace {
class ControlInterpreterTest : public ::testing::Test {
protected:
  ControlInterpreterTest() {
    context.loadDialect<func::FuncDialect, graph::GraphDialect,
                        control::ControlDialect>();
    context.getDiagEngine().registerHandler(
        [this](Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
  }

  FailureOr<interp::Data> run(StringRef text, ArrayRef<Datum> inputs = {}) {
    errors.clear();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << errors;
    if (!module)
      return failure();
    auto program = interp::findProgram(*module);
    if (failed(program))
      return failure();
    return interp::interpret(*program, inputs);
  }

  /// The error of operations on %x, [1, 2], %seq, a sequence of one such, %i, a
  /// number, %no, not true, %two, two truth values, and %words, two strings.
  std::string errorOf(StringRef body, StringRef others = "") {
    std::string text = (R"mlir(func.func @main() {
      %x = graph.constant dense<[1, 2]> : tensor<2xi64>
      %i = graph.constant dense<5> : tensor<i64>
      %no = graph.constant dense<false> : tensor<i1>
      %two = graph.constant dense<true> : tensor<2xi1>
      %words = control.constant dense<["a", "b"]> : tensor<2x!control.string>
      %seq = control.call "sequence_construct"(%x) integers [0, 64]
        : (tensor<2xi64>) -> !control.sequence<tensor<?xi64>>
    )mlir" + body + "\nreturn }\n" +
                        others)
                           .str();
    EXPECT_TRUE(failed(run(text)));
    return errors;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string errors;
};
} // namespace

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_PRED_FORMAT2(testing::IsSubstring, part, text)

TEST_F(ControlInterpreterTest, EveryPrimitiveHasSemantics) {
  for (const control::Primitive &primitive : control::primitives())
    EXPECT_EQ(interp::hasPrimitive(primitive.name),
              primitive.name != "constant")
        << primitive.name.str() << ": only artifacts have weights";
  EXPECT_CONTAINS(errorOf(R"mlir(
    %0 = control.call "constant"() integers [0, 0, 64, 1] : () -> tensor<1xi64>)mlir"),
                  "'constant' has no semantics in the interpreter");
}

TEST_F(ControlInterpreterTest, Folding) {
  ASSERT_TRUE(succeeded(run(R"mlir(func.func @main(%x: tensor<2xi64>) {
    %0 = control.call "copy"(%x) : (tensor<2xi64>) -> tensor<2xi64>
    return })mlir",
                            {Datum(interp::numbersOf(&context, {2}, {1, 2}))})))
      << errors;
  Operation &op =
      *module->lookupSymbol<func::FuncOp>("main").getBody().front().begin();
  std::string reason;
  auto folded = interp::evaluate(
      &op, {interp::numbersOf(&context, {2}, {1, 2})}, &reason);
  EXPECT_TRUE(failed(folded));
  EXPECT_EQ(reason, "has no semantics in the interpreter");
}

TEST_F(ControlInterpreterTest, Conditions) {
  constexpr StringRef other = "func.func @f() { return }";
  EXPECT_CONTAINS(errorOf("control.if %two : tensor<2xi1> then @f else @f()"
                          " : () -> ()",
                          other),
                  "the condition is i1 [2], not one element");
  constexpr StringRef body = R"mlir(
    func.func @body(%i: tensor<i64>, %go: tensor<i1>) -> tensor<?xi1> {
      %0 = graph.constant dense<true> : tensor<0xi1>
      %1 = control.call "copy"(%0) : (tensor<0xi1>) -> tensor<?xi1>
      return %1 : tensor<?xi1>
    }
    func.func @good(%i: tensor<i64>, %go: tensor<i1>) -> tensor<i1> {
      return %go : tensor<i1>
    })mlir";
  EXPECT_CONTAINS(errorOf("control.loop @good trip %x : tensor<2xi64>", body),
                  "the trip count is i64 [2], not one number");
  EXPECT_CONTAINS(errorOf("control.loop @good while %two : tensor<2xi1>", body),
                  "the condition is i1 [2], not one element");
}

TEST_F(ControlInterpreterTest, Scans) {
  constexpr StringRef body = R"mlir(
    func.func @body(%i: tensor<i64>, %go: tensor<i1>, %n: tensor<?xi64>)
        -> (tensor<i1>, tensor<?xi64>, tensor<?xi64>) {
      %0 = control.call "sequence_construct"(%n, %n) integers [0, 64]
        : (tensor<?xi64>, tensor<?xi64>) -> !control.sequence<tensor<?xi64>>
      %1 = control.call "sequence_concat"(%0) integers [0, 0]
        : (!control.sequence<tensor<?xi64>>) -> tensor<?xi64>
      return %go, %1, %n : tensor<i1>, tensor<?xi64>, tensor<?xi64>
    })mlir";
  EXPECT_CONTAINS(errorOf(R"mlir(%0:2 = control.loop @body trip %i : tensor<i64>
      carried(%x : tensor<2xi64>) -> tensor<?xi64>, tensor<?x?xi64>)mlir",
                          body),
                  "scan outputs of the iterations do not fit together: i64 [2] "
                  "and i64 [4]");
  constexpr StringRef open = R"mlir(
    func.func @body(%i: tensor<i64>, %go: tensor<i1>)
        -> (tensor<i1>, tensor<*xi64>) {
      %0 = control.call "copy"(%i) : (tensor<i64>) -> tensor<*xi64>
      return %go, %0 : tensor<i1>, tensor<*xi64>
    })mlir";
  EXPECT_CONTAINS(errorOf("%0 = control.loop @body while %no : tensor<i1>"
                          " -> tensor<*xi64>",
                          open),
                  "a scan output has no iteration, and no rank");
}

TEST_F(ControlInterpreterTest, Constants) {
  EXPECT_CONTAINS(
      errorOf("%0 = control.constant dense_resource<none> : tensor<2xi64>"),
      "holds a value that cannot be read");
}

TEST_F(ControlInterpreterTest, Calls) {
  EXPECT_CONTAINS(errorOf("control.call @f() : () -> ()",
                          "func.func @f() { control.call @f() : () -> () "
                          "return }"),
                  "calls @f while it runs");
  std::string chain;
  for (int i = 0; i < 1100; ++i)
    chain += "func.func @f" + std::to_string(i) + "() { control.call @f" +
             std::to_string(i + 1) + "() : () -> () return }\n";
  EXPECT_CONTAINS(errorOf("control.call @f0() : () -> ()",
                          chain + "func.func @f1100() { return }"),
                  "calls nest too deep");
}

TEST_F(ControlInterpreterTest, Results) {
  EXPECT_CONTAINS(errorOf("%0 = control.call \"copy\"(%x) : (tensor<2xi64>) -> "
                          "tensor<3xi64>"),
                  "result 0 is i64 [2], which is no 'tensor<3xi64>'");
  EXPECT_CONTAINS(errorOf("%0 = control.call \"copy\"(%x) : (tensor<2xi64>)"
                          " -> tensor<?xi64, #graph.dims<[\"n\"]>>\n"
                          "%1 = control.call \"nonzero\"(%x) : (tensor<2xi64>)"
                          " -> tensor<?x3xi64, #graph.dims<[\"n\", 3]>>"),
                  "result 0 is i64 [1x2], which is no");
  EXPECT_CONTAINS(errorOf("%0 = control.call \"copy\"(%x) : (tensor<2xi64>)"
                          " -> tensor<?xi64, #graph.dims<[\"n\"]>>\n"
                          "%1 = control.call \"nonzero\"(%x) : (tensor<2xi64>)"
                          " -> tensor<?x2xi64, #graph.dims<[\"n\", 2]>>"),
                  "result 0: dimension 0 is 1, but n is 2");
}

TEST_F(ControlInterpreterTest, Ranges) {
  EXPECT_TRUE(
      failed(run(R"mlir(module attributes {graph.symbols = {n = {max = 1}}} {
    func.func @main() {
      %x = graph.constant dense<[1, 2]> : tensor<2xi64>
      %0 = control.call "copy"(%x) : (tensor<2xi64>)
        -> tensor<?xi64, #graph.dims<["n"]>>
      return
    }})mlir")));
  EXPECT_CONTAINS(errors, "dimension n is 2, not at most 1");
}

TEST_F(ControlInterpreterTest, Primitives) {
  struct {
    const char *call, *error;
  } cases[] = {
      {"\"sequence_at\"(%seq, %i) : (!control.sequence<tensor<?xi64>>, "
       "tensor<i64>) -> tensor<?xi64>",
       "'sequence_at' has position 5 in a sequence of 1"},
      {"\"sequence_at\"(%seq, %x) : (!control.sequence<tensor<?xi64>>, "
       "tensor<2xi64>) -> tensor<?xi64>",
       "wants one number as the position, not i64 [2]"},
      {"\"sequence_at\"(%x, %i) : (tensor<2xi64>, tensor<i64>) -> "
       "tensor<?xi64>",
       "wants a sequence as operand 0"},
      {"\"sequence_concat\"(%seq) integers [1, 0] : "
       "(!control.sequence<tensor<?xi64>>) -> tensor<?xi64>",
       "has no axis 1 in tensors like i64 [2]"},
      {"\"split_to_sequence\"(%x, %x) integers [0, 1] : (tensor<2xi64>, "
       "tensor<2xi64>) -> !control.sequence<tensor<?xi64>>",
       "has pieces that do not make up 2"},
      {"\"optional_get\"(%seq) : (!control.sequence<tensor<?xi64>>) -> "
       "tensor<?xi64>",
       "result 0 is sequence of 1, which is no 'tensor<?xi64>'"},
      {"\"compress\"(%i, %two) integers [1, 0] : (tensor<i64>, tensor<2xi1>) "
       "-> tensor<?xi64>",
       "has no axis 0 in i64 []"},
      {"\"compress\"(%i, %two) integers [0, 0] : (tensor<i64>, tensor<2xi1>) "
       "-> tensor<?xi64>",
       "chooses slice 1 of 1"},
      {"\"nonzero\"(%words) : (tensor<2x!control.string>) -> tensor<?x?xi64>",
       "wants a tensor of numbers as operand 0"},
      {"\"string_concat\"(%words, %x) : (tensor<2x!control.string>, "
       "tensor<2xi64>) -> tensor<2x!control.string>",
       "wants strings as operand 1"},
      {"\"string_reshape\"(%x, %i) : (tensor<2xi64>, tensor<i64>) -> "
       "tensor<?xi64>",
       "changes the element count"},
      {"\"fail\"(%words) : (tensor<2x!control.string>) -> tensor<7xf32>",
       "'fail' a"},
  };
  for (auto [call, error] : cases)
    EXPECT_CONTAINS(errorOf("%0 = control.call " + std::string(call)), error);
}

TEST_F(ControlInterpreterTest, NegativeExtents) {
  EXPECT_CONTAINS(errorOf(R"mlir(
      %0 = graph.neg %x : (tensor<2xi64>) -> tensor<2xi64>
      %1 = control.call "extents"(%0) : (tensor<2xi64>) -> tensor<?x?x0xi8>)mlir"),
                  "'extents' has a negative extent, -1");
}

TEST_F(ControlInterpreterTest, EmptyOptionals) {
  EXPECT_CONTAINS(errorOf(R"mlir(
      %0 = control.call "optional"() : () -> !control.optional<tensor<2xi64>>
      %1 = control.call "optional_get"(%0)
        : (!control.optional<tensor<2xi64>>) -> tensor<2xi64>)mlir"),
                  "'optional_get' has an optional that is empty");
}

TEST_F(ControlInterpreterTest, ThePublicControlFunctionIsRun) {
  auto results = run(R"mlir(
    func.func @first() -> tensor<i64> {
      %0 = graph.constant dense<1> : tensor<i64>
      return %0 : tensor<i64>
    }
    control.func private @helper() { control.return }
    control.func @main(%x: !control.optional<tensor<i64>>) -> tensor<i1> {
      %0 = control.call "optional_has"(%x)
        : (!control.optional<tensor<i64>>) -> tensor<i1>
      control.return %0 : tensor<i1>
    })mlir",
                     {Datum::optional()});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ((*results)[0].describe(), "i1 []");
  EXPECT_EQ(interp::oneNumber((*results)[0]), 0);
}

TEST_F(ControlInterpreterTest, DataDescribeThemselves) {
  EXPECT_EQ(Datum().describe(), "no value");
  EXPECT_EQ(Datum::optional().describe(), "empty optional");
  EXPECT_EQ(Datum::optional(Datum::sequence({})).describe(),
            "optional of sequence of 0");
}

TEST_F(ControlInterpreterTest, LettersHaveCases) {
  EXPECT_EQ(interp::toLower("ABZ[ÀÖ×ĀŹŸΩЖЀԱ1"), "abz[àö×āźÿωжѐա1");
  EXPECT_EQ(interp::toUpper("abz{àö÷āźÿωжѐա1"), "ABZ{ÀÖ÷ĀŹŸΩЖЀԱ1");
  EXPECT_EQ(interp::toUpper("a\xff\xc3"), "A\xff\xc3") << "no UTF-8";
  EXPECT_EQ(interp::toLower("ß€😀"), "ß€😀");
}
