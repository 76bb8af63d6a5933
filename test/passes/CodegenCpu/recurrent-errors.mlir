// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%g: tensor<16x1x1x64xf32>, %m: tensor<1x16x64xf32>) -> tensor<16x1x1x16xf32> {
  %r = kernel.group(%g, %m) : (tensor<16x1x1x64xf32>, tensor<1x16x64xf32>) -> tensor<16x1x1x16xf32> {
  ^bb0(%a: tensor<16x1x1x64xf32>, %b: tensor<1x16x64xf32>):
    // expected-error @+1 {{unknown activation "Sinus"}}
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Sinus", "Tanh"]}> : (tensor<16x1x1x64xf32>, tensor<1x16x64xf32>) -> (tensor<16x1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>)
    kernel.yield %0#0 : tensor<16x1x1x16xf32>
  }
  return %r : tensor<16x1x1x16xf32>
}

// -----

func.func @main(%g: tensor<2x1x1x4xf32>, %m: tensor<1x4x4xf32>) -> tensor<2x1x1x4xf32> {
  // expected-error @+1 {{a recurrence must be alone in its group}}
  %r = kernel.group(%g, %m) : (tensor<2x1x1x4xf32>, tensor<1x4x4xf32>) -> tensor<2x1x1x4xf32> {
  ^bb0(%a: tensor<2x1x1x4xf32>, %b: tensor<1x4x4xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"]}> : (tensor<2x1x1x4xf32>, tensor<1x4x4xf32>) -> (tensor<2x1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
    %1 = graph.relu %0#0 : (tensor<2x1x1x4xf32>) -> tensor<2x1x1x4xf32>
    kernel.yield %1 : tensor<2x1x1x4xf32>
  }
  return %r : tensor<2x1x1x4xf32>
}
