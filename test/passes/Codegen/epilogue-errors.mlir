// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x1xf32> {
  ^bb0(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>):
    %0 = graph.matmul %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @+1 {{'graph.reduce_sum' cannot follow 'graph.matmul' in one kernel}}
    %1 = graph.reduce_sum %0 {axes = array<i64: 1>} : (tensor<8x8xf32>) -> tensor<8x1xf32>
    kernel.yield %1 : tensor<8x1xf32>
  }
  return %r : tensor<8x1xf32>
}
