//===- Passes.td - gradients -------------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_DIFFERENTIATE
#define TENON_PASSES_DIFFERENTIATE

include "mlir/Pass/PassBase.td"

def AppendGradientsPass : Pass<"tenon-append-gradients", "::mlir::ModuleOp"> {
  let summary = "return gradients beside results";
  let description = [{
    Each program returns, behind its results, the derivatives of the sum of all
    elements of its result number `of` with respect to its arguments number
    `wanted`, zeros where it does not depend on them.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    // becomes
      %1 = graph.constant dense<1.0> : tensor<4xf32>
      %2 = graph.mul %1, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0, %2 : tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let options = [
    Option<"of", "of", "unsigned", "0", "the result that is differentiated">,
    ListOption<"wanted", "wanted", "unsigned",
               "arguments; without it all of floating-point numbers">];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numGradients", "gradients", "results added">];
}

#endif // TENON_PASSES_DIFFERENTIATE
