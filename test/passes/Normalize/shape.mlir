// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: graph.constant dense<[3, 4]> : tensor<2xi64>
// CHECK: graph.constant dense<24> : tensor<i64>
// CHECK: graph.constant dense<[1, 4, 7]> : tensor<3xi64>
// CHECK: graph.constant dense<1.000000e+00> : tensor<100x100x100xf32>
// CHECK: graph.iota {{.*}} -> tensor<100xf32>
func.func @main(%x: tensor<2x3x4xf32>) -> (tensor<2xi64>, tensor<i64>, tensor<3xi64>, tensor<100x100x100xf32>, tensor<100xf32>) {
  %0 = "onnx.Shape"(%x) {start = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2xi64>
  %1 = "onnx.Size"(%x) : (tensor<2x3x4xf32>) -> tensor<i64>
  %start = "onnx.Constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %limit = "onnx.Constant"() {value = dense<9> : tensor<i64>} : () -> tensor<i64>
  %delta = "onnx.Constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  %2 = "onnx.Range"(%start, %limit, %delta) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3xi64>
  %shape = "onnx.Constant"() {value = dense<100> : tensor<3xi64>} : () -> tensor<3xi64>
  %3 = "onnx.ConstantOfShape"(%shape) {value = dense<1.0> : tensor<1xf32>} : (tensor<3xi64>) -> tensor<100x100x100xf32>
  %f0 = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %f1 = "onnx.Constant"() {value = dense<50.0> : tensor<f32>} : () -> tensor<f32>
  %f2 = "onnx.Constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %4 = "onnx.Range"(%f0, %f1, %f2) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<100xf32>
  return %0, %1, %2, %3, %4 : tensor<2xi64>, tensor<i64>, tensor<3xi64>, tensor<100x100x100xf32>, tensor<100xf32>
}
