// RUN: tenon-opt %s --split-input-file --tenon-expand-gradients --canonicalize --cse | FileCheck %s

// What is fed are the tensors themselves: nothing is computed twice.
// CHECK-LABEL: func.func @same(%arg0: tensor<f32>, %arg1: tensor<f32>)
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<1.0
// CHECK-NEXT: %[[SUM:.*]] = graph.add %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = graph.mul %[[SUM]], %arg0
// CHECK-NEXT: %[[DSUM:.*]] = graph.mul %arg0, %[[C]]
// CHECK-NEXT: %[[DA:.*]] = graph.mul %[[SUM]], %[[C]]
// CHECK-NEXT: %[[BOTH:.*]] = graph.add %[[DA]], %[[DSUM]]
// CHECK-NEXT: return %[[Y]], %[[BOTH]], %[[DSUM]]
func.func @same(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = graph.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = graph.mul %0, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %2:2 = "builtin.unrealized_conversion_cast"(%a, %b, %a, %b, %1) {tenon.gradient} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %1, %2#0, %2#1 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// Another tensor is fed, which is used beside: that use has no part in it. A
// tensor of zs is not differentiated by, and one that y does not depend on has
// a gradient of zeros.
// CHECK-LABEL: func.func @other(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>)
// CHECK-DAG: %[[ZEROS:.*]] = graph.constant dense<0.0
// CHECK-DAG: %[[ONES:.*]] = graph.constant dense<1.0
// CHECK-DAG: %[[Y:.*]] = graph.mul
// CHECK-DAG: %[[S:.*]] = graph.sin %arg1
// CHECK-DAG: %[[DX:.*]] = graph.mul %[[S]], %[[ONES]]
// CHECK: return %[[Y]], %[[DX]], %[[ZEROS]]
func.func @other(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = graph.sin %a : (tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.mul %0, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2:2 = "builtin.unrealized_conversion_cast"(%a, %c, %b, %b, %c, %a, %1) {tenon.gradient} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %1, %2#0, %2#1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
