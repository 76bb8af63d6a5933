// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a --split-input-file --verify-diagnostics

// Plans that somebody wrote.

!x = !memory.buffer<tensor<8x64xf32>, [64, 1], 0, 2048>
!y = !memory.buffer<tensor<8x1xf32>, [1, 1], 0, 32>
func.func @team(%x: tensor<8x64xf32>) -> tensor<8x1xf32> {
  // expected-error@+1 {{has a plan of other threads than its rows have}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"gpu_rows", {kept = 1, team = 24, units = 4, vector = 1}>} : (tensor<8x64xf32>) -> tensor<8x1xf32> {
  ^bb0(%v: tensor<8x64xf32>):
    %1 = graph.reduce_sum %v {axes = array<i64: 1>} : (tensor<8x64xf32>) -> tensor<8x1xf32>
    kernel.yield %1 : tensor<8x1xf32>
  }
  return %0 : tensor<8x1xf32>
}

// -----

!x = !memory.buffer<tensor<8x64xf32>, [64, 1], 0, 2048>
func.func @threads(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{has a plan of other threads than its points have}}
  %0 = kernel.group(%x) {buffers = [!x, !x], plan = #kernel.plan<"gpu_points", {threads = 33, transposed = -1, vector = 1}>} : (tensor<8x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%v: tensor<8x64xf32>):
    %1 = graph.relu %v : (tensor<8x64xf32>) -> tensor<8x64xf32>
    kernel.yield %1 : tensor<8x64xf32>
  }
  return %0 : tensor<8x64xf32>
}

// -----

!x = !memory.buffer<tensor<8x64xf32>, [64, 1], 0, 2048>
func.func @loop(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{has a plan of other loops}}
  %0 = kernel.group(%x) {buffers = [!x, !x], plan = #kernel.plan<"gpu_points", {threads = 32, transposed = -1, vector = 7}>} : (tensor<8x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%v: tensor<8x64xf32>):
    %1 = graph.relu %v : (tensor<8x64xf32>) -> tensor<8x64xf32>
    kernel.yield %1 : tensor<8x64xf32>
  }
  return %0 : tensor<8x64xf32>
}
