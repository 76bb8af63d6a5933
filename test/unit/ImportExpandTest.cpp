//===- ImportExpandTest.cpp - operators by their function bodies ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests expandFunction on the kinds of bodies that ONNX has: fixed,
// dependent on types and attributes, written for an older opset, and none.
//===----------------------------------------------------------------------===//
// LINK: TenonOnnxImport
#include "dialects/Graph/Graph.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace {
class ImportExpand : public testing::Test {
protected:
  ImportExpand() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<func::FuncDialect, tenon::graph::GraphDialect,
                        tenon::onnx::OnnxDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
      return success();
    });
  }

  /// Expands the last operation of a function with body `text`; the names of
  /// the operations of the body, or "failed".
  std::string expand(const std::string &text) {
    module = parseSourceString<ModuleOp>(
        "func.func @f(%x: tensor<2x4xf32>, %s: tensor<4xf32>, "
        "%n: tensor<1xi64>) {\n" +
            text + "\nreturn }",
        &context);
    if (!module)
      return "no module: " + errors;
    Block &block = module->lookupSymbol<func::FuncOp>("f").front();
    Operation *op = block.getTerminator()->getPrevNode();
    OpBuilder builder(op);
    auto results = tenon::onnximport::expandFunction(builder, op);
    if (failed(results))
      return "failed";
    for (auto [result, value] : llvm::zip(op->getResults(), *results))
      if (value)
        EXPECT_EQ(getElementTypeOrSelf(value), getElementTypeOrSelf(result));
    op->erase();
    EXPECT_TRUE(succeeded(verify(*module))) << errors;
    std::string names;
    for (Operation &body : block.without_terminator())
      names += body.getName().stripDialect().str() + " ";
    return names;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string errors;
};
} // namespace

TEST_F(ImportExpand, FixedBody) {
  EXPECT_EQ(
      expand(R"("onnx.HardSwish"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>)"),
      "HardSigmoid Mul ");
}

TEST_F(ImportExpand, BodyDependsOnAttributes) {
  const char *gelu =
      R"("onnx.Gelu"(%x) {approximate = "%s"} : (tensor<2x4xf32>) -> tensor<2x4xf32>)";
  auto with = [&](const char *how) {
    std::string text = gelu;
    return expand(text.replace(text.find("%s"), 2, how));
  };
  EXPECT_NE(with("none").find("Erf"), std::string::npos);
  EXPECT_NE(with("tanh").find("Tanh"), std::string::npos);
}

TEST_F(ImportExpand, BodyOfOlderOpset) {
  // Its axes are an attribute in the body and an operand in the newest opset.
  std::string names = expand(
      R"("onnx.MeanVarianceNormalization"(%x) {axes = array<i64: 1>} : (tensor<2x4xf32>) -> tensor<2x4xf32>)");
  EXPECT_NE(names.find("ReduceMean"), std::string::npos);
  EXPECT_EQ(errors, "");
}

TEST_F(ImportExpand, AbsentResults) {
  std::string names = expand(
      R"(%0:2 = "onnx.LayerNormalization"(%x, %s) : (tensor<2x4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, none))");
  EXPECT_NE(names.find("Sqrt"), std::string::npos) << errors;
}

TEST_F(ImportExpand, AbsentOperandInTheMiddle) {
  std::string names = expand(
      R"(%v = "onnx.NoValue"() : () -> none
%q = "onnx.ConstantOfShape"(%n) : (tensor<1xi64>) -> tensor<1x2x3x4xf32>
%0 = "onnx.Attention"(%q, %q, %q, %v, %q, %q) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, none, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>)");
  EXPECT_NE(names.find("Softmax"), std::string::npos) << names << errors;
}

TEST_F(ImportExpand, NoBody) {
  EXPECT_EQ(expand(R"("onnx.Erf"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>)"),
            "failed");
  EXPECT_EQ(errors, "");
  // Nor do tensors as attributes disturb it.
  EXPECT_EQ(
      expand(
          R"("onnx.ConstantOfShape"(%n) {value = dense<1> : tensor<1xi64>} : (tensor<1xi64>) -> tensor<?xi64>)"),
      "failed");
  EXPECT_EQ(errors, "");
}
