// RUN: tenon-opt %s --tenon-fuse-groups --split-input-file | FileCheck %s

// An activation joins the convolution in front of it; layout changes stay apart.
// CHECK-LABEL: func.func @epilogue
func.func @epilogue(%x: tensor<1x8x8x4xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32> {
  // CHECK: kernel.group
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
  // CHECK: kernel.group(%{{.*}}, %{{.*}})
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
  // CHECK: kernel.group
  // CHECK: graph.concat
  %0 = graph.concat %x, %y {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Both branches of a diamond are one nest, whichever comes first, and so are the
// summands of a sum.
// CHECK-LABEL: func.func @branches
func.func @branches(%x: tensor<16x4xf32>, %y: tensor<16x4xf32>, %z: tensor<16x4xf32>) -> tensor<16x4xf32> {
  // CHECK-COUNT-1: kernel.group
  // CHECK-NOT: kernel.group
  // CHECK: return
  %0 = graph.neg %x : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %1 = graph.erf %x : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %2 = graph.mul %0, %1 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %3 = graph.mul %y, %y : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %4 = graph.mul %z, %z : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %5 = graph.add %3, %4 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %6 = graph.add %2, %5 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  return %6 : tensor<16x4xf32>
}

// -----

// A gate on fewer elements would be computed for each again; a branch that
// someone else reads, or that needs what a product makes of the group, stays.
// CHECK-LABEL: func.func @apart
func.func @apart(%x: tensor<16x4xf32>, %g: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>) {
  // CHECK: kernel.group
  // CHECK: graph.sigmoid
  // CHECK-NEXT: kernel.yield
  // CHECK: kernel.group
  // CHECK: graph.neg
  // CHECK-NEXT: graph.mul
  // CHECK-NEXT: kernel.yield
  // CHECK: kernel.group
  // CHECK: graph.erf
  // CHECK-NEXT: kernel.yield
  // CHECK: kernel.group
  // CHECK: graph.exp
  // CHECK-NEXT: graph.mul
  // CHECK-NEXT: kernel.yield
  // CHECK: kernel.group
  // CHECK: graph.matmul
  // CHECK-NEXT: graph.add
  // CHECK-NEXT: kernel.yield
  %0 = graph.neg %x : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %1 = graph.sigmoid %g : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = graph.mul %0, %1 : (tensor<16x4xf32>, tensor<1x4xf32>) -> tensor<16x4xf32>
  %3 = graph.exp %x : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %4 = graph.erf %x : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %5 = graph.mul %3, %4 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %6 = graph.matmul %5, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32>
  %7 = graph.add %6, %5 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  return %2, %4, %7 : tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>
}

// -----

// Rows that a resize repeats are read where they are, not computed again.
// CHECK-LABEL: func.func @repeats
func.func @repeats(%x: tensor<1x2x3x16xf32>, %y: tensor<1x4x6x16xf32>, %z: tensor<1x4x6x16xf32>) -> (tensor<1x4x6x16xf32>, tensor<1x4x3x16xf32>) {
  // CHECK: kernel.group
  // CHECK: graph.exp
  // CHECK-NEXT: kernel.yield
  // CHECK: kernel.group
  // CHECK: graph.mul
  // CHECK-NEXT: graph.resize
  // CHECK-NEXT: graph.add
  // CHECK-NEXT: kernel.yield
  // CHECK: kernel.group
  // CHECK: graph.resize
  // CHECK-NEXT: kernel.yield
  %0 = graph.exp %x : (tensor<1x2x3x16xf32>) -> tensor<1x2x3x16xf32>
  %1 = graph.mul %y, %z : (tensor<1x4x6x16xf32>, tensor<1x4x6x16xf32>) -> tensor<1x4x6x16xf32>
  %2 = graph.resize %0 {scales = array<f32: 1.0, 2.0, 2.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>} : (tensor<1x2x3x16xf32>) -> tensor<1x4x6x16xf32>
  %3 = graph.add %1, %2 : (tensor<1x4x6x16xf32>, tensor<1x4x6x16xf32>) -> tensor<1x4x6x16xf32>
  // Of four rows the second and the third are one, and the last is the end's.
  %4 = graph.resize %0 {scales = array<f32: 1.0, 2.0, 1.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode ceil>} : (tensor<1x2x3x16xf32>) -> tensor<1x4x3x16xf32>
  return %3, %4 : tensor<1x4x6x16xf32>, tensor<1x4x3x16xf32>
}

// -----

// One walk finds both extremes; along other axes it is two.
// CHECK-LABEL: func.func @extremes
func.func @extremes(%x: tensor<16x4xf32>) -> (tensor<16x1xf32>, tensor<16x1xf32>) {
  // CHECK: kernel.group
  // CHECK: graph.reduce_max
  // CHECK: graph.reduce_min
  // CHECK: graph.sub
  // CHECK-NEXT: kernel.yield
  %0 = graph.reduce_max %x {axes = array<i64: 1>} : (tensor<16x4xf32>) -> tensor<16x1xf32>
  %1 = graph.reduce_min %x {axes = array<i64: 1>} : (tensor<16x4xf32>) -> tensor<16x1xf32>
  %2 = graph.sub %0, %1 : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
  // CHECK: kernel.group
  // CHECK: graph.reduce_max
  // CHECK: kernel.yield
  %3 = graph.reduce_max %x {axes = array<i64: 0, 1>} : (tensor<16x4xf32>) -> tensor<1x1xf32>
  %4 = graph.reduce_min %x {axes = array<i64: 1>} : (tensor<16x4xf32>) -> tensor<16x1xf32>
  %5 = graph.sub %4, %3 : (tensor<16x1xf32>, tensor<1x1xf32>) -> tensor<16x1xf32>
  return %2, %5 : tensor<16x1xf32>, tensor<16x1xf32>
}
