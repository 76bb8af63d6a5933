// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --verify-diagnostics

// No block has memory for rows of so many columns, and nothing else computes two
// products.

func.func @wide(%q: tensor<16x1024xf32>, %k: tensor<32x1024xf32>, %v: tensor<32x1024xf32>) -> tensor<16x1024xf32> {
  // expected-error@+1 {{is an attention without a plan}}
  %0 = kernel.group(%q, %k, %v) : (tensor<16x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>) -> tensor<16x1024xf32> {
  ^bb0(%q0: tensor<16x1024xf32>, %k0: tensor<32x1024xf32>, %v0: tensor<32x1024xf32>):
    %1 = graph.matmul %q0, %k0 {transpose_rhs} : (tensor<16x1024xf32>, tensor<32x1024xf32>) -> tensor<16x32xf32>
    %2 = graph.reduce_max %1 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
    %3 = graph.sub %1, %2 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
    %4 = graph.exp %3 : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %5 = graph.reduce_sum %4 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
    %6 = graph.div %4, %5 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
    %7 = graph.matmul %6, %v0 : (tensor<16x32xf32>, tensor<32x1024xf32>) -> tensor<16x1024xf32>
    kernel.yield %7 : tensor<16x1024xf32>
  }
  return %0 : tensor<16x1024xf32>
}
