// RUN: tenon-opt %s --tenon-simplify-algebra | FileCheck %s

// Three channels with the same taps become three images, and so does all that
// works on each of them alone: one reshape in front, one behind.

// CHECK-LABEL: func.func @same
// CHECK: %[[PLANES:.*]] = graph.reshape %{{.*}} : (tensor<1x3x40x40xf32>) -> tensor<3x1x40x40xf32>
// CHECK-NOT: group
// CHECK: graph.conv %[[PLANES]], %{{[^:]*}}{{.*}} : (tensor<3x1x40x40xf32>, tensor<1x1x1x3xf32>) -> tensor<3x1x40x40xf32>
// CHECK: graph.sub {{.*}} -> tensor<3x1x40x40xf32>
// CHECK: %[[LAST:.*]] = graph.mul {{.*}} (tensor<3x1x40x40xf32>, tensor<3x1x1x1xf32>) -> tensor<3x1x40x40xf32>
// CHECK-NEXT: graph.reshape %[[LAST]] : (tensor<3x1x40x40xf32>) -> tensor<1x3x40x40xf32>
func.func @same(%x: tensor<1x3x40x40xf32>) -> tensor<1x3x40x40xf32> {
  %w = graph.constant dense<0.5> : tensor<3x1x1x3xf32>
  %k = graph.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, group = 3 : i64, layout = #graph<layout nchw>} : (tensor<1x3x40x40xf32>, tensor<3x1x1x3xf32>) -> tensor<1x3x40x40xf32>
  %1 = graph.sub %x, %0 : (tensor<1x3x40x40xf32>, tensor<1x3x40x40xf32>) -> tensor<1x3x40x40xf32>
  %2 = graph.mul %1, %k : (tensor<1x3x40x40xf32>, tensor<3x1x1xf32>) -> tensor<1x3x40x40xf32>
  return %2 : tensor<1x3x40x40xf32>
}

// Not where they differ.

// CHECK-LABEL: func.func @different
// CHECK-NOT: graph.reshape
// CHECK: group = 3 : i64
func.func @different(%x: tensor<1x3x40x40xf32>) -> tensor<1x3x40x40xf32> {
  %w = graph.constant dense<[[[[1.0, 2.0, 1.0]]], [[[1.0, 2.0, 1.0]]], [[[1.0, 2.0, 3.0]]]]> : tensor<3x1x1x3xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, group = 3 : i64, layout = #graph<layout nchw>} : (tensor<1x3x40x40xf32>, tensor<3x1x1x3xf32>) -> tensor<1x3x40x40xf32>
  return %0 : tensor<1x3x40x40xf32>
}

// A channel that is a sum of three, pixel by pixel.

// CHECK-LABEL: func.func @sum
// CHECK-NOT: graph.conv
// CHECK-COUNT-3: graph.mul
// CHECK-NOT: graph.conv
func.func @sum(%x: tensor<1x3x40x40xf32>) -> tensor<1x1x40x40xf32> {
  %w = graph.constant dense<[[[[0.3]], [[0.6]], [[0.1]]]]> : tensor<1x3x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nchw>} : (tensor<1x3x40x40xf32>, tensor<1x3x1x1xf32>) -> tensor<1x1x40x40xf32>
  return %0 : tensor<1x1x40x40xf32>
}

// Of several images, what each channel has of its own does not become planes:
// the reshape stays where it is.
// CHECK-LABEL: func.func @images
// CHECK: %[[SUM:.*]] = graph.add %arg0, %arg1
// CHECK: %[[PLANES:.*]] = graph.reshape %[[SUM]] : (tensor<4x4x32x32xf32>) -> tensor<16x1x32x32xf32>
// CHECK: graph.max_pool %[[PLANES]]
func.func @images(%x: tensor<4x4x32x32xf32>, %b: tensor<1x4x1x1xf32>) -> tensor<4x4x16x16xf32> {
  %0 = graph.add %x, %b : (tensor<4x4x32x32xf32>, tensor<1x4x1x1xf32>) -> tensor<4x4x32x32xf32>
  %1 = graph.max_pool %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<4x4x32x32xf32>) -> tensor<4x4x16x16xf32>
  return %1 : tensor<4x4x16x16xf32>
}
