// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// The driver: shape arithmetic vanishes, types come from graph's shape functions.

// CHECK-LABEL: func.func @main(%arg0: tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: %[[R:.*]] = graph.reshape %arg0
// CHECK-NEXT: graph.constant dense<2.000000e-01>
// CHECK-NOT: onnx.
// CHECK: %[[M:.*]] = graph.mul %[[R]]
// CHECK: %[[A:.*]] = graph.add %[[M]]
// CHECK: %[[MIN:.*]] = graph.min %[[A]]
// CHECK: %[[MAX:.*]] = graph.max %[[MIN]]
// CHECK: return %[[MAX]]
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  %shape = "onnx.Constant"() {value = dense<[0, -1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x12xf32>
  %1 = "onnx.HardSigmoid"(%0) : (tensor<2x12xf32>) -> tensor<2x12xf32>
  return %1 : tensor<2x12xf32>
}

// -----

// Shape, Gather, Concat: the result type becomes static although the model
// only knew the rank.
// CHECK-LABEL: func.func @main(%arg0: tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: graph.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: return
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<?x?xf32> {
  %s = "onnx.Shape"(%x) : (tensor<2x3x4xf32>) -> tensor<3xi64>
  %zero = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %axes = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %n = "onnx.Gather"(%s, %zero) {axis = 0 : i64} : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %n1 = "onnx.Unsqueeze"(%n, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %shape = "onnx.Concat"(%n1, %rest) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Symbols pass through what does not need their size.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul {{.*}} -> tensor<?x8xf32, #graph.dims<["batch", 8]>>
// CHECK: graph.reshape {{.*}} -> tensor<?x2x4xf32, #graph.dims<["batch", 2, 4]>>
// CHECK: graph.relu
func.func @main(%x: tensor<?x4xf32, #graph.dims<["batch", 4]>>, %w: tensor<4x8xf32>) -> tensor<?x2x4xf32> {
  %0 = "onnx.MatMul"(%x, %w) : (tensor<?x4xf32, #graph.dims<["batch", 4]>>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %shape = "onnx.Constant"() {value = dense<[-1, 2, 4]> : tensor<3xi64>} : () -> tensor<3xi64>
  %1 = "onnx.Reshape"(%0, %shape) : (tensor<?x8xf32>, tensor<3xi64>) -> tensor<?x2x4xf32>
  %2 = "onnx.Relu"(%1) : (tensor<?x2x4xf32>) -> tensor<?x2x4xf32>
  return %2 : tensor<?x2x4xf32>
}

// -----

// An absent operand in the middle, and a result that nobody reads.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: graph.constant
// CHECK-NEXT: graph.min %arg0
// CHECK-NEXT: return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %none = "onnx.NoValue"() : () -> none
  %six = "onnx.Constant"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "onnx.Clip"(%x, %none, %six) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
  %1, %mask = "onnx.Dropout"(%0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  return %1 : tensor<4xf32>
}

// -----

// An operator without a lowering is its function body.
// CHECK-LABEL: func.func @main
// CHECK-NOT: onnx.
// CHECK: graph.matmul
// CHECK: graph.softmax
// CHECK: graph.matmul
func.func @main(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32> {
  %0 = "onnx.Attention"(%q, %k, %v) : (tensor<2x3x4x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// -----

// Graph operations may stand among the nodes.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = graph.constant
// CHECK-NEXT: %[[M:.*]] = graph.mul %arg0, %[[C]]
// CHECK-NEXT: %[[R:.*]] = graph.relu %[[M]]
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "onnx.Constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %1 = graph.mul %x, %0 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = "onnx.Relu"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
