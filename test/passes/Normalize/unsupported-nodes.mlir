// RUN: not tenon-opt %s -tenon-normalize-onnx 2>&1 | FileCheck %s

// One error names every node that cannot be lowered, but not those that only
// suffer from one, or wait for a size.
// CHECK: error: loc("third"): 2 nodes are not supported:
// CHECK-NEXT: node 'third' (MaxPool), opset 27, inputs (tensor<1x1x4xf32>): the result 'Indices' of a window of more than 256 elements is not supported
// CHECK-NEXT: node 'fourth' (MaxRoiPool), opset 27, inputs (tensor<?x?x?x?xf32>, tensor<?x3xf32>): this operator has no lowering and no function body
func.func @main(%x: tensor<?x3xf32>, %y: tensor<1x1x4xf32>) -> (tensor<?x?x1x1xf32>, tensor<1x1x4xi64>) {
  %0 = "onnx.Shape"(%x) : (tensor<?x3xf32>) -> tensor<2xi64> loc("first")
  %s = "onnx.Concat"(%0, %0) {axis = 0 : i64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64> loc("sizes")
  %1 = "onnx.Reshape"(%x, %s) : (tensor<?x3xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32> loc("second")
  %2, %3 = "onnx.MaxPool"(%y) {kernel_shape = array<i64: 257>, pads = array<i64: 256, 256>, strides = array<i64: 86>} : (tensor<1x1x4xf32>) -> (tensor<1x1x4xf32>, tensor<1x1x4xi64>) loc("third")
  %4 = "onnx.MaxRoiPool"(%1, %x) {pooled_shape = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x3xf32>) -> tensor<?x?x1x1xf32> loc("fourth")
  return %4, %3 : tensor<?x?x1x1xf32>, tensor<1x1x4xi64>
}
