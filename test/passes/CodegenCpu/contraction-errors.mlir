// RUN: not tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 2>&1 | FileCheck %s

// CHECK: error: 'kernel.group' op of kind 'contraction' has no matmul or conv
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.group "contraction"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x0: tensor<4xf32>):
    %1 = graph.relu %x0 : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK: error: 'graph.conv_transpose' is a product only in layout nhwc, where windows do not meet
func.func @main(%x: tensor<1x4x4x8xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x9x9x8xf32> {
  %0 = kernel.group "contraction"(%x, %w) : (tensor<1x4x4x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x9x9x8xf32> {
  ^bb0(%x0: tensor<1x4x4x8xf32>, %w0: tensor<8x8x3x3xf32>):
    %1 = graph.conv_transpose %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x9x9x8xf32>
    kernel.yield %1 : tensor<1x9x9x8xf32>
  }
  return %0 : tensor<1x9x9x8xf32>
}

// -----

// CHECK: error: 'graph.conv' needs layout nhwc here
func.func @main(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  %0 = kernel.group "contraction"(%x, %w) : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  ^bb0(%x0: tensor<1x8x4x4xf32>, %w0: tensor<8x8x1x1xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
    kernel.yield %1 : tensor<1x8x4x4xf32>
  }
  return %0 : tensor<1x8x4x4xf32>
}
