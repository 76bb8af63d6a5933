//===- Passes.td - passes of the normalize stage -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_NORMALIZE_PASSES
#define TENON_NORMALIZE_PASSES

include "mlir/Pass/PassBase.td"

def NormalizeOnnxPass : Pass<"tenon-normalize-onnx", "::mlir::ModuleOp"> {
  let summary = "rewrites onnx operations as graph operations";
  let description = [{
    Walks each program forward once and lowers each `onnx` operation to primitive
    `graph` operations. A `graph` operation whose operands are all small
    constants is evaluated as soon as it is built, and every result type comes
    from the operation's own shape function; so shape arithmetic vanishes and
    the operands that must be known are constants when they are needed.
    Operators without a lowering are replaced by the function body of their
    schema where there is one. All nodes that cannot be lowered are reported
    in one error.

    Before:
    ```mlir
    func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
      %shape = "onnx.Constant"() {value = dense<[0, -1]> : tensor<2xi64>} : () -> tensor<2xi64>
      %0 = "onnx.Reshape"(%x, %shape) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x12xf32>
      %1 = "onnx.HardSigmoid"(%0) : (tensor<2x12xf32>) -> tensor<2x12xf32>
      return %1 : tensor<2x12xf32>
    }
    ```
    After:
    ```mlir
    func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
      %alpha = graph.constant dense<2.000000e-01> : tensor<f32>
      %beta = graph.constant dense<5.000000e-01> : tensor<f32>
      %zero = graph.constant dense<0.000000e+00> : tensor<f32>
      %one = graph.constant dense<1.000000e+00> : tensor<f32>
      %0 = graph.reshape %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
      %1 = graph.mul %0, %alpha : (tensor<2x12xf32>, tensor<f32>) -> tensor<2x12xf32>
      %2 = graph.add %1, %beta : (tensor<2x12xf32>, tensor<f32>) -> tensor<2x12xf32>
      %3 = graph.min %2, %one : (tensor<2x12xf32>, tensor<f32>) -> tensor<2x12xf32>
      %4 = graph.max %3, %zero : (tensor<2x12xf32>, tensor<f32>) -> tensor<2x12xf32>
      return %4 : tensor<2x12xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect",
                           "::tenon::control::ControlDialect"];
  let statistics = [
    Statistic<"numLowered", "lowered", "onnx operations lowered">,
    Statistic<"numEvaluated", "evaluated",
              "graph operations evaluated while they were built">,
    Statistic<"numExpanded", "expanded",
              "onnx operations replaced by their function body">,
  ];
}

def VerifyNormalizePass : Pass<"tenon-verify-normalize", "::mlir::ModuleOp"> {
  let summary = "checks what the normalize phase promises";
  let description = [{
    Fails unless the module holds a program of one block of `graph` operations
    and a return, on ranked tensors. Changes nothing.

    Before and after:
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
}

#endif // TENON_NORMALIZE_PASSES
