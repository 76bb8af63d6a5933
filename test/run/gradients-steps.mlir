// The gradient of a loop is a loop, which is compiled as others are.
// REQUIRES: python
// RUN: rm -rf %t && mkdir %t
// RUN: tenon-opt %s --tenon-append-gradients -o %t/gradients.mlir
// RUN: FileCheck %s < %t/gradients.mlir
// RUN: %python -B %S/agree.py --run tenon-run %t/gradients.mlir --mcpu native,x86-64

// What is carried is kept forwards, and read in reverse backwards.
// CHECK: graph.steps @[[BODY:.*]](%{{.*}}) {count = 6 : i64, {{.*}} stacked = array<i1: true, false, true>}
// CHECK: graph.steps @[[GRADIENT:.*]](%{{.*}}) {count = 6 : i64
// CHECK: func.func @[[BODY]](
// CHECK: func.func @[[GRADIENT]](
// CHECK-SAME: attributes {graph.steps_body}
func.func @main(%xs: tensor<7x2x8xf32> {onnx.name = "x"}, %h: tensor<2x8xf32> {onnx.name = "h"}, %w: tensor<8x8xf32> {onnx.name = "w"},
    %s: tensor<6x2x8xf32> {onnx.name = "s"}, %t: tensor<2x8xf32> {onnx.name = "t"}) -> (tensor<6x2x8xf32> {onnx.name = "y"}) {
  %all, %last = graph.steps @body(%xs, %h, %w) {count = 6 : i64, scans = 1 : i64, next = array<i64: 1>, stacked = array<i1: true, false>}
    : (tensor<7x2x8xf32>, tensor<2x8xf32>, tensor<8x8xf32>) -> (tensor<6x2x8xf32>, tensor<2x8xf32>)
  %0 = graph.mul %last, %t : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = graph.mul %all, %s : (tensor<6x2x8xf32>, tensor<6x2x8xf32>) -> tensor<6x2x8xf32>
  %2 = graph.add %1, %0 : (tensor<6x2x8xf32>, tensor<2x8xf32>) -> tensor<6x2x8xf32>
  return %2 : tensor<6x2x8xf32>
}
func.func @body(%x: tensor<2x8xf32>, %h: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) attributes {graph.steps_body} {
  %0 = graph.matmul %h, %w : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = graph.add %0, %x : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.tanh %1 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = graph.mul %2, %x : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %3, %2 : tensor<2x8xf32>, tensor<2x8xf32>
}
