// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --split-input-file --verify-diagnostics

// No block has memory for rows of so many columns, and nothing else has scores
// in registers.

func.func @wide(%q: tensor<16x1024xf32>, %k: tensor<32x1024xf32>, %v: tensor<32x1024xf32>) -> tensor<16x1024xf32> {
  // expected-error@+1 {{has stages that no strategy computes}}
  %0 = kernel.group(%q, %k, %v) {tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<16x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>) -> tensor<16x1024xf32> {
  ^bb0(%q0: tensor<16x1024xf32>, %k0: tensor<32x1024xf32>, %v0: tensor<32x1024xf32>):
    %scores = kernel.stage(%q0, %k0) in register : (tensor<16x1024xf32>, tensor<32x1024xf32>) -> tensor<16x32xf32> {
    ^bb0(%q0_0: tensor<16x1024xf32>, %k0_0: tensor<32x1024xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<16x1024xf32>, tensor<32x1024xf32>) -> tensor<16x32xf32>
      kernel.yield %1 : tensor<16x32xf32>
    }
    %weights = kernel.stage(%scores) : (tensor<16x32xf32>) -> tensor<16x32xf32> {
    ^bb0(%v1: tensor<16x32xf32>):
      %2 = graph.reduce_max %v1 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
      %3 = graph.sub %v1, %2 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
      %4 = graph.exp %3 : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %5 = graph.reduce_sum %4 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
      %6 = graph.div %4, %5 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
      kernel.yield %6 : tensor<16x32xf32>
    }
    %context = kernel.stage(%weights, %v0) : (tensor<16x32xf32>, tensor<32x1024xf32>) -> tensor<16x1024xf32> {
    ^bb0(%v6: tensor<16x32xf32>, %v0_2: tensor<32x1024xf32>):
      %7 = graph.matmul %v6, %v0_2 : (tensor<16x32xf32>, tensor<32x1024xf32>) -> tensor<16x1024xf32>
      kernel.yield %7 : tensor<16x1024xf32>
    }
    kernel.yield %context : tensor<16x1024xf32>
  }
  return %0 : tensor<16x1024xf32>
}

// -----

// What has scores in registers does not compute what is said to lie elsewhere.

func.func @scratch(%q: tensor<16x64xf32>, %k: tensor<32x64xf32>, %v: tensor<32x64xf32>) -> tensor<16x64xf32> {
  // expected-error@+1 {{has stages that no strategy computes}}
  %0 = kernel.group(%q, %k, %v) {tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<16x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<16x64xf32> {
  ^bb0(%q0: tensor<16x64xf32>, %k0: tensor<32x64xf32>, %v0: tensor<32x64xf32>):
    %scores = kernel.stage(%q0, %k0) in scratch : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
    ^bb0(%q0_0: tensor<16x64xf32>, %k0_0: tensor<32x64xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
      kernel.yield %1 : tensor<16x32xf32>
    }
    %weights = kernel.stage(%scores) : (tensor<16x32xf32>) -> tensor<16x32xf32> {
    ^bb0(%v1: tensor<16x32xf32>):
      %2 = graph.reduce_max %v1 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
      %3 = graph.sub %v1, %2 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
      %4 = graph.exp %3 : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %5 = graph.reduce_sum %4 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
      %6 = graph.div %4, %5 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
      kernel.yield %6 : tensor<16x32xf32>
    }
    %context = kernel.stage(%weights, %v0) : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32> {
    ^bb0(%v6: tensor<16x32xf32>, %v0_2: tensor<32x64xf32>):
      %7 = graph.matmul %v6, %v0_2 : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
      kernel.yield %7 : tensor<16x64xf32>
    }
    kernel.yield %context : tensor<16x64xf32>
  }
  return %0 : tensor<16x64xf32>
}
