// RUN: tenon-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func @identities
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[V:.*]]: tensor<f32>)
// CHECK-NEXT: return %[[X]]
func.func @identities(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<2x3xf32> {
  %0 = graph.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.broadcast %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = graph.slice %2 {starts = array<i64: 0, 0>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = graph.concat %3 {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = graph.pad %4, %v {low = array<i64: 0, 0>, high = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}

// CHECK-LABEL: func @chains
// CHECK: graph.transpose %{{.*}} {permutation = array<i64: 2, 1, 0>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: graph.reshape %{{.*}} : (tensor<4x3x2xf32>) -> tensor<24xf32>
// CHECK-NEXT: return
func.func @chains(%x: tensor<2x3x4xf32>) -> tensor<24xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 2, 0, 1>} : (tensor<3x2x4xf32>) -> tensor<4x3x2xf32>
  %2 = graph.reshape %1 : (tensor<4x3x2xf32>) -> tensor<12x2xf32>
  %3 = graph.reshape %2 : (tensor<12x2xf32>) -> tensor<24xf32>
  return %3 : tensor<24xf32>
}

// CHECK-LABEL: func @inverse
// CHECK-NEXT: return %arg0
func.func @inverse(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @constants
// CHECK-DAG: graph.constant dense<{{\[\[}}1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// CHECK-DAG: graph.constant dense<3.000000e+00> : tensor<4x5xf32>
func.func @constants() -> (tensor<2x1xf32>, tensor<4x5xf32>) {
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.reshape %0 : (tensor<2xf32>) -> tensor<2x1xf32>
  %2 = graph.constant dense<3.0> : tensor<f32>
  %3 = graph.broadcast %2 : (tensor<f32>) -> tensor<5x4xf32>
  %4 = graph.transpose %3 {permutation = array<i64: 1, 0>} : (tensor<5x4xf32>) -> tensor<4x5xf32>
  return %1, %4 : tensor<2x1xf32>, tensor<4x5xf32>
}

// Unknown dimensions may differ although the types are equal; one of them
// follows from the count.
// CHECK-LABEL: func @unknown
// CHECK: %[[A:.*]] = graph.reshape %arg0
// CHECK: %[[B:.*]] = graph.broadcast %arg1
// CHECK: return %[[A]], %[[B]], %arg1
func.func @unknown(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = graph.reshape %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = graph.broadcast %y : (tensor<?xf32>) -> tensor<?xf32>
  %2 = graph.reshape %y : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}
