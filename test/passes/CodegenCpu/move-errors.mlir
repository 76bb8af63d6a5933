// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%x: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'graph.concat' is not a loop}}
  %r = kernel.group(%x) : (tensor<4x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    %0 = graph.concat %a, %a {axis = 0 : i64} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = graph.relu %0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
    kernel.yield %1 : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}
