// RUN: tenon-opt %s --tenon-verify-schedule --split-input-file --verify-diagnostics

func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no stage}}
  %0 = kernel.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Also through a view.
func.func @early(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = kernel.group(%x) {stage = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  %1 = graph.reshape %0 : (tensor<4xf32>) -> tensor<2x2xf32>
  // expected-error @+1 {{of stage 1 reads a value of stage 1}}
  %2 = kernel.group(%1) {stage = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>):
    kernel.yield %a : tensor<2x2xf32>
  }
  return %2 : tensor<2x2xf32>
}
