// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// Operations come from the schemas; all print in generic form.
// CHECK-LABEL: func.func @default_domain
func.func @default_domain(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  // CHECK: %[[Y:.*]] = "onnx.Conv"(%{{.*}}, %{{.*}}) {group = 1 : i64, strides = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %0 = "onnx.Conv"(%x, %w) {group = 1 : i64, strides = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  // CHECK: "onnx.Relu"(%[[Y]])
  %1 = "onnx.Relu"(%0) : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %1 : tensor<1x4x6x6xf32>
}

// CHECK-LABEL: func.func @other_domain
func.func @other_domain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: "onnx.ai_onnx_ml.Scaler"(%{{.*}}) {offset = array<f32: 1.000000e+00>, scale = array<f32: 2.000000e+00>}
  %0 = "onnx.ai_onnx_ml.Scaler"(%x) {offset = array<f32: 1.0>, scale = array<f32: 2.0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @absent_operand
func.func @absent_operand(%x: tensor<4xf32>, %max: tensor<f32>) -> tensor<4xf32> {
  // CHECK: %[[NONE:.*]] = "onnx.NoValue"() : () -> none
  %none = "onnx.NoValue"() : () -> none
  // CHECK: "onnx.Clip"(%{{.*}}, %[[NONE]], %{{.*}}) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
  %0 = "onnx.Clip"(%x, %none, %max) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @absent_result
func.func @absent_result(%x: tensor<2x1x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>) -> tensor<1x1x3xf32> {
  // CHECK: "onnx.LSTM"(%{{.*}}) {hidden_size = 3 : i64} : (tensor<2x1x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>) -> (none, tensor<1x1x3xf32>)
  %0:2 = "onnx.LSTM"(%x, %w, %r) {hidden_size = 3 : i64} : (tensor<2x1x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>) -> (none, tensor<1x1x3xf32>)
  return %0#1 : tensor<1x1x3xf32>
}

// CHECK-LABEL: func.func @variadic
func.func @variadic(%x: tensor<2xi64>, %y: tensor<?xi64>, %z: tensor<*xi64>) -> tensor<*xi64> {
  // CHECK: "onnx.Concat"(%{{.*}}, %{{.*}}, %{{.*}}) {axis = 0 : i64}
  %0 = "onnx.Concat"(%x, %y, %z) {axis = 0 : i64} : (tensor<2xi64>, tensor<?xi64>, tensor<*xi64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: "onnx.Constant"() {value = dense<[1, 2]> : tensor<2xui8>} : () -> tensor<2xui8>
  %0 = "onnx.Constant"() {value = dense<[1, 2]> : tensor<2xui8>} : () -> tensor<2xui8>
  // CHECK: "onnx.Constant"() {value = dense<["a", "b"]> : tensor<2x!control.string>} : () -> tensor<2x!control.string>
  %1 = "onnx.Constant"() {value = dense<["a", "b"]> : tensor<2x!control.string>} : () -> tensor<2x!control.string>
  return
}

// Attributes of other dialects are not the schema's business.
// CHECK-LABEL: func.func @foreign_attribute
func.func @foreign_attribute(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: "onnx.Relu"(%{{.*}}) {graph.note = 1 : i64}
  %0 = "onnx.Relu"(%x) {graph.note = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
