// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = kernel.group "move"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    // expected-error @+1 {{'graph.softmax' has no kernel}}
    %0 = graph.softmax %a {axis = 1 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    kernel.yield %0 : tensor<4x6xf32>
  }
  return %r : tensor<4x6xf32>
}

// -----

func.func @main(%x: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{a movement stands alone in its group, with all of its results}}
  %r = kernel.group "move"(%x) : (tensor<4x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    %0 = graph.concat %a, %a {axis = 0 : i64} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = graph.relu %0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
    kernel.yield %1 : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}
