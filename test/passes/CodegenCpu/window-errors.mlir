// RUN: not tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 2>&1 | FileCheck %s

// CHECK: error: 'kernel.group' op of kind 'window' has no pool or convolution
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.group "window"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x0: tensor<4xf32>):
    %1 = graph.relu %x0 : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK: error: 'graph.conv' is not depthwise: 2 groups of 4 channels
func.func @main(%x: tensor<1x4x4x8xf32>, %w: tensor<8x4x1x1xf32>) -> tensor<1x4x4x8xf32> {
  %0 = kernel.group "window"(%x, %w) : (tensor<1x4x4x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%x0: tensor<1x4x4x8xf32>, %w0: tensor<8x4x1x1xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 2 : i64, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x4x4x8xf32>
    kernel.yield %1 : tensor<1x4x4x8xf32>
  }
  return %0 : tensor<1x4x4x8xf32>
}

// -----

// CHECK: error: 'graph.avg_pool' of integers has no kernel
func.func @main(%x: tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xi32> {
  %0 = kernel.group "window"(%x) : (tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xi32> {
  ^bb0(%x0: tensor<1x4x4x8xi32>):
    %1 = graph.avg_pool %x0 {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xi32>
    kernel.yield %1 : tensor<1x4x4x8xi32>
  }
  return %0 : tensor<1x4x4x8xi32>
}
