// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// The bias of a convolution is an addition of a [1, C, 1, 1] tensor.
// CHECK-LABEL: func.func @main
// CHECK: %[[C:.*]] = graph.conv %arg0, %arg1 {dilations = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
// CHECK-SAME: -> tensor<1x8x4x4xf32>
// CHECK: %[[B:.*]] = graph.reshape %arg2 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
// CHECK: graph.add %[[C]], %[[B]]
func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<1x8x4x4xf32> {
  %0 = "onnx.Conv"(%x, %w, %b) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
    : (tensor<1x3x8x8xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

// -----

// auto_pad: the odd element goes to the end, or to the begin.
// CHECK-LABEL: func.func @main
// CHECK: graph.conv {{.*}}pads = array<i64: 0, 1>{{.*}} -> tensor<1x2x4xf32>
// CHECK: graph.conv {{.*}}pads = array<i64: 1, 0>{{.*}} -> tensor<1x2x4xf32>
// CHECK: graph.conv {{.*}}pads = array<i64: 0, 0>{{.*}} -> tensor<1x2x3xf32>
func.func @main(%x: tensor<1x2x8xf32>, %w: tensor<2x2x3xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x3xf32>) {
  %0 = "onnx.Conv"(%x, %w) {auto_pad = "SAME_UPPER", strides = array<i64: 2>} : (tensor<1x2x8xf32>, tensor<2x2x3xf32>) -> tensor<1x2x4xf32>
  %1 = "onnx.Conv"(%x, %w) {auto_pad = "SAME_LOWER", strides = array<i64: 2>} : (tensor<1x2x8xf32>, tensor<2x2x3xf32>) -> tensor<1x2x4xf32>
  %2 = "onnx.Conv"(%x, %w) {auto_pad = "VALID", strides = array<i64: 2>} : (tensor<1x2x8xf32>, tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  return %0, %1, %2 : tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x3xf32>
}

// -----

// output_shape becomes padding; what padding cannot take away is added behind.
// CHECK-LABEL: func.func @main
// CHECK: graph.conv_transpose {{.*}}output_padding = array<i64: 0>, pads = array<i64: 1, 0>, strides = array<i64: 2>{{.*}} -> tensor<1x2x8xf32>
// CHECK: graph.conv_transpose {{.*}}output_padding = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 2>{{.*}} -> tensor<1x2x10xf32>
func.func @main(%x: tensor<1x2x4xf32>, %w: tensor<2x2x3xf32>) -> (tensor<1x2x8xf32>, tensor<1x2x10xf32>) {
  %0 = "onnx.ConvTranspose"(%x, %w) {output_shape = array<i64: 8>, strides = array<i64: 2>} : (tensor<1x2x4xf32>, tensor<2x2x3xf32>) -> tensor<1x2x8xf32>
  %1 = "onnx.ConvTranspose"(%x, %w) {output_shape = array<i64: 10>, strides = array<i64: 2>} : (tensor<1x2x4xf32>, tensor<2x2x3xf32>) -> tensor<1x2x10xf32>
  return %0, %1 : tensor<1x2x8xf32>, tensor<1x2x10xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = graph.matmul %arg0, %arg1 {transpose_rhs}
// CHECK: %[[A:.*]] = graph.mul %[[P]]
// CHECK: graph.add %[[A]], %arg2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %c: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = "onnx.Gemm"(%a, %b, %c) {alpha = 0.5 : f32, transB = 1 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// Vectors get the dimension that a matrix product wants, and lose it again.
// CHECK-LABEL: func.func @main
// CHECK: graph.reshape %arg0 : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK: graph.matmul
// CHECK: graph.reshape %{{.*}} : (tensor<5x1x4xf32>) -> tensor<5x4xf32>
// CHECK: graph.matmul
// CHECK: graph.reshape %{{.*}} : (tensor<1x1xf32>) -> tensor<1xf32>
// CHECK: graph.reshape %{{.*}} : (tensor<1xf32>) -> tensor<f32>
func.func @main(%a: tensor<3xf32>, %b: tensor<5x3x4xf32>) -> (tensor<5x4xf32>, tensor<f32>) {
  %0 = "onnx.MatMul"(%a, %b) : (tensor<3xf32>, tensor<5x3x4xf32>) -> tensor<5x4xf32>
  %1 = "onnx.MatMul"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %0, %1 : tensor<5x4xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.transpose %arg1 {permutation = array<i64: 0, 2, 1>}
// CHECK: graph.matmul {{.*}} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x3x5xf32> {
  %0 = "onnx.Einsum"(%a, %b) {equation = "...ij, ...kj -> ...ik"} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// -----

// A diagonal is every fourth of nine elements.
// CHECK-LABEL: func.func @main
// CHECK: %[[T:.*]] = graph.transpose %arg0 {permutation = array<i64: 1, 2, 0>}
// CHECK: %[[F:.*]] = graph.reshape %[[T]] : (tensor<3x3x2xf32>) -> tensor<9x2xf32>
// CHECK: %[[D:.*]] = graph.slice %[[F]] {sizes = array<i64: 3, 2>, starts = array<i64: 0, 0>, steps = array<i64: 4, 1>}
// CHECK: graph.transpose %[[D]] {permutation = array<i64: 1, 0>}
func.func @main(%a: tensor<2x3x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Einsum"(%a) {equation = "bii->bi"} : (tensor<2x3x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Nothing is summed: a product of elements. What repeats loses its dimension.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.matmul
// CHECK: graph.mul {{.*}} : (tensor<3x2x1xf32>, tensor<3x1x1xf32>) -> tensor<3x2x1xf32>
// CHECK-NOT: graph.matmul
func.func @main(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Einsum"(%a, %b) {equation = "ij,ij->ij"} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// The positions of 4 x 5 pixels: columns, rows, ones.
// CHECK-LABEL: func.func @main
// CHECK: %[[POINTS:.*]] = graph.constant {{.*}} : tensor<3x20xf32>
// CHECK: %[[MOVED:.*]] = graph.matmul %arg0, %[[POINTS]] {{.*}} -> tensor<2x2x20xf32>
// CHECK: graph.transpose %[[MOVED]]
// CHECK: graph.reshape {{.*}} -> tensor<2x4x5x2xf32>
func.func @main(%t: tensor<2x2x3xf32>) -> tensor<2x4x5x2xf32> {
  %s = "onnx.Constant"() {value = dense<[2, 1, 4, 5]> : tensor<4xi64>} : () -> tensor<4xi64>
  %0 = "onnx.AffineGrid"(%t, %s) {align_corners = 1 : i64} : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<2x4x5x2xf32>
  return %0 : tensor<2x4x5x2xf32>
}

// -----

// There may be no images.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul {{.*}} -> tensor<0x2x20xf32>
func.func @main(%t: tensor<0x2x3xf32>) -> tensor<0x4x5x2xf32> {
  %s = "onnx.Constant"() {value = dense<[0, 1, 4, 5]> : tensor<4xi64>} : () -> tensor<4xi64>
  %0 = "onnx.AffineGrid"(%t, %s) {align_corners = 1 : i64} : (tensor<0x2x3xf32>, tensor<4xi64>) -> tensor<0x4x5x2xf32>
  return %0 : tensor<0x4x5x2xf32>
}
