// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a --split-input-file --verify-diagnostics

// Plans that somebody wrote.

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
func.func @lanes(%x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has vectors that channels do not fill}}
  %0 = kernel.group(%x) {buffers = [!x, !x], plan = #kernel.plan<"gpu_windows", {lanes = 8, rows = 1, pixels = 1, tap_rows = 3, taps = 3, threads = 32, packed = 0}>} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>):
    %1 = graph.max_pool %v {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xi8>, [512, 64, 8, 1], 0, 512>
func.func @integers(%x: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  // expected-error@+1 {{has no window of floats with channels inside}}
  %0 = kernel.group(%x) {buffers = [!x, !x], plan = #kernel.plan<"gpu_windows", {lanes = 4, rows = 1, pixels = 1, tap_rows = 3, taps = 3, threads = 32, packed = 0}>} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  ^bb0(%v: tensor<1x8x8x8xi8>):
    %1 = graph.max_pool %v {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
    kernel.yield %1 : tensor<1x8x8x8xi8>
  }
  return %0 : tensor<1x8x8x8xi8>
}

// -----

!x = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @no_lrn(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has a plan for a local response normalisation}}
  %0 = kernel.group(%x) {buffers = [!x, !x], plan = #kernel.plan<"gpu_lrn", {}>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>):
    %1 = graph.relu %v : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
