// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --split-input-file --verify-diagnostics

// A tile of the whole image leaves more between stages than a block has.
func.func @large(%x: tensor<1x64x64x16xf32>) -> tensor<1x64x64x16xf32> {
  %w0 = graph.constant dense<0.5> : tensor<64x16x1x1xf32>
  %w1 = graph.constant dense<0.5> : tensor<64x1x3x3xf32>
  %w2 = graph.constant dense<0.5> : tensor<16x64x1x1xf32>
  // expected-error@+1 {{has stages that no strategy computes}}
  %y = kernel.group(%x, %w0, %w1, %w2) {tile = #kernel.tile<dims = [1, 2], sizes = [64, 64]>} : (tensor<1x64x64x16xf32>, tensor<64x16x1x1xf32>, tensor<64x1x3x3xf32>, tensor<16x64x1x1xf32>) -> tensor<1x64x64x16xf32> {
  ^bb0(%x0: tensor<1x64x64x16xf32>, %v0: tensor<64x16x1x1xf32>, %v1: tensor<64x1x3x3xf32>, %v2: tensor<16x64x1x1xf32>):
    %0 = kernel.stage(%x0, %v0) in shared : (tensor<1x64x64x16xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x64x64xf32> {
    ^bb0(%a: tensor<1x64x64x16xf32>, %b: tensor<64x16x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x64x64x16xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x64x64xf32>
      kernel.yield %r : tensor<1x64x64x64xf32>
    }
    %1 = kernel.stage(%0, %v1) in shared : (tensor<1x64x64x64xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x64x64xf32> {
    ^bb0(%a: tensor<1x64x64x64xf32>, %b: tensor<64x1x3x3xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 64 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x64x64xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x64x64xf32>
      kernel.yield %r : tensor<1x64x64x64xf32>
    }
    %2 = kernel.stage(%1, %v2) in memory : (tensor<1x64x64x64xf32>, tensor<16x64x1x1xf32>) -> tensor<1x64x64x16xf32> {
    ^bb0(%a: tensor<1x64x64x64xf32>, %b: tensor<16x64x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x64x64x64xf32>, tensor<16x64x1x1xf32>) -> tensor<1x64x64x16xf32>
      kernel.yield %r : tensor<1x64x64x16xf32>
    }
    kernel.yield %2 : tensor<1x64x64x16xf32>
  }
  return %y : tensor<1x64x64x16xf32>
}

// -----

// Nothing on a GPU leaves results in scratch of a thread.
func.func @scratch(%x: tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32> {
  %w0 = graph.constant dense<0.5> : tensor<8x4x1x1xf32>
  %w1 = graph.constant dense<0.5> : tensor<8x1x3x3xf32>
  %w2 = graph.constant dense<0.5> : tensor<4x8x1x1xf32>
  // expected-error@+1 {{has stages that no strategy computes}}
  %y = kernel.group(%x, %w0, %w1, %w2) {tile = #kernel.tile<dims = [1, 2], sizes = [4, 8]>} : (tensor<1x16x16x4xf32>, tensor<8x4x1x1xf32>, tensor<8x1x3x3xf32>, tensor<4x8x1x1xf32>) -> tensor<1x16x16x4xf32> {
  ^bb0(%x0: tensor<1x16x16x4xf32>, %v0: tensor<8x4x1x1xf32>, %v1: tensor<8x1x3x3xf32>, %v2: tensor<4x8x1x1xf32>):
    %0 = kernel.stage(%x0, %v0) in scratch : (tensor<1x16x16x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x16x16x8xf32> {
    ^bb0(%a: tensor<1x16x16x4xf32>, %b: tensor<8x4x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x16x16x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x16x16x8xf32>
      kernel.yield %r : tensor<1x16x16x8xf32>
    }
    %1 = kernel.stage(%0, %v1) in scratch : (tensor<1x16x16x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x16x16x8xf32> {
    ^bb0(%a: tensor<1x16x16x8xf32>, %b: tensor<8x1x3x3xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 8 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x16x16x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x16x16x8xf32>
      kernel.yield %r : tensor<1x16x16x8xf32>
    }
    %2 = kernel.stage(%1, %v2) in memory : (tensor<1x16x16x8xf32>, tensor<4x8x1x1xf32>) -> tensor<1x16x16x4xf32> {
    ^bb0(%a: tensor<1x16x16x8xf32>, %b: tensor<4x8x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x16x16x8xf32>, tensor<4x8x1x1xf32>) -> tensor<1x16x16x4xf32>
      kernel.yield %r : tensor<1x16x16x4xf32>
    }
    kernel.yield %2 : tensor<1x16x16x4xf32>
  }
  return %y : tensor<1x16x16x4xf32>
}
