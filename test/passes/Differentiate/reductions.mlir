// RUN: tenon-opt %s --split-input-file --tenon-append-gradients --canonicalize --cse | FileCheck %s

// From the result alone.
// CHECK-LABEL: @softmax
// CHECK: %[[Y:.*]] = graph.softmax %arg0
// CHECK: %[[S:.*]] = graph.reduce_sum %{{.*}} {axes = array<i64: 1>}
// CHECK: %[[D:.*]] = graph.sub %{{.*}}, %[[S]]
// CHECK: graph.mul %[[Y]], %[[D]]
func.func @softmax(%x: tensor<2x3xf32>, %s: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.softmax %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.mul %0, %s : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// Zeros among factors: nothing is divided.
// CHECK-LABEL: @product
// CHECK: graph.prefix
// CHECK: graph.prefix
// CHECK-NOT: graph.div
// CHECK: return
func.func @product(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = graph.reduce_prod %x {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Running sums run back.
// CHECK-LABEL: @prefix
// CHECK: graph.prefix %{{.*}} {axis = 1 : i64, exclusive = true, reverse = true}
func.func @prefix(%x: tensor<2x3xf32>, %s: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.prefix %x {axis = 1 : i64, exclusive = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.mul %0, %s : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
