// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 | FileCheck %s

// Too few columns for a product: the strategy that computes such a convolution
// has no epilogue, so what follows becomes a group of its own.
// CHECK: %[[C:.*]] = kernel.group(%arg0, %arg1)
// CHECK-SAME: #kernel.plan<"conv_transpose",
// CHECK: kernel.group(%[[C]], %arg2)
// CHECK-SAME: #kernel.plan<"loops",
// CHECK: graph.relu
// CHECK-NEXT: graph.add
func.func @main(%x: tensor<1x4x4x24xf32>, %w: tensor<24x2x2x2xf32>, %z: tensor<2xf32>) -> tensor<1x8x8x2xf32> {
  %r = kernel.group(%x, %w, %z) : (tensor<1x4x4x24xf32>, tensor<24x2x2x2xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32> {
  ^bb0(%a: tensor<1x4x4x24xf32>, %b: tensor<24x2x2x2xf32>, %c: tensor<2xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x4x4x24xf32>, tensor<24x2x2x2xf32>) -> tensor<1x8x8x2xf32>
    %1 = graph.relu %0 : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
    %2 = graph.add %1, %c : (tensor<1x8x8x2xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
    kernel.yield %2 : tensor<1x8x8x2xf32>
  }
  return %r : tensor<1x8x8x2xf32>
}
