// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[M:.*]] = graph.max %arg0, %arg1
// CHECK-NEXT: %[[N:.*]] = graph.max %[[M]], %arg2
// CHECK-NEXT: return %[[N]]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Max"(%a, %b, %c) : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.add %arg0, %arg1
// CHECK: graph.constant dense<2.000000e+00>
// CHECK: graph.div
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "onnx.Mean"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.cast %arg0 : (tensor<3xf32>) -> tensor<3xi1>
// CHECK: graph.cast %arg0 : (tensor<3xf32>) -> tensor<3xui8>
func.func @main(%a: tensor<3xf32>, %b: tensor<3xui8>) -> (tensor<3xi1>, tensor<3xui8>, tensor<3xf32>) {
  %0 = "onnx.Cast"(%a) {to = 9 : i64} : (tensor<3xf32>) -> tensor<3xi1>
  %1 = "onnx.CastLike"(%a, %b) : (tensor<3xf32>, tensor<3xui8>) -> tensor<3xui8>
  %2 = "onnx.Cast"(%a) {to = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: return %{{.*}}, %{{.*}}, %arg0
  return %0, %1, %2 : tensor<3xi1>, tensor<3xui8>, tensor<3xf32>
}

// -----

// A bound that is a vector of one element does not raise the rank.
// CHECK-LABEL: func.func @main
// CHECK: graph.max %arg0, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %low = "onnx.Constant"() {value = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "onnx.Clip"(%a, %low) : (tensor<f32>, tensor<1xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Small whole exponents are multiplied out, others not.
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]] = graph.mul %arg0, %arg0
// CHECK: %[[T:.*]] = graph.mul %arg0, %arg0
// CHECK: %[[C:.*]] = graph.mul %[[T]], %arg0
// CHECK: %[[P:.*]] = graph.pow %arg0
// CHECK: return %[[S]], %[[C]], %[[P]]
func.func @main(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %two = "onnx.Constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %three = "onnx.Constant"() {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  %half = "onnx.Constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = "onnx.Pow"(%a, %two) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = "onnx.Pow"(%a, %three) : (tensor<3xf32>, tensor<1xi64>) -> tensor<3xf32>
  %2 = "onnx.Pow"(%a, %half) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.shift_left
// CHECK: graph.shift_right
// CHECK: graph.mod {{.*}} {fmod = true}
// CHECK: graph.is_inf {{.*}} {detect_negative = false}
// CHECK: graph.select
func.func @main(%a: tensor<3xui8>, %x: tensor<3xf32>, %c: tensor<3xi1>)
    -> (tensor<3xui8>, tensor<3xui8>, tensor<3xf32>, tensor<3xi1>, tensor<3xf32>) {
  %0 = "onnx.BitShift"(%a, %a) {direction = "LEFT"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %1 = "onnx.BitShift"(%a, %a) {direction = "RIGHT"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %2 = "onnx.Mod"(%x, %x) {fmod = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %3 = "onnx.IsInf"(%x) {detect_negative = 0 : i64} : (tensor<3xf32>) -> tensor<3xi1>
  %4 = "onnx.Where"(%c, %x, %x) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<3xui8>, tensor<3xui8>, tensor<3xf32>, tensor<3xi1>, tensor<3xf32>
}

// -----

// A slope in [0, 1] is a maximum, any other a choice.
// CHECK-LABEL: func.func @main
// CHECK: graph.max %arg0
// CHECK: graph.less %arg0
// CHECK: graph.select
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = "onnx.LeakyRelu"(%x) {alpha = 0.1 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "onnx.LeakyRelu"(%x) {alpha = 2.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.erf
// CHECK: graph.tanh
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = "onnx.Gelu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "onnx.Gelu"(%x) {approximate = "tanh"} : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// -----

// How numbers are narrowed stands where it says something: in casts to eight
// bits of a float, and to powers of two.
// CHECK-LABEL: func.func @main
// CHECK: graph.cast %arg0 {saturate = false} : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
// CHECK: graph.cast %arg0 : (tensor<3xf32>) -> tensor<3xi4>
// CHECK: graph.cast %arg0 {round_mode = #graph<round_mode up>} : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
// CHECK: graph.cast %arg0 {round_mode = #graph<round_mode down>} : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
func.func @main(%x: tensor<3xf32>, %like: tensor<1xf8E8M0FNU>) -> (tensor<3xf8E4M3FN>, tensor<3xi4>, tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>) {
  %0 = "onnx.Cast"(%x) {to = 17 : i64, saturate = 0 : i64} : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  %1 = "onnx.Cast"(%x) {to = 22 : i64, saturate = 0 : i64} : (tensor<3xf32>) -> tensor<3xi4>
  %2 = "onnx.Cast"(%x) {to = 24 : i64} : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  %3 = "onnx.CastLike"(%x, %like) {round_mode = "down"} : (tensor<3xf32>, tensor<1xf8E8M0FNU>) -> tensor<3xf8E8M0FNU>
  return %0, %1, %2, %3 : tensor<3xf8E4M3FN>, tensor<3xi4>, tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>
}

// -----

// A bool is a byte in ONNX.
// CHECK-LABEL: func.func @main
// CHECK: graph.bitcast %arg0 : (tensor<3xf32>) -> tensor<3xui32>
// CHECK: graph.cast %arg1 : (tensor<3xi1>) -> tensor<3xui8>
// CHECK: graph.bitcast {{.*}} : (tensor<3xui8>) -> tensor<3xf8E5M2>
func.func @main(%x: tensor<3xf32>, %b: tensor<3xi1>) -> (tensor<3xui32>, tensor<3xf8E5M2>) {
  %0 = "onnx.BitCast"(%x) {to = 12 : i64} : (tensor<3xf32>) -> tensor<3xui32>
  %1 = "onnx.BitCast"(%b) {to = 19 : i64} : (tensor<3xi1>) -> tensor<3xf8E5M2>
  return %0, %1 : tensor<3xui32>, tensor<3xf8E5M2>
}
