//===- StateVariantsTest.cpp - states of an artifact's variants -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file describes programs whose states cannot be those of one signature.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler
#include "lib/Compiler/Compiler.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "passes/Emit/Describe.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;

namespace {
/// Adds programs with these states to one description.
struct StateVariants : testing::Test {
  StateVariants()
      : context(createContext(1)),
        handler(context.get(), [this](Diagnostic &diagnostic) {
          message += diagnostic.str();
          return success();
        }) {}

  LogicalResult add(const std::string &state) {
    std::string text = R"mlir(
      module attributes {graph.states = [{input = "x", output = "y")mlir" +
                       state + R"mlir(}]} {
        func.func @main() attributes {
            memory.arena_bytes = 0 : i64, memory.arena_lower_bound_bytes = 0 : i64,
            memory.inputs = [{name = "x", type = tensor<?xf32, #graph.dims<["n"]>>}],
            memory.outputs = [{name = "y", type = tensor<?xf32, #graph.dims<["n" + 1]>>}]} {
          return
        }
      })mlir";
    modules.push_back(parseSourceString<ModuleOp>(text, context.get()));
    artifact::VariantDesc variant;
    variant.targetCpu = std::to_string(modules.size());
    return description.add(*modules.back(), variant);
  }

  std::string message;
  std::unique_ptr<MLIRContext> context;
  ScopedDiagnosticHandler handler;
  std::vector<OwningOpRef<ModuleOp>> modules;
  emit::Description description;
};
} // namespace

TEST_F(StateVariants, Agree) {
  EXPECT_TRUE(succeeded(add(R"(, axis = 0 : i64, room = "r")")));
  EXPECT_TRUE(succeeded(add(R"(, axis = 0 : i64, room = "r")")));
  EXPECT_EQ("", message);
  ASSERT_EQ(1u, description.desc.entries[0].states.size());
  EXPECT_EQ(0u, description.desc.entries[0].states[0].axis);
}

TEST_F(StateVariants, Differ) {
  EXPECT_TRUE(succeeded(add(R"(, axis = 0 : i64, room = "r")")));
  EXPECT_TRUE(failed(add("")));
  EXPECT_EQ("states grow in place for one processor and not for another: "
            "compile for one",
            message);
}

TEST_F(StateVariants, AreInTheSignature) {
  EXPECT_TRUE(failed(add(R"(, axis = 1 : i64, room = "r")")));
  EXPECT_EQ("state 'x' is not in the signature", message);
}
