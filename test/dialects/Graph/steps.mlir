// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: graph.steps @body(%{{.*}}, %{{.*}}, %{{.*}}) {count = 3 : i64, next = array<i64: 0, 1>, scans = 1 : i64, stacked = array<i1: true, false>} : (tensor<4x2xf32>, tensor<2xf32>, tensor<1xf32>) -> (tensor<3x2xf32>, tensor<1xf32>)
func.func @main(%xs: tensor<4x2xf32>, %h: tensor<2xf32>, %c: tensor<1xf32>) -> (tensor<3x2xf32>, tensor<1xf32>) {
  %r:2 = graph.steps @body(%xs, %h, %c) {count = 3, scans = 1, next = array<i64: 0, 1>, stacked = array<i1: true, false>} : (tensor<4x2xf32>, tensor<2xf32>, tensor<1xf32>) -> (tensor<3x2xf32>, tensor<1xf32>)
  return %r#0, %r#1 : tensor<3x2xf32>, tensor<1xf32>
}
func.func @body(%x: tensor<2xf32>, %h: tensor<2xf32>, %c: tensor<1xf32>) -> (tensor<2xf32>, tensor<1xf32>) attributes {graph.steps_body} {
  %n = graph.add %x, %h : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = graph.neg %c : (tensor<1xf32>) -> tensor<1xf32>
  return %n, %d : tensor<2xf32>, tensor<1xf32>
}
