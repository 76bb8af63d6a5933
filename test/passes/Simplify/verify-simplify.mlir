// RUN: tenon-opt %s -tenon-verify-simplify | FileCheck %s

// CHECK-LABEL: func @good
// CHECK: graph.max_pool
func.func @good(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %0 = graph.max_pool %x {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
    dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}
