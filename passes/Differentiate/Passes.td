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

def ExpandGradientsPass : Pass<"tenon-expand-gradients", "::mlir::ModuleOp"> {
  let summary = "compute the gradients that a model asks for";
  let description = [{
    Replaces what stands for ONNX's `Gradient`: its operands are tensors for `xs`
    and `zs`, then the tensors of these names, then `y`. What `y` is made by
    from the named tensors is made again from the others, and differentiated.

    ```mlir
    %y = graph.mul %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %0 = builtin.unrealized_conversion_cast %b, %a, %y {tenon.gradient}
    // becomes
    %1 = graph.reshape %b
    %2 = graph.mul %1, %1
    // the derivative of %2 by %1
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numGradients", "gradients", "nodes replaced">];
}

def BuildStepPass : Pass<"tenon-build-step", "::mlir::ModuleOp"> {
  let summary = "make a program a step of training";
  let description = [{
    The program computes a loss of one of its outputs and of labels, an input, then
    the gradients of all arguments that have first values (`tenon.initial`), then
    these arguments anew. They, the optimiser's moments and the number of steps are
    states (`graph.states`): inputs that are the first values, or zeros, before the
    first step. `learning_rate` is an input, `loss` a result. A program called
    `eval` gets the loss, too, and reads the states.

    ```mlir
    func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32> {tenon.initial = dense<1.0> : tensor<3x2xf32>})
        -> (tensor<4x2xf32> {onnx.name = "y"})
    // becomes
    func.func @step(%x, %w, %step: tensor<i64>, %learning_rate: tensor<f32>, %labels: tensor<4xi64>)
        -> (%y, %w_next, %step_next, %loss)
    ```
  }];
  let options = [
    Option<"loss", "loss", "std::string", "",
           "cross_entropy(y, labels), ..., or output:NAME">,
    Option<"optimizer", "optimizer", "std::string", "",
           "sgd(momentum=0.9), adam, adamw, adagrad">,
    Option<"noDecay", "no-decay", "std::string", "",
           "names of parameters that do not decay; empty: vectors">,
    Option<"clipNorm", "clip-norm", "double", "0",
           "the largest norm of all gradients together; 0: any">,
    Option<"clipValue", "clip-value", "double", "0",
           "the largest element of a gradient; 0: any">,
    Option<"lossScale", "loss-scale", "std::string", "",
           "a number, none, dynamic; empty: dynamic where something is f16">,
    Option<"accumulate", "accumulate", "unsigned", "1",
           "batches whose gradients make one update">];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numParameters", "parameters", "tensors trained">];
}

#endif // TENON_PASSES_DIFFERENTIATE
