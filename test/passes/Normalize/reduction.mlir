// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// Axes: given, absent (all), absent with noop_with_empty_axes (none).
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = graph.reduce_sum %arg0 {axes = array<i64: 2>, keep_dims = false}
// CHECK: %[[B:.*]] = graph.reduce_sum %arg0 {axes = array<i64: 0, 1, 2>}
// CHECK: return %[[A]], %[[B]], %arg0
func.func @main(%x: tensor<2x3x4xf32>) -> (tensor<2x3xf32>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) {
  %axes = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = "onnx.ReduceSum"(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  %1 = "onnx.ReduceSum"(%x) : (tensor<2x3x4xf32>) -> tensor<1x1x1xf32>
  %2 = "onnx.ReduceSum"(%x) {noop_with_empty_axes = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<1x1x1xf32>, tensor<2x3x4xf32>
}

// -----

// Truth values are reduced as bytes; integers take their roots in f64.
// CHECK-LABEL: func.func @main
// CHECK: graph.cast %arg0 : (tensor<2x3xi1>) -> tensor<2x3xui8>
// CHECK: graph.reduce_max
// CHECK: graph.cast %{{.*}} : (tensor<1x1xui8>) -> tensor<1x1xi1>
// CHECK: graph.cast %arg1 : (tensor<2x3xi32>) -> tensor<2x3xf64>
// CHECK: graph.sqrt
// CHECK: graph.cast %{{.*}} -> tensor<1x1xi32>
func.func @main(%b: tensor<2x3xi1>, %i: tensor<2x3xi32>) -> (tensor<1x1xi1>, tensor<1x1xi32>) {
  %0 = "onnx.ReduceMax"(%b) : (tensor<2x3xi1>) -> tensor<1x1xi1>
  %1 = "onnx.ReduceL2"(%i) : (tensor<2x3xi32>) -> tensor<1x1xi32>
  return %0, %1 : tensor<1x1xi1>, tensor<1x1xi32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.softmax %arg0 {axis = 1 : i64}
// CHECK: graph.reduce_max
// CHECK: graph.log
// CHECK: graph.arg_min %arg0 {axis = 0 : i64, keep_dims = false, select_last_index = true}
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi64>) {
  %0 = "onnx.Softmax"(%x) {axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "onnx.LogSoftmax"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "onnx.ArgMin"(%x) {keepdims = 0 : i64, select_last_index = 1 : i64} : (tensor<2x3xf32>) -> tensor<3xi64>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi64>
}

// -----

// Running sums double their reach with each of log2(5) steps.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: graph.add
// CHECK-NOT: graph.add
func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %axis = "onnx.Constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = "onnx.CumSum"(%x, %axis) : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// Products likewise; ones move in.
// CHECK-LABEL: func.func @main
// CHECK: %[[ONE:.*]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK: graph.pad {{.*}}, %[[ONE]]
// CHECK-COUNT-3: graph.mul
// CHECK-NOT: graph.mul
func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %axis = "onnx.Constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = "onnx.CumProd"(%x, %axis) : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
