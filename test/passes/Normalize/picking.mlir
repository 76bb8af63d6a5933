// RUN: tenon-opt %s --tenon-normalize-onnx --split-input-file --verify-diagnostics | FileCheck %s

// A tuple of two indices becomes one; where an index lies outside, so does that.
// CHECK-LABEL: func.func @main
// CHECK: graph.and
// CHECK: %[[OUTSIDE:.*]] = graph.constant dense<12> : tensor<i64>
// CHECK: %[[LINEAR:.*]] = graph.select %{{.*}}, %{{.*}}, %[[OUTSIDE]]
// CHECK: %[[ROWS:.*]] = graph.reshape %[[LINEAR]] : (tensor<1x5x1xi64>) -> tensor<5xi64>
// CHECK: graph.gather %{{.*}}, %[[ROWS]] {axis = 0 : i64} : (tensor<12x2xf32>, tensor<5xi64>)
func.func @main(%x: tensor<3x4x2xf32>, %i: tensor<5x2xi64>) -> tensor<5x2xf32> {
  %0 = "onnx.GatherND"(%x, %i) : (tensor<3x4x2xf32>, tensor<5x2xi64>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-DAG: graph.constant dense<12> : tensor<i64>
// CHECK: graph.scatter %{{.*}}, %{{.*}}, %arg2 {kind = #graph<scatter_kind mul>} : (tensor<12x2xf32>, tensor<5xi64>, tensor<5x2xf32>) -> tensor<12x2xf32>
func.func @main(%x: tensor<3x4x2xf32>, %i: tensor<5x2xi64>, %u: tensor<5x2xf32>) -> tensor<3x4x2xf32> {
  %0 = "onnx.ScatterND"(%x, %i, %u) {reduction = "mul"} : (tensor<3x4x2xf32>, tensor<5x2xi64>, tensor<5x2xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

// -----

// Elements of the flattened data; places along the other dimensions are known.
// CHECK-LABEL: func.func @main
// CHECK-DAG: graph.constant dense<{{\[}}[0], [3]]> : tensor<2x1xi64>
// CHECK: graph.scatter %{{.*}} : (tensor<6xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<6xf32>
func.func @main(%x: tensor<2x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.ScatterElements"(%x, %i, %u) {axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x1xi32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// An index that is repeated along rows counts for a row.
// CHECK-LABEL: func.func @main
// CHECK: graph.scatter %arg0, %{{.*}}, %arg2 {kind = #graph<scatter_kind add>} : (tensor<9x64xf32>, tensor<30xi64>, tensor<30x64xf32>) -> tensor<9x64xf32>
func.func @main(%x: tensor<9x64xf32>, %i: tensor<30x1xi64>, %u: tensor<30x64xf32>) -> tensor<9x64xf32> {
  %s = "onnx.Constant"() {value = dense<[30, 64]> : tensor<2xi64>} : () -> tensor<2xi64>
  %e = "onnx.Expand"(%i, %s) : (tensor<30x1xi64>, tensor<2xi64>) -> tensor<30x64xi64>
  %0 = "onnx.ScatterElements"(%x, %e, %u) {axis = 0 : i64, reduction = "add"} : (tensor<9x64xf32>, tensor<30x64xi64>, tensor<30x64xf32>) -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.mod
// CHECK: graph.scatter %{{.*}} : (tensor<24x8xf32>, tensor<12xi64>, tensor<12x8xf32>) -> tensor<24x8xf32>
func.func @main(%x: tensor<2x3x4x8xf32>, %u: tensor<2x3x2x8xf32>, %i: tensor<2xi64>) -> tensor<2x3x4x8xf32> {
  %0 = "onnx.TensorScatter"(%x, %u, %i) {mode = "circular"} : (tensor<2x3x4x8xf32>, tensor<2x3x2x8xf32>, tensor<2xi64>) -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// -----

// Without a begin it is the first row.
// CHECK-LABEL: func.func @main
// CHECK-DAG: graph.constant dense<[0, 1, 4, 5]> : tensor<4xi64>
// CHECK: graph.scatter
func.func @main(%x: tensor<2x4x8xf32>, %u: tensor<2x2x8xf32>) -> tensor<2x4x8xf32> {
  %n = "onnx.NoValue"() : () -> none
  %0 = "onnx.TensorScatter"(%x, %u, %n) : (tensor<2x4x8xf32>, tensor<2x2x8xf32>, none) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[ROWS:.*]] = graph.constant dense<[4, 1, 2, 3, 0, 5]> : tensor<6xi64>
// CHECK: graph.gather %{{.*}}, %[[ROWS]] {axis = 0 : i64} : (tensor<6x5xf32>, tensor<6xi64>) -> tensor<6x5xf32>
func.func @main(%x: tensor<3x2x5xf32>) -> tensor<3x2x5xf32> {
  %l = "onnx.Constant"() {value = dense<[3, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = "onnx.ReverseSequence"(%x, %l) {time_axis = 0 : i64, batch_axis = 1 : i64} : (tensor<3x2x5xf32>, tensor<2xi64>) -> tensor<3x2x5xf32>
  return %0 : tensor<3x2x5xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.scatter %{{.*}} : (tensor<16xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<16xf32>
// CHECK: graph.pad
func.func @main(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) -> tensor<1x1x5x5xf32> {
  %s = "onnx.Constant"() {value = dense<[1, 1, 5, 5]> : tensor<4xi64>} : () -> tensor<4xi64>
  %0 = "onnx.MaxUnpool"(%x, %i, %s) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<1x1x5x5xf32>
  return %0 : tensor<1x1x5x5xf32>
}

// -----

// Two blocks of 2x1 that overlap, above one row of padding.
// CHECK-LABEL: func.func @main
// CHECK-DAG: graph.constant dense<[0, 1, 1, 2]> : tensor<4xi64>
// CHECK: graph.scatter %{{.*}} {kind = #graph<scatter_kind add>} : (tensor<3x6xf32>, tensor<4xi64>, tensor<4x6xf32>) -> tensor<3x6xf32>
// CHECK: graph.slice
func.func @main(%x: tensor<2x6x2xf32>) -> tensor<2x3x2x1xf32> {
  %i = "onnx.Constant"() {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %b = "onnx.Constant"() {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = "onnx.Col2Im"(%x, %i, %b) {pads = array<i64: 0, 0, 1, 0>} : (tensor<2x6x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3x2x1xf32>
  return %0 : tensor<2x3x2x1xf32>
}

// -----

// Rows to select from are contiguous.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = graph.transpose %arg0 {permutation = array<i64: 0, 2, 1>}
// CHECK: graph.top_k %[[X]] {axis = 2 : i64, k = 2 : i64, largest = false}
func.func @main(%x: tensor<3x7x5xf32>) -> (tensor<3x2x5xf32>, tensor<3x2x5xi64>) {
  %k = "onnx.Constant"() {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %0, %1 = "onnx.TopK"(%x, %k) {axis = 1 : i64, largest = 0 : i64} : (tensor<3x7x5xf32>, tensor<1xi64>) -> (tensor<3x2x5xf32>, tensor<3x2x5xi64>)
  return %0, %1 : tensor<3x2x5xf32>, tensor<3x2x5xi64>
}
