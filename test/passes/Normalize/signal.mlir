// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// A short transform is one matrix: of a real signal to half of its spectrum, of
// pairs to pairs.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul {{.*}} {transpose_rhs} : (tensor<3x16xf32>, tensor<18x16xf32>) -> tensor<3x18xf32>
// CHECK: graph.matmul {{.*}} {transpose_rhs} : (tensor<3x32xf32>, tensor<32x32xf32>) -> tensor<3x32xf32>
func.func @main(%x: tensor<3x16x1xf32>, %y: tensor<3x16x2xf32>) -> (tensor<3x9x2xf32>, tensor<3x16x2xf32>) {
  %0 = "onnx.DFT"(%x) {onesided = 1 : i64} : (tensor<3x16x1xf32>) -> tensor<3x9x2xf32>
  %1 = "onnx.DFT"(%y) {inverse = 1 : i64} : (tensor<3x16x2xf32>) -> tensor<3x16x2xf32>
  return %0, %1 : tensor<3x9x2xf32>, tensor<3x16x2xf32>
}

// -----

// A long one is a matrix of rows and columns: two products, a turn of each
// number between them, and one transposition.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul {{.*}} -> tensor<3x[[#A:]]x[[#B:]]xf32>
// CHECK: graph.slice {{.*}}steps = array<i64: 1, 1, -1, 1>
// CHECK: graph.matmul {{.*}} {transpose_rhs}
// CHECK: graph.transpose {{.*}} {permutation = array<i64: 0, 2, 1>}
// CHECK-NOT: graph.matmul
func.func @main(%x: tensor<3x1024x1xf32>) -> tensor<3x1024x2xf32> {
  %0 = "onnx.DFT"(%x) : (tensor<3x1024x1xf32>) -> tensor<3x1024x2xf32>
  return %0 : tensor<3x1024x2xf32>
}

// -----

// A prime length is a convolution, of the next power of two.
// CHECK-LABEL: func.func @main
// CHECK: graph.pad {{.*}} -> tensor<3x2x2048xf32>
// CHECK: return {{.*}} : tensor<3x521x2xf32>
func.func @main(%x: tensor<3x521x1xf32>) -> tensor<3x521x2xf32> {
  %0 = "onnx.DFT"(%x) : (tensor<3x521x1xf32>) -> tensor<3x521x2xf32>
  return %0 : tensor<3x521x2xf32>
}

// -----

// Half precision computes in single; the axis moves to the end and back.
// CHECK-LABEL: func.func @main
// CHECK: graph.cast %arg0 : (tensor<6x5x2xf16>) -> tensor<6x5x2xf32>
// CHECK: graph.transpose {{.*}} {permutation = array<i64: 1, 0, 2>}
// CHECK: graph.slice {{.*}}sizes = array<i64: 5, 4, 2>
// CHECK: graph.transpose {{.*}} {permutation = array<i64: 1, 0, 2>}
// CHECK: graph.cast {{.*}} -> tensor<4x5x2xf16>
func.func @main(%x: tensor<6x5x2xf16>) -> tensor<4x5x2xf16> {
  %length = "onnx.Constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
  %axis = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %0 = "onnx.DFT"(%x, %length, %axis) : (tensor<6x5x2xf16>, tensor<i64>, tensor<i64>) -> tensor<4x5x2xf16>
  return %0 : tensor<4x5x2xf16>
}

// -----

// Windows are computed here.
// CHECK-LABEL: func.func @main
// CHECK: graph.constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 5.000000e-01]> : tensor<4xf32>
// CHECK: graph.constant dense<[0.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<3xf64>
func.func @main() -> (tensor<4xf32>, tensor<3xf64>) {
  %n = "onnx.Constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
  %m = "onnx.Constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %0 = "onnx.HannWindow"(%n) : (tensor<i64>) -> tensor<4xf32>
  %1 = "onnx.HannWindow"(%m) {output_datatype = 11 : i64, periodic = 0 : i64} : (tensor<i32>) -> tensor<3xf64>
  return %0, %1 : tensor<4xf32>, tensor<3xf64>
}

// -----

// Each place reads the channels of four pixels.
// CHECK-LABEL: func.func @main
// CHECK: graph.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>}
// CHECK-COUNT-4: graph.gather {{.*}} : (tensor<20x8xf32>, tensor<6xi32>) -> tensor<6x8xf32>
// CHECK-NOT: graph.gather
// CHECK: graph.transpose {{.*}} -> tensor<1x8x2x3xf32>
func.func @main(%x: tensor<1x8x4x5xf32>, %g: tensor<1x2x3x2xf32>) -> tensor<1x8x2x3xf32> {
  %0 = "onnx.GridSample"(%x, %g) : (tensor<1x8x4x5xf32>, tensor<1x2x3x2xf32>) -> tensor<1x8x2x3xf32>
  return %0 : tensor<1x8x2x3xf32>
}
