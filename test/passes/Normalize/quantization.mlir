// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// Per axis: the parameters are spread along it; the cast saturates.
// CHECK-LABEL: func.func @main
// CHECK: graph.reshape %arg1 : (tensor<3xf32>) -> tensor<1x3x1xf32>
// CHECK: graph.div %arg0
// CHECK: graph.round
// CHECK: graph.add
// CHECK: graph.cast %{{.*}} -> tensor<2x3x4xi8>
func.func @main(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>, %z: tensor<3xi8>) -> tensor<2x3x4xi8> {
  %0 = "onnx.QuantizeLinear"(%x, %s, %z) : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3x4xi8>
  return %0 : tensor<2x3x4xi8>
}

// -----

// In blocks: each parameter serves four neighbours, the last one three.
// CHECK-LABEL: func.func @main
// CHECK: graph.broadcast {{.*}} -> tensor<2x4xf32>
// CHECK: graph.slice {{.*}} -> tensor<7xf32>
// CHECK: graph.mul
func.func @main(%x: tensor<7xui8>, %s: tensor<2xf32>) -> tensor<7xf32> {
  %0 = "onnx.DequantizeLinear"(%x, %s) {axis = 0 : i64, block_size = 4 : i64} : (tensor<7xui8>, tensor<2xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.reshape %{{.*}} : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK: graph.matmul {{.*}} -> tensor<2x4xf32>
// CHECK: graph.cast {{.*}} {exact} : (tensor<2x4xf32>) -> tensor<2x4xi32>
func.func @main(%a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %z: tensor<2xui8>) -> tensor<2x4xi32> {
  %0 = "onnx.MatMulInteger"(%a, %b, %z) : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<2xui8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// 514 steps of 255 times 128 are what f32 sums exactly.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul {{.*}} : (tensor<2x514xf32>, tensor<514x4xf32>) -> tensor<2x4xf32>
// CHECK: graph.cast {{.*}} {exact}
// CHECK: graph.matmul {{.*}} : (tensor<2x86xf32>, tensor<86x4xf32>) -> tensor<2x4xf32>
// CHECK: graph.add {{.*}} -> tensor<2x4xi32>
func.func @main(%a: tensor<2x600xui8>, %b: tensor<600x4xi8>) -> tensor<2x4xi32> {
  %0 = "onnx.MatMulInteger"(%a, %b) : (tensor<2x600xui8>, tensor<600x4xi8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// Small constants sum up to less.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul {{.*}}tensor<600x4xf32>) -> tensor<2x4xf32>
// CHECK-NOT: graph.matmul
func.func @main(%a: tensor<2x600xui8>) -> tensor<2x4xi32> {
  %b = "onnx.Constant"() {value = dense<100> : tensor<600x4xi8>} : () -> tensor<600x4xi8>
  %0 = "onnx.MatMulInteger"(%a, %b) : (tensor<2x600xui8>, tensor<600x4xi8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// So many pieces cost more than products in i32 do.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul {{.*}} -> tensor<2x4xi32>
func.func @main(%a: tensor<2x20000xui8>, %b: tensor<20000x4xi8>) -> tensor<2x4xi32> {
  %0 = "onnx.MatMulInteger"(%a, %b) : (tensor<2x20000xui8>, tensor<20000x4xi8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// Casts to four bits wrap, so the limits are there; f4 keeps its fractions.
// CHECK-LABEL: func.func @main
// CHECK: graph.round
// CHECK: %[[LOW:.*]] = graph.max
// CHECK: %[[HIGH:.*]] = graph.min %[[LOW]]
// CHECK: graph.cast %[[HIGH]] : (tensor<4xf32>) -> tensor<4xi4>
// CHECK: %[[Q:.*]] = graph.div
// CHECK: graph.cast %[[Q]] : (tensor<4xf32>) -> tensor<4xf4E2M1FN>
// CHECK: graph.cast {{.*}} {saturate = false} : (tensor<4xf32>) -> tensor<4xf8E5M2>
func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) -> (tensor<4xi4>, tensor<4xf4E2M1FN>, tensor<4xf8E5M2>) {
  %0 = "onnx.QuantizeLinear"(%x, %s) {output_dtype = 22 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi4>
  %1 = "onnx.QuantizeLinear"(%x, %s) {output_dtype = 23 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf4E2M1FN>
  %2 = "onnx.QuantizeLinear"(%x, %s) {output_dtype = 19 : i64, saturate = 0 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf8E5M2>
  return %0, %1, %2 : tensor<4xi4>, tensor<4xf4E2M1FN>, tensor<4xf8E5M2>
}

// -----

// Sums of products are scaled in f64, which holds them, one scale per row.
// CHECK-LABEL: func.func @main
// CHECK: %[[SUMS:.*]] = graph.matmul {{.*}} -> tensor<2x4xi32>
// CHECK: graph.reshape {{.*}} (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK: graph.cast %[[SUMS]] : (tensor<2x4xi32>) -> tensor<2x4xf64>
// CHECK: graph.round
// CHECK: graph.cast {{.*}} : (tensor<2x4xf64>) -> tensor<2x4xui8>
func.func @main(%a: tensor<2x3xui8>, %sa: tensor<2xf32>, %za: tensor<2xui8>, %b: tensor<3x4xi8>, %s: tensor<f32>, %zb: tensor<i8>, %z: tensor<ui8>) -> tensor<2x4xui8> {
  %0 = "onnx.QLinearMatMul"(%a, %sa, %za, %b, %s, %zb, %s, %z) : (tensor<2x3xui8>, tensor<2xf32>, tensor<2xui8>, tensor<3x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>
  return %0 : tensor<2x4xui8>
}
