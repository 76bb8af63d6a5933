// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func @elementwise
func.func @elementwise(%x: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2x1xi1>) -> tensor<2x3xf32> {
  // CHECK: graph.add %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = graph.add %x, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: graph.select
  %1 = graph.select %c, %0, %b : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: graph.less %{{.*}} -> tensor<2x3xi1>
  %2 = graph.less %1, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: graph.cast %{{.*}} : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %3 = graph.cast %2 : (tensor<2x3xi1>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// CHECK-LABEL: func @symbols
// CHECK-SAME: tensor<?x4xf32, #graph.dims<["batch", 4]>>
func.func @symbols(%x: tensor<?x4xf32, #graph.dims<["batch", 4]>>, %w: tensor<4x8xf32>)
    -> tensor<?x8xf32, #graph.dims<["batch", 8]>> {
  // CHECK: graph.matmul %{{.*}} -> tensor<?x8xf32, #graph.dims<["batch", 8]>>
  %0 = graph.matmul %x, %w : (tensor<?x4xf32, #graph.dims<["batch", 4]>>, tensor<4x8xf32>)
    -> tensor<?x8xf32, #graph.dims<["batch", 8]>>
  return %0 : tensor<?x8xf32, #graph.dims<["batch", 8]>>
}

// CHECK-LABEL: func @images
func.func @images(%x: tensor<1x4x9x9xf32>, %w: tensor<6x2x3x3xf32>, %t: tensor<6x2x2x2xf32>) -> tensor<1x4x10x10xf32> {
  // CHECK: graph.conv
  // CHECK-SAME: group = 2
  %0 = graph.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>,
    dilations = array<i64: 1, 1>, group = 2 : i64}
    : (tensor<1x4x9x9xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x5x5xf32>
  // CHECK: graph.max_pool
  %1 = graph.max_pool %0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>,
    pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x6x5x5xf32>) -> tensor<1x6x5x5xf32>
  // CHECK: graph.lrn
  %2 = graph.lrn %1 {size = 5 : i64, alpha = 1.0e-4 : f32, beta = 0.75 : f32, bias = 1.0 : f32}
    : (tensor<1x6x5x5xf32>) -> tensor<1x6x5x5xf32>
  // CHECK: graph.conv_transpose
  %3 = graph.conv_transpose %2, %t {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>,
    dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 2 : i64}
    : (tensor<1x6x5x5xf32>, tensor<6x2x2x2xf32>) -> tensor<1x4x10x10xf32>
  return %3 : tensor<1x4x10x10xf32>
}

// CHECK-LABEL: func @channels_last
func.func @channels_last(%x: tensor<1x9x9x4xf32>, %w: tensor<6x4x1x1xf32>) -> tensor<1x9x9x6xf32> {
  // CHECK: layout = #graph<layout nhwc>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
    dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>}
    : (tensor<1x9x9x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x9x9x6xf32>
  return %0 : tensor<1x9x9x6xf32>
}

// CHECK-LABEL: func @movement
func.func @movement(%x: tensor<2x3x4xf32>, %i: tensor<5xi64>, %v: tensor<f32>) -> tensor<4x2x7xf32> {
  // CHECK: graph.gather
  %0 = graph.gather %x, %i {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<5xi64>) -> tensor<2x5x4xf32>
  // CHECK: graph.slice
  %1 = graph.slice %0 {starts = array<i64: 0, 4, 0>, sizes = array<i64: 2, 2, 4>, steps = array<i64: 1, -2, 1>}
    : (tensor<2x5x4xf32>) -> tensor<2x2x4xf32>
  // CHECK: graph.concat
  %2 = graph.concat %0, %1 {axis = 1 : i64} : (tensor<2x5x4xf32>, tensor<2x2x4xf32>) -> tensor<2x7x4xf32>
  // CHECK: graph.transpose
  %3 = graph.transpose %2 {permutation = array<i64: 2, 0, 1>} : (tensor<2x7x4xf32>) -> tensor<4x2x7xf32>
  // CHECK: graph.pad
  %4 = graph.pad %3, %v {low = array<i64: 0, 1, 0>, high = array<i64: 0, -1, 0>}
    : (tensor<4x2x7xf32>, tensor<f32>) -> tensor<4x2x7xf32>
  return %4 : tensor<4x2x7xf32>
}

// CHECK-LABEL: func @reductions
func.func @reductions(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>) -> tensor<2xi64> {
  // CHECK: graph.layer_norm
  %0 = graph.layer_norm %x, %s {axis = 2 : i64, epsilon = 1.0e-5 : f32}
    : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  // CHECK: graph.softmax
  %1 = graph.softmax %0 {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: graph.reduce_sum
  %2 = graph.reduce_sum %1 {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  // CHECK: graph.arg_max
  %3 = graph.arg_max %2 {axis = 1 : i64, keep_dims = false} : (tensor<2x4xf32>) -> tensor<2xi64>
  return %3 : tensor<2xi64>
}

// CHECK-LABEL: func @recurrent
func.func @recurrent(%x: tensor<7x2x3xf32>, %w: tensor<1x20x3xf32>, %r: tensor<1x20x5xf32>) -> tensor<7x1x2x5xf32> {
  // CHECK: graph.recurrent
  %0:3 = graph.recurrent %x, %w, %r {cell = #graph<cell lstm>, direction = #graph<direction forward>,
    activations = ["Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<7x2x3xf32>, tensor<1x20x3xf32>, tensor<1x20x5xf32>)
    -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return %0#0 : tensor<7x1x2x5xf32>
}
