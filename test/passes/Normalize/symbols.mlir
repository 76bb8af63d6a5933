// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// Pools count windows of a symbolic image: those that fit, or those that begin
// inside of it.
// CHECK-LABEL: func.func @main
// CHECK: graph.max_pool {{.*}} -> tensor<1x2x?xf32, #graph.dims<[1, 2, "w" floordiv 2]>>
// CHECK: graph.max_pool {{.*}} -> tensor<1x2x?xf32, #graph.dims<[1, 2, ("w" + 1) floordiv 2]>>
// CHECK: graph.avg_pool {{.*}} -> tensor<1x2x?xf32, #graph.dims<[1, 2, ("w" + 2) floordiv 3]>>
// CHECK: graph.avg_pool {{.*}} -> tensor<1x2x?xf32, #graph.dims<[1, 2, "w"]>>
func.func @main(%x: tensor<1x2x?xf32, #graph.dims<[1, 2, "w"]>>) -> (tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>) {
  %0 = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x?xf32, #graph.dims<[1, 2, "w"]>>) -> tensor<1x2x?xf32>
  %1 = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 2>, ceil_mode = 1 : i64} : (tensor<1x2x?xf32, #graph.dims<[1, 2, "w"]>>) -> tensor<1x2x?xf32>
  %2 = "onnx.AveragePool"(%x) {kernel_shape = array<i64: 1>, strides = array<i64: 3>, pads = array<i64: 0, 2>, ceil_mode = 1 : i64} : (tensor<1x2x?xf32, #graph.dims<[1, 2, "w"]>>) -> tensor<1x2x?xf32>
  %3 = "onnx.AveragePool"(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x2x?xf32, #graph.dims<[1, 2, "w"]>>) -> tensor<1x2x?xf32>
  return %0, %1, %2, %3 : tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>
}

// -----

// A reshape's last dimension is what is left of the product.
// CHECK-LABEL: func.func @main
// CHECK: graph.reshape {{.*}} -> tensor<?x64xf32, #graph.dims<["n" * "seq", 64]>>
// CHECK: graph.reshape {{.*}} -> tensor<?x?x32xf32, #graph.dims<["n", 2 * "seq", 32]>>
// CHECK: graph.reshape {{.*}} -> tensor<?x?x256xf32, #graph.dims<["n", "seq" floordiv 4, 256]>>
func.func @main(%x: tensor<?x?x64xf32, #graph.dims<["n", "seq", 64]>>) -> (tensor<?x64xf32>, tensor<?x?x32xf32>, tensor<?x?x256xf32>) {
  %a = "onnx.Constant"() {value = dense<[-1, 64]> : tensor<2xi64>} : () -> tensor<2xi64>
  %b = "onnx.Constant"() {value = dense<[0, -1, 32]> : tensor<3xi64>} : () -> tensor<3xi64>
  %c = "onnx.Constant"() {value = dense<[0, -1, 256]> : tensor<3xi64>} : () -> tensor<3xi64>
  %0 = "onnx.Reshape"(%x, %a) : (tensor<?x?x64xf32, #graph.dims<["n", "seq", 64]>>, tensor<2xi64>) -> tensor<?x64xf32>
  %1 = "onnx.Reshape"(%x, %b) : (tensor<?x?x64xf32, #graph.dims<["n", "seq", 64]>>, tensor<3xi64>) -> tensor<?x?x32xf32>
  %2 = "onnx.Reshape"(%x, %c) : (tensor<?x?x64xf32, #graph.dims<["n", "seq", 64]>>, tensor<3xi64>) -> tensor<?x?x256xf32>
  return %0, %1, %2 : tensor<?x64xf32>, tensor<?x?x32xf32>, tensor<?x?x256xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.reshape {{.*}} -> tensor<?x?xf32, #graph.dims<["n", 6 * "seq"]>>
// CHECK: graph.reshape {{.*}} -> tensor<?x?x6xf32, #graph.dims<[2 * "n", "seq", 6]>>
func.func @main(%x: tensor<?x?x6xf32, #graph.dims<["n", "seq", 6]>>) -> (tensor<?x?xf32>, tensor<?x?x6xf32>) {
  %a = "onnx.Constant"() {value = dense<[2, 1, 1]> : tensor<3xi64>} : () -> tensor<3xi64>
  %0 = "onnx.Flatten"(%x) {axis = 1 : i64} : (tensor<?x?x6xf32, #graph.dims<["n", "seq", 6]>>) -> tensor<?x?xf32>
  %1 = "onnx.Tile"(%x, %a) : (tensor<?x?x6xf32, #graph.dims<["n", "seq", 6]>>, tensor<3xi64>) -> tensor<?x?x6xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?x6xf32>
}

// -----

// Scales that divide or multiply by a whole number.
// CHECK-LABEL: func.func @main
// CHECK: graph.resize {{.*}} -> tensor<1x2x?x?xf32, #graph.dims<[1, 2, 2 * "h", "w" floordiv 4]>>
func.func @main(%x: tensor<1x2x?x?xf32, #graph.dims<[1, 2, "h", "w"]>>) -> tensor<1x2x?x?xf32> {
  %r = "onnx.NoValue"() {value} : () -> none
  %s = "onnx.Constant"() {value = dense<[1.0, 1.0, 2.0, 0.25]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "onnx.Resize"(%x, %r, %s) {mode = "nearest"} : (tensor<1x2x?x?xf32, #graph.dims<[1, 2, "h", "w"]>>, none, tensor<4xf32>) -> tensor<1x2x?x?xf32>
  return %0 : tensor<1x2x?x?xf32>
}
