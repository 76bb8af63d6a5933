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

// Queries and keys that are parts of one product are read where they lie; what
// scales them both scales their product.
// CHECK-LABEL: func @parts
// CHECK: %[[S:.*]] = graph.constant dense<2.500000e-01> : tensor<1xf32>
// CHECK-NOT: graph.mul
// CHECK: %[[P:.*]] = graph.matmul
// CHECK-NEXT: %[[R:.*]] = graph.mul %[[P]], %[[S]]
// CHECK-NEXT: return %[[R]]
func.func @parts(%x: tensor<5x2x8xf32>) -> tensor<2x5x5xf32> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %q = graph.slice %x {starts = array<i64: 0, 0, 0>, sizes = array<i64: 5, 2, 4>, steps = array<i64: 1, 1, 1>} : (tensor<5x2x8xf32>) -> tensor<5x2x4xf32>
  %k = graph.slice %x {starts = array<i64: 0, 0, 4>, sizes = array<i64: 5, 2, 4>, steps = array<i64: 1, 1, 1>} : (tensor<5x2x8xf32>) -> tensor<5x2x4xf32>
  %0 = graph.mul %q, %s : (tensor<5x2x4xf32>, tensor<f32>) -> tensor<5x2x4xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 1, 0, 2>} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %2 = graph.transpose %k {permutation = array<i64: 1, 2, 0>} : (tensor<5x2x4xf32>) -> tensor<2x4x5xf32>
  %3 = graph.mul %2, %s : (tensor<2x4x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
  %4 = graph.matmul %1, %3 : (tensor<2x5x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x5xf32>
  return %4 : tensor<2x5x5xf32>
}

// One scale for all, of values that nothing else reads, in numbers that do not
// overflow early.
// CHECK-LABEL: func @no_parts
// CHECK-COUNT-3: graph.mul
// CHECK-NOT: graph.mul
func.func @no_parts(%x: tensor<2x8xf32>, %y: tensor<2x8xf16>, %z: tensor<4x5xf32>, %h: tensor<4x5xf16>) -> (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf16>, tensor<2x4xf32>) {
  %s = graph.constant dense<[0.5, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %t = graph.constant dense<0.5> : tensor<f32>
  %u = graph.constant dense<0.5> : tensor<f16>
  %0 = graph.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2, 4>, steps = array<i64: 1, 1>} : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %1 = graph.mul %0, %s : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = graph.matmul %1, %z : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %3 = graph.mul %0, %t : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = graph.matmul %3, %z : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %5 = graph.slice %y {starts = array<i64: 0, 0>, sizes = array<i64: 2, 4>, steps = array<i64: 1, 1>} : (tensor<2x8xf16>) -> tensor<2x4xf16>
  %6 = graph.mul %5, %u : (tensor<2x4xf16>, tensor<f16>) -> tensor<2x4xf16>
  %7 = graph.matmul %6, %h : (tensor<2x4xf16>, tensor<4x5xf16>) -> tensor<2x5xf16>
  return %2, %4, %7, %3 : tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf16>, tensor<2x4xf32>
}

// Weights that rows are gathered from stay one constant with the table.
// CHECK-LABEL: func @tied
// CHECK: %[[T:.*]] = graph.constant
// CHECK: graph.gather %[[T]]
// CHECK: %[[P:.*]] = graph.matmul %arg0, %[[T]]
// CHECK: graph.mul %[[P]]
func.func @tied(%x: tensor<1x2xf32>, %i: tensor<1xi64>) -> (tensor<1x2xf32>, tensor<1x3xf32>) {
  %t = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %s = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.gather %t, %i {axis = 0 : i64} : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  %1 = graph.matmul %x, %t {transpose_rhs} : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
  %2 = graph.mul %1, %s : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  return %0, %2 : tensor<1x2xf32>, tensor<1x3xf32>
}
