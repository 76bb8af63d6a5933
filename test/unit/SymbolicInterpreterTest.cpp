//===- SymbolicInterpreterTest.cpp - programs of any size -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs functions whose types have symbols on inputs of several sizes.
//===----------------------------------------------------------------------===//
// LINK: TenonInterpreter TenonKernel TenonGraph MLIR LLVM
#include "lib/Interpreter/Interpreter.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace tenon;
using interp::Tensor;

namespace {
class SymbolicInterpreterTest : public ::testing::Test {
protected:
  SymbolicInterpreterTest() {
    context.loadDialect<func::FuncDialect, graph::GraphDialect,
                        kernel::KernelDialect>();
    context.getDiagEngine().registerHandler(
        [this](Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
  }

  /// Parses a module with one @main.
  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << errors;
  }

  /// Runs it on 0, 1, 2... in tensors of f32.
  FailureOr<SmallVector<Tensor>> run(ArrayRef<SmallVector<int64_t>> shapes) {
    SmallVector<Tensor> inputs;
    for (ArrayRef<int64_t> shape : shapes) {
      Tensor input = Tensor::allocate(
          RankedTensorType::get(shape, Float32Type::get(&context)));
      auto *numbers = reinterpret_cast<float *>(input.mutableBytes().data());
      std::iota(numbers, numbers + input.size(), 0.0f);
      inputs.push_back(input);
    }
    return interp::interpretFunction(module->lookupSymbol<func::FuncOp>("main"),
                                     inputs);
  }

  template <typename T> SmallVector<T> numbers(const Tensor &tensor) {
    auto *data = reinterpret_cast<const T *>(tensor.bytes().data());
    return SmallVector<T>(data, data + tensor.size());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string errors;
};
} // namespace

TEST_F(SymbolicInterpreterTest, SizesAndRanges) {
  parse(R"mlir(func.func @main(%x: tensor<?x2xf32, #graph.dims<["n", 2]>>)
      -> (tensor<2xi64>, tensor<?xi64, #graph.dims<["n" + 1]>>) {
    %0 = graph.sizes {dims = #graph.dims<[2 * "n", "n" - 3]>} : () -> tensor<2xi64>
    %1 = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 2.0 : f64}
       : () -> tensor<?xi64, #graph.dims<["n" + 1]>>
    return %0, %1 : tensor<2xi64>, tensor<?xi64, #graph.dims<["n" + 1]>>
  })mlir");
  for (int64_t n : {0, 1, 2, 5}) {
    auto results = run({{n, 2}});
    ASSERT_TRUE(succeeded(results)) << errors;
    EXPECT_EQ(numbers<int64_t>((*results)[0]),
              (SmallVector<int64_t>{2 * n, n - 3}));
    SmallVector<int64_t> even;
    for (int64_t i = 0; i <= n; ++i)
      even.push_back(2 * i);
    EXPECT_EQ(numbers<int64_t>((*results)[1]), even);
  }
}

TEST_F(SymbolicInterpreterTest, SlicesAndPads) {
  parse(R"mlir(func.func @main(%x: tensor<?xf32, #graph.dims<["n"]>>)
      -> (tensor<2xf32>, tensor<?xf32, #graph.dims<["n" + 1]>>) {
    %0 = graph.slice %x {starts = array<i64: -9223372036854775808>,
        sizes = array<i64: 2>, steps = array<i64: -1>,
        start_dims = #graph.dims<["n" - 1]>}
       : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<2xf32>
    %1 = graph.pad %x {low = array<i64: 1>, high = array<i64: 0>}
       : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xf32, #graph.dims<["n" + 1]>>
    return %0, %1 : tensor<2xf32>, tensor<?xf32, #graph.dims<["n" + 1]>>
  })mlir");
  for (int64_t n : {2, 3, 7}) {
    auto results = run({{n}});
    ASSERT_TRUE(succeeded(results)) << errors;
    EXPECT_EQ(numbers<float>((*results)[0]),
              (SmallVector<float>{float(n - 1), float(n - 2)}));
    EXPECT_EQ((*results)[1].size(), n + 1);
  }
  EXPECT_TRUE(failed(run({{1}}))) << "two of one element";
}

TEST_F(SymbolicInterpreterTest, BroadcastsOfTwoUnknowns) {
  parse(R"mlir(func.func @main(%x: tensor<?xf32, #graph.dims<["m"]>>,
                           %y: tensor<?xf32, #graph.dims<["n"]>>)
      -> tensor<1x?xf32, #graph.dims<[1, "broadcast(m, n)"]>> {
    %0 = graph.add %x, %y : (tensor<?xf32, #graph.dims<["m"]>>,
         tensor<?xf32, #graph.dims<["n"]>>)
         -> tensor<?xf32, #graph.dims<["broadcast(m, n)"]>>
    %1 = graph.reshape %0 : (tensor<?xf32, #graph.dims<["broadcast(m, n)"]>>)
         -> tensor<1x?xf32, #graph.dims<[1, "broadcast(m, n)"]>>
    return %1 : tensor<1x?xf32, #graph.dims<[1, "broadcast(m, n)"]>>
  })mlir");
  struct {
    int64_t m, n, result;
  } cases[] = {{3, 3, 3}, {1, 4, 4}, {4, 1, 4},
               {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  for (auto [m, n, result] : cases) {
    auto results = run({{m}, {n}});
    ASSERT_TRUE(succeeded(results)) << errors;
    EXPECT_EQ((*results)[0].size(), result);
  }
  EXPECT_TRUE(failed(run({{2}, {3}})));
  EXPECT_TRUE(failed(run({{2}, {0}})));
}

TEST_F(SymbolicInterpreterTest, InputsMustAgree) {
  parse(R"mlir(func.func @main(%x: tensor<?x?xf32, #graph.dims<["n", 2 * "n"]>>)
      -> tensor<?xf32, #graph.dims<["n"]>> {
    %0 = graph.reduce_sum %x {axes = array<i64: 1>, keep_dims = false}
       : (tensor<?x?xf32, #graph.dims<["n", 2 * "n"]>>)
       -> tensor<?xf32, #graph.dims<["n"]>>
    return %0 : tensor<?xf32, #graph.dims<["n"]>>
  })mlir");
  auto results = run({{2, 4}});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ(numbers<float>((*results)[0]), (SmallVector<float>{6, 22}));
  EXPECT_TRUE(failed(run({{2, 3}})));
  EXPECT_NE(errors.find("dimension 1 is 3, but 2 * n is 4"), std::string::npos)
      << errors;
}

TEST_F(SymbolicInterpreterTest, SizesAreInTheirRanges) {
  parse(R"mlir(module attributes {graph.symbols = {m = {min = 2, max = 8},
                                                   n = {multiple_of = 3}}} {
    func.func @main(%x: tensor<?x?xf32, #graph.dims<["m", "n"]>>)
        -> tensor<?x?xf32, #graph.dims<["m", "n"]>> {
      return %x : tensor<?x?xf32, #graph.dims<["m", "n"]>>
    }
  })mlir");
  EXPECT_TRUE(succeeded(run({{8, 6}}))) << errors;
  EXPECT_TRUE(failed(run({{1, 3}})));
  EXPECT_NE(errors.find("dimension m is 1, not at least 2"), std::string::npos);
  EXPECT_TRUE(failed(run({{9, 3}})));
  EXPECT_NE(errors.find("dimension m is 9, not at most 8"), std::string::npos);
  EXPECT_TRUE(failed(run({{2, 4}})));
  EXPECT_NE(errors.find("dimension n is 4, not a multiple of 3"),
            std::string::npos);
}
