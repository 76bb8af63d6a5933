// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// Both directions get the activations that ONNX implies.
// CHECK-LABEL: func.func @main
// CHECK: graph.recurrent %arg0, %arg1, %arg2
// CHECK-SAME: activations = ["Sigmoid", "Tanh", "Tanh", "Sigmoid", "Tanh", "Tanh"]
// CHECK-SAME: cell = #graph<cell lstm>
// CHECK-SAME: direction = #graph<direction bidirectional>
func.func @main(%x: tensor<7x1x4xf32>, %w: tensor<2x12x4xf32>, %r: tensor<2x12x3xf32>) -> tensor<7x2x1x3xf32> {
  %0, %1, %2 = "onnx.LSTM"(%x, %w, %r) {hidden_size = 3 : i64, direction = "bidirectional"}
    : (tensor<7x1x4xf32>, tensor<2x12x4xf32>, tensor<2x12x3xf32>) -> (tensor<7x2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1x3xf32>)
  return %0 : tensor<7x2x1x3xf32>
}

// -----

// layout = 1 puts the batch first on both sides.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = graph.transpose %arg0 {permutation = array<i64: 1, 0, 2>}
// CHECK: %[[ALL:.*]], %[[H:.*]], %{{.*}} = graph.recurrent %[[X]]
// CHECK-SAME: linear_before_reset = true
// CHECK-DAG: graph.transpose %[[ALL]] {permutation = array<i64: 2, 0, 1, 3>} : (tensor<7x1x2x3xf32>) -> tensor<2x7x1x3xf32>
// CHECK-DAG: graph.transpose %[[H]] {permutation = array<i64: 1, 0, 2>}
func.func @main(%x: tensor<2x7x4xf32>, %w: tensor<1x9x4xf32>, %r: tensor<1x9x3xf32>) -> (tensor<2x7x1x3xf32>, tensor<2x1x3xf32>) {
  %0, %1 = "onnx.GRU"(%x, %w, %r) {hidden_size = 3 : i64, layout = 1 : i64, linear_before_reset = 1 : i64}
    : (tensor<2x7x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>) -> (tensor<2x7x1x3xf32>, tensor<2x1x3xf32>)
  return %0, %1 : tensor<2x7x1x3xf32>, tensor<2x1x3xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.recurrent
// CHECK-SAME: activations = ["Relu"]
// CHECK-SAME: clip = 1.000000e+00 : f32
// CHECK-SAME: direction = #graph<direction reverse>
func.func @main(%x: tensor<7x1x4xf32>, %w: tensor<1x3x4xf32>, %r: tensor<1x3x3xf32>, %lengths: tensor<1xi32>) -> tensor<1x1x3xf32> {
  %none = "onnx.NoValue"() : () -> none
  %0, %1 = "onnx.RNN"(%x, %w, %r, %none, %lengths) {hidden_size = 3 : i64, direction = "reverse", activations = ["Relu"], clip = 1.0 : f32}
    : (tensor<7x1x4xf32>, tensor<1x3x4xf32>, tensor<1x3x3xf32>, none, tensor<1xi32>) -> (tensor<7x1x1x3xf32>, tensor<1x1x3xf32>)
  return %1 : tensor<1x1x3xf32>
}

// -----

// Units and directions, which the node states, say what the inputs' symbols are.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<?x?x?xf32, #graph.dims<["t", "b", "i"]>>, %arg1: tensor<2x3x?xf32, #graph.dims<[2, 3, "w"]>>, %arg2: tensor<2x3x3xf32>
// CHECK: %[[W:.*]] = graph.reshape %arg1 {{.*}} -> tensor<2x3x?xf32, #graph.dims<[2, 3, "i"]>>
// CHECK: graph.recurrent %arg0, %[[W]],
func.func @main(%x: tensor<?x?x?xf32, #graph.dims<["t", "b", "i"]>>, %w: tensor<?x?x?xf32, #graph.dims<["d", "g", "w"]>>, %r: tensor<?x?x?xf32, #graph.dims<["d1", "g1", "h"]>>) -> tensor<?x?x?x?xf32> {
  %0, %1 = "onnx.RNN"(%x, %w, %r) {hidden_size = 3 : i64, direction = "bidirectional"}
    : (tensor<?x?x?xf32, #graph.dims<["t", "b", "i"]>>, tensor<?x?x?xf32, #graph.dims<["d", "g", "w"]>>, tensor<?x?x?xf32, #graph.dims<["d1", "g1", "h"]>>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>)
  return %0 : tensor<?x?x?x?xf32>
}
