// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%g: tensor<16x1x1x64xf32>, %m: tensor<1x16x64xf32>) -> tensor<16x1x1x16xf32> {
  %r = kernel.group "recurrent"(%g, %m) : (tensor<16x1x1x64xf32>, tensor<1x16x64xf32>) -> tensor<16x1x1x16xf32> {
  ^bb0(%a: tensor<16x1x1x64xf32>, %b: tensor<1x16x64xf32>):
    // expected-error @+1 {{unknown activation "Sinus"}}
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Sinus", "Tanh"]}> : (tensor<16x1x1x64xf32>, tensor<1x16x64xf32>) -> (tensor<16x1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>)
    kernel.yield %0#0 : tensor<16x1x1x16xf32>
  }
  return %r : tensor<16x1x1x16xf32>
}
