// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// In ceil mode a last window hangs over the end (3), unless it would start in
// the padding behind the input (2).
// CHECK-LABEL: func.func @main
// CHECK: graph.max_pool {{.*}} -> tensor<1x1x2xf32>
// CHECK: graph.max_pool {{.*}} -> tensor<1x1x3xf32>
// CHECK: graph.max_pool {{.*}} -> tensor<1x1x2xf32>
func.func @main(%x: tensor<1x1x6xf32>, %y: tensor<1x1x4xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x3xf32>, tensor<1x1x2xf32>) {
  %0 = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 3>, strides = array<i64: 2>} : (tensor<1x1x6xf32>) -> tensor<1x1x2xf32>
  %1 = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 3>, strides = array<i64: 2>, ceil_mode = 1 : i64} : (tensor<1x1x6xf32>) -> tensor<1x1x3xf32>
  %2 = "onnx.MaxPool"(%y) {kernel_shape = array<i64: 1>, strides = array<i64: 3>, pads = array<i64: 0, 2>, ceil_mode = 1 : i64} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  return %0, %1, %2 : tensor<1x1x2xf32>, tensor<1x1x3xf32>, tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.avg_pool {{.*}}count_include_pad = true{{.*}}pads = array<i64: 0, 0, 1, 1>{{.*}} -> tensor<?x2x4x4xf32, #graph.dims<["n", 2, 4, 4]>>
func.func @main(%x: tensor<?x2x8x8xf32, #graph.dims<["n", 2, 8, 8]>>) -> tensor<?x2x4x4xf32> {
  %0 = "onnx.AveragePool"(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, auto_pad = "SAME_UPPER", count_include_pad = 1 : i64}
    : (tensor<?x2x8x8xf32, #graph.dims<["n", 2, 8, 8]>>) -> tensor<?x2x4x4xf32>
  return %0 : tensor<?x2x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.reduce_mean %arg0 {axes = array<i64: 2, 3>}
// CHECK: graph.reduce_max %arg0 {axes = array<i64: 2, 3>}
// CHECK: graph.sqrt
func.func @main(%x: tensor<1x2x8x8xf32>) -> (tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) {
  %0 = "onnx.GlobalAveragePool"(%x) : (tensor<1x2x8x8xf32>) -> tensor<1x2x1x1xf32>
  %1 = "onnx.GlobalMaxPool"(%x) : (tensor<1x2x8x8xf32>) -> tensor<1x2x1x1xf32>
  %2 = "onnx.GlobalLpPool"(%x) : (tensor<1x2x8x8xf32>) -> tensor<1x2x1x1xf32>
  return %0, %1, %2 : tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>
}
