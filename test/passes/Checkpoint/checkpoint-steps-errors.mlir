// RUN: tenon-opt %s --tenon-checkpoint-steps="budget=100" --verify-diagnostics --split-input-file
// RUN: not tenon-opt %s --tenon-checkpoint-steps="budget=1.5" --split-input-file 2>&1 | FileCheck %s --check-prefix=WORDS
// RUN: not tenon-opt %s --tenon-checkpoint-steps="budget=few" --split-input-file 2>&1 | FileCheck %s --check-prefix=WORDS

// WORDS: error: a budget is a number of bytes, a fraction as 0.25, free or none, not '

module attributes {graph.states = [{input = "w", output = "w.next"}]} {
  // expected-error @+1 {{--arena-budget: 100 bytes are too few: the smallest arena known has 512, and none has fewer than 512, which 'last' needs at once}}
  func.func @step(%w: tensor<64xf32> {onnx.name = "w"}) -> (tensor<64xf32> {onnx.name = "w.next"}) {
    %a = kernel.group(%w) : (tensor<64xf32>) -> tensor<64xf32> {
    ^bb0(%0: tensor<64xf32>):
      %1 = graph.exp %0 : (tensor<64xf32>) -> tensor<64xf32>
      kernel.yield %1 : tensor<64xf32>
    } loc("first")
    %b = kernel.group(%w) : (tensor<64xf32>) -> tensor<64xf32> {
    ^bb0(%0: tensor<64xf32>):
      %1 = graph.sqrt %0 : (tensor<64xf32>) -> tensor<64xf32>
      kernel.yield %1 : tensor<64xf32>
    } loc("second")
    %c = kernel.group(%a, %b) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    ^bb0(%0: tensor<64xf32>, %1: tensor<64xf32>):
      %2 = graph.add %0, %1 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      kernel.yield %2 : tensor<64xf32>
    } loc("last")
    return %c : tensor<64xf32>
  }
}

// -----

// Without states there is no step.
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = kernel.group(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = graph.exp %0 : (tensor<64xf32>) -> tensor<64xf32>
    kernel.yield %1 : tensor<64xf32>
  }
  return %a : tensor<64xf32>
}
