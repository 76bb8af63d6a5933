// RUN: tenon-opt %s -tenon-fold-scales | FileCheck %s

// CHECK-LABEL: func @behind_conv
// CHECK-DAG: %[[W:.*]] = graph.constant dense<{{\[\[\[\[}}4.000000e+00]]], {{\[\[\[}}9.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-DAG: %[[B:.*]] = graph.constant dense<{{.*}}2.000000e+01{{.*}}6.000000e+01{{.*}}> : tensor<1x2x1x1xf32>
// CHECK: %[[C:.*]] = graph.conv %arg0, %[[W]]
// CHECK: graph.add %[[C]], %[[B]]
// CHECK-NOT: graph.mul
func.func @behind_conv(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = graph.constant dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %b = graph.constant dense<[[[[10.0]], [[20.0]]]]> : tensor<1x2x1x1xf32>
  %s = graph.constant dense<[[[[2.0]], [[3.0]]]]> : tensor<1x2x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.add %0, %b : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = graph.mul %1, %s : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func @behind_matmul
// CHECK: graph.constant dense<{{\[\[}}5.000000e-01, 4.000000e+00], [1.500000e+00, 8.000000e+00]]>
// CHECK: graph.matmul
// CHECK-NOT: graph.mul
func.func @behind_matmul(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = graph.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %0 = graph.matmul %x, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %1 = graph.mul %0, %s : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func @before_matmul
// CHECK: graph.constant dense<{{\[\[}}5.000000e-01, 1.000000e+00], [6.000000e+00, 8.000000e+00]]>
// CHECK: graph.matmul %arg0
func.func @before_matmul(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = graph.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %0 = graph.mul %x, %s : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %1 = graph.matmul %0, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// A second reader of the product needs it without the scale.
// CHECK-LABEL: func @two_readers
// CHECK: graph.mul
func.func @two_readers(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = graph.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %0 = graph.matmul %x, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %1 = graph.mul %0, %s : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}

// Not one value per output channel.
// CHECK-LABEL: func @per_pixel
// CHECK: graph.mul
func.func @per_pixel(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = graph.constant dense<[[0.5], [2.0]]> : tensor<2x1xf32>
  %0 = graph.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = graph.mul %0, %s : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Two normalisations in a row.
// CHECK-LABEL: func @joined
// CHECK-DAG: %[[S:.*]] = graph.constant dense<6.000000e+00> : tensor<f32>
// CHECK-DAG: %[[B:.*]] = graph.constant dense<1.900000e+01> : tensor<f32>
// CHECK: %[[M:.*]] = graph.mul %arg0, %[[S]]
// CHECK-NEXT: graph.add %[[M]], %[[B]]
// CHECK-NEXT: return
func.func @joined(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %three = graph.constant dense<3.0> : tensor<f32>
  %five = graph.constant dense<5.0> : tensor<f32>
  %four = graph.constant dense<4.0> : tensor<f32>
  %0 = graph.mul %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.add %0, %five : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.mul %1, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.add %2, %four : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
