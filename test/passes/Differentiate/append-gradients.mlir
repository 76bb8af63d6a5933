// RUN: tenon-opt %s --split-input-file --tenon-append-gradients --canonicalize --cse | FileCheck %s

// A result stands for its operand, a bias is summed over the rows.
// CHECK-LABEL: @dense
// CHECK: %[[Y:.*]] = graph.relu
// CHECK: %[[T:.*]] = graph.tanh %[[Y]]
// CHECK: %[[S:.*]] = graph.mul %[[T]], %[[T]]
// CHECK: graph.sub %{{.*}}, %[[S]]
// CHECK: %[[C:.*]] = graph.greater %[[Y]]
// CHECK: %[[DX:.*]] = graph.select %[[C]]
// CHECK: %[[DB:.*]] = graph.reduce_sum %[[DX]] {axes = array<i64: 0>, keep_dims = false}
// CHECK: return %[[T]], %[[DX]], %[[DB]]
func.func @dense(%x: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = graph.add %x, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = graph.relu %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.tanh %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// Each side is summed over another axis.
// CHECK-LABEL: @crossed
// CHECK: %[[A:.*]] = graph.reduce_sum %[[D:.*]] {axes = array<i64: 0>, keep_dims = false}
// CHECK: graph.reshape %[[A]] : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK: %[[B:.*]] = graph.reduce_sum %[[D]] {axes = array<i64: 1>, keep_dims = false}
// CHECK: graph.reshape %[[B]] : (tensor<2xf32>) -> tensor<2x1xf32>
func.func @crossed(%a: tensor<1x3xf32>, %b: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = graph.add %a, %b : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// The square of a constant exponent needs no power, and a scalar gets one sum.
// CHECK-LABEL: @power
// CHECK: graph.pow
// CHECK-NOT: graph.pow
// CHECK-NOT: graph.log
// CHECK: graph.reduce_sum %{{.*}} {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<2x3xf32>) -> tensor<f32>
func.func @power(%x: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {
  %two = graph.constant dense<2> : tensor<i64>
  %0 = graph.pow %x, %two : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  %1 = graph.mul %0, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// What is compared, rounded or made an integer ends what depends on %x.
// CHECK-LABEL: @ends
// CHECK: %[[Z:.*]] = graph.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK: return %{{.*}}, %[[Z]]
func.func @ends(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.floor %x : (tensor<3xf32>) -> tensor<3xf32>
  %1 = graph.cast %x : (tensor<3xf32>) -> tensor<3xi32>
  %2 = graph.cast %1 : (tensor<3xi32>) -> tensor<3xf32>
  %3 = graph.add %0, %2 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %3 : tensor<3xf32>
}
