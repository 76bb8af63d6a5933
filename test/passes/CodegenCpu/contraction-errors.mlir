// RUN: not tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 2>&1 | FileCheck %s

// CHECK: error: 'graph.conv' needs layout nhwc here
func.func @main(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  ^bb0(%x0: tensor<1x8x4x4xf32>, %w0: tensor<8x8x1x1xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
    kernel.yield %1 : tensor<1x8x4x4xf32>
  }
  return %0 : tensor<1x8x4x4xf32>
}
