// RUN: tenon-opt %s -tenon-assign-layouts | FileCheck %s

// One transpose at the input, none behind the global mean.
// CHECK-LABEL: func @classifier
// CHECK-NEXT: %[[X:.*]] = graph.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>}
// CHECK: graph.conv %[[X]]{{.*}}layout = #graph<layout nhwc>{{.*}} -> tensor<1x8x8x4xf32>
// CHECK: graph.add %{{.*}} : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>)
// CHECK: graph.relu
// CHECK: graph.conv
// CHECK: graph.add
// CHECK: graph.reduce_mean %{{.*}} {axes = array<i64: 1, 2>
// CHECK: graph.reshape %{{.*}} : (tensor<1x1x1x4xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NOT: graph.transpose
func.func @classifier(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4xf32> {
  %b = graph.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = graph.add %0, %b : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %2 = graph.relu %1 : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %3 = graph.conv %2, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %4 = graph.add %3, %2 : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %5 = graph.reduce_mean %4 {axes = array<i64: 2, 3>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x1x1xf32>
  %6 = graph.reshape %5 : (tensor<1x4x1x1xf32>) -> tensor<1x4xf32>
  return %6 : tensor<1x4xf32>
}

// Attributes with one entry per dimension follow.
// CHECK-LABEL: func @movement
// CHECK: graph.concat %{{.*}} {axis = 3 : i64}
// CHECK: graph.pad %{{.*}}high = array<i64: 0, 1, 0, 0>{{.*}}low = array<i64: 0, 0, 0, 2>
// CHECK: graph.slice %{{.*}}starts = array<i64: 0, 0, 0, 1>
// CHECK: graph.max_pool %{{.*}}layout = #graph<layout nhwc>
func.func @movement(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %v: tensor<f32>) -> tensor<1x5x5x4xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.concat %0, %0 {axis = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = graph.pad %1, %v {low = array<i64: 0, 2, 0, 0>, high = array<i64: 0, 0, 1, 0>}
    : (tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x6x5x4xf32>
  %3 = graph.slice %2 {starts = array<i64: 0, 1, 0, 0>, sizes = array<i64: 1, 5, 5, 4>, steps = array<i64: 1, 1, 1, 1>}
    : (tensor<1x6x5x4xf32>) -> tensor<1x5x5x4xf32>
  %4 = graph.max_pool %3 {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
    dilations = array<i64: 1, 1>} : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  return %4 : tensor<1x5x5x4xf32>
}

// The model's own transposes vanish into the layout; tokens come out directly.
// CHECK-LABEL: func @tokens
// CHECK-NOT: graph.transpose
// CHECK: %[[C:.*]] = graph.conv %arg0
// CHECK-NEXT: %[[T:.*]] = graph.reshape %[[C]] : (tensor<1x4x4x6xf32>) -> tensor<1x16x6xf32>
// CHECK-NEXT: return %[[T]]
func.func @tokens(%x: tensor<1x8x8x3xf32>, %w: tensor<6x3x2x2xf32>) -> tensor<1x16x6xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x3x8x8xf32>
  %1 = graph.conv %0, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x3x8x8xf32>, tensor<6x3x2x2xf32>) -> tensor<1x6x4x4xf32>
  %2 = graph.reshape %1 : (tensor<1x6x4x4xf32>) -> tensor<1x6x16xf32>
  %3 = graph.transpose %2 {permutation = array<i64: 0, 2, 1>} : (tensor<1x6x16xf32>) -> tensor<1x16x6xf32>
  return %3 : tensor<1x16x6xf32>
}

// CHECK-LABEL: func @shuffle
// CHECK: graph.conv
// CHECK-NEXT: graph.reshape %{{.*}} -> tensor<1x4x4x2x3xf32>
// CHECK-NEXT: graph.transpose %{{.*}} {permutation = array<i64: 0, 1, 2, 4, 3>}
// CHECK-NEXT: graph.reshape %{{.*}} -> tensor<1x4x4x6xf32>
// CHECK-NEXT: graph.conv
func.func @shuffle(%x: tensor<1x6x4x4xf32>, %w: tensor<6x6x1x1xf32>) -> tensor<1x6x4x4xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x6x4x4xf32>, tensor<6x6x1x1xf32>) -> tensor<1x6x4x4xf32>
  %1 = graph.reshape %0 : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %3 = graph.reshape %2 : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %4 = graph.conv %3, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x6x4x4xf32>, tensor<6x6x1x1xf32>) -> tensor<1x6x4x4xf32>
  return %4 : tensor<1x6x4x4xf32>
}

// Operations that touch no image with channels last are left alone.
// CHECK-LABEL: func @unrelated
// CHECK-NEXT: graph.relu %arg0 : (tensor<1x4x8xf32>)
// CHECK-NEXT: return
func.func @unrelated(%x: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %0 = graph.relu %x : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// Symbols move with their dimensions.
// CHECK-LABEL: func @symbols
// CHECK: graph.transpose %arg0 {{.*}} -> tensor<?x?x8x2xf32, #graph.dims<["n", "h", 8, 2]>>
// CHECK: graph.max_pool
// CHECK: graph.transpose {{.*}} -> tensor<?x2x?x8xf32, #graph.dims<["n", 2, "h", 8]>>
func.func @symbols(%x: tensor<?x2x?x8xf32, #graph.dims<["n", 2, "h", 8]>>) -> tensor<?x2x?x8xf32, #graph.dims<["n", 2, "h", 8]>> {
  %0 = graph.max_pool %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>,
    dilations = array<i64: 1, 1>}
    : (tensor<?x2x?x8xf32, #graph.dims<["n", 2, "h", 8]>>) -> tensor<?x2x?x8xf32, #graph.dims<["n", 2, "h", 8]>>
  return %0 : tensor<?x2x?x8xf32, #graph.dims<["n", 2, "h", 8]>>
}

// What has its channels last already stays as it is: the sizes alone could
// not tell.
// CHECK-LABEL: func @already
// CHECK-NOT: graph.transpose
func.func @already(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %0 = graph.conv %x, %w {layout = #graph<layout nhwc>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = graph.relu %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}
