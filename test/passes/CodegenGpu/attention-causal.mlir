// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 | FileCheck %s

// Steps end behind the diagonal where a constant hides all later keys, and no
// row's own one.

// CHECK-LABEL: func.func @causal
// CHECK: plan = #kernel.plan<"gpu_attention", {causal = 1 : i64,
func.func @causal(%q: tensor<4x8x8xf32>, %k: tensor<4x8x8xf32>, %v: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %m = graph.constant dense<[[0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<8x8xf32>
  %0 = kernel.group(%q, %k, %v, %m) {tile = #kernel.tile<dims = [0, 1], sizes = [1, 8]>} : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32> {
  ^bb0(%q0: tensor<4x8x8xf32>, %k0: tensor<4x8x8xf32>, %v0: tensor<4x8x8xf32>, %m0: tensor<8x8xf32>):
    %scores = kernel.stage(%q0, %k0, %m0) in register : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%q0_0: tensor<4x8x8xf32>, %k0_0: tensor<4x8x8xf32>, %m0_0: tensor<8x8xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %2 = graph.add %1, %m0_0 : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
      kernel.yield %2 : tensor<4x8x8xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%v2: tensor<4x8x8xf32>):
      %3 = graph.reduce_max %v2 {axes = array<i64: 2>} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
      %4 = graph.sub %v2, %3 : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
      %5 = graph.exp %4 : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %6 = graph.reduce_sum %5 {axes = array<i64: 2>} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
      %7 = graph.div %5, %6 : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
      kernel.yield %7 : tensor<4x8x8xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%v7: tensor<4x8x8xf32>, %v0_2: tensor<4x8x8xf32>):
      %8 = graph.matmul %v7, %v0_2 : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      kernel.yield %8 : tensor<4x8x8xf32>
    }
    kernel.yield %context : tensor<4x8x8xf32>
  }
  return %0 : tensor<4x8x8xf32>
}

// CHECK-LABEL: func.func @seen
// CHECK: causal = 0 : i64
func.func @seen(%q: tensor<4x8x8xf32>, %k: tensor<4x8x8xf32>, %v: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %m = graph.constant dense<[[0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, 0.0], [0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<8x8xf32>
  %0 = kernel.group(%q, %k, %v, %m) {tile = #kernel.tile<dims = [0, 1], sizes = [1, 8]>} : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32> {
  ^bb0(%q0: tensor<4x8x8xf32>, %k0: tensor<4x8x8xf32>, %v0: tensor<4x8x8xf32>, %m0: tensor<8x8xf32>):
    %scores = kernel.stage(%q0, %k0, %m0) in register : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%q0_0: tensor<4x8x8xf32>, %k0_0: tensor<4x8x8xf32>, %m0_0: tensor<8x8xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %2 = graph.add %1, %m0_0 : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
      kernel.yield %2 : tensor<4x8x8xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%v2: tensor<4x8x8xf32>):
      %3 = graph.reduce_max %v2 {axes = array<i64: 2>} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
      %4 = graph.sub %v2, %3 : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
      %5 = graph.exp %4 : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %6 = graph.reduce_sum %5 {axes = array<i64: 2>} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
      %7 = graph.div %5, %6 : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
      kernel.yield %7 : tensor<4x8x8xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%v7: tensor<4x8x8xf32>, %v0_2: tensor<4x8x8xf32>):
      %8 = graph.matmul %v7, %v0_2 : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      kernel.yield %8 : tensor<4x8x8xf32>
    }
    kernel.yield %context : tensor<4x8x8xf32>
  }
  return %0 : tensor<4x8x8xf32>
}

// CHECK-LABEL: func.func @strictly
// CHECK: causal = 0 : i64
func.func @strictly(%q: tensor<4x8x8xf32>, %k: tensor<4x8x8xf32>, %v: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %m = graph.constant dense<[[-3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38, -3.4e38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.4e38]]> : tensor<8x8xf32>
  %0 = kernel.group(%q, %k, %v, %m) {tile = #kernel.tile<dims = [0, 1], sizes = [1, 8]>} : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32> {
  ^bb0(%q0: tensor<4x8x8xf32>, %k0: tensor<4x8x8xf32>, %v0: tensor<4x8x8xf32>, %m0: tensor<8x8xf32>):
    %scores = kernel.stage(%q0, %k0, %m0) in register : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%q0_0: tensor<4x8x8xf32>, %k0_0: tensor<4x8x8xf32>, %m0_0: tensor<8x8xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %2 = graph.add %1, %m0_0 : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
      kernel.yield %2 : tensor<4x8x8xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%v2: tensor<4x8x8xf32>):
      %3 = graph.reduce_max %v2 {axes = array<i64: 2>} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
      %4 = graph.sub %v2, %3 : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
      %5 = graph.exp %4 : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %6 = graph.reduce_sum %5 {axes = array<i64: 2>} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
      %7 = graph.div %5, %6 : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
      kernel.yield %7 : tensor<4x8x8xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
    ^bb0(%v7: tensor<4x8x8xf32>, %v0_2: tensor<4x8x8xf32>):
      %8 = graph.matmul %v7, %v0_2 : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      kernel.yield %8 : tensor<4x8x8xf32>
    }
    kernel.yield %context : tensor<4x8x8xf32>
  }
  return %0 : tensor<4x8x8xf32>
}
