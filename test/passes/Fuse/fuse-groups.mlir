// RUN: tenon-opt %s --tenon-fuse-groups --split-input-file | FileCheck %s

// An activation joins the convolution in front of it; layout changes stay apart.
// CHECK-LABEL: func.func @epilogue
func.func @epilogue(%x: tensor<1x8x8x4xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32> {
  // CHECK: kernel.group "contraction"
  // CHECK: graph.conv
  // CHECK-NEXT: graph.relu
  // CHECK-NEXT: kernel.yield
  // CHECK-NOT: graph.
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x4xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %1 = graph.relu %0 : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %1 : tensor<1x8x8x8xf32>
}

// -----

// Element-wise chains without an anchor become one loop nest.
// CHECK-LABEL: func.func @loops
func.func @loops(%x: tensor<16x4xf32>, %b: tensor<4xf32>) -> tensor<16x4xf32> {
  // CHECK: kernel.group "loops"(%{{.*}}, %{{.*}})
  // CHECK: graph.add
  // CHECK-NEXT: graph.tanh
  // CHECK-NEXT: kernel.yield
  %0 = graph.add %x, %b : (tensor<16x4xf32>, tensor<4xf32>) -> tensor<16x4xf32>
  %1 = graph.tanh %0 : (tensor<16x4xf32>) -> tensor<16x4xf32>
  return %1 : tensor<16x4xf32>
}

// -----

// A data movement is a group of its own kind.
// CHECK-LABEL: func.func @move
func.func @move(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<4x4xf32> {
  // CHECK: kernel.group "move"
  // CHECK: graph.concat
  %0 = graph.concat %x, %y {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
