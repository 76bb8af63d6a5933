// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-assign-buffers=target=avx2 | FileCheck %s

// The loops write into the middle of a buffer with a halo of one row and one
// column around, which the convolution asked for.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x8x8x16xf32>) -> tensor<1x8x8x32xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<32x16x3x3xf32>
  // CHECK: kernel.group
  // CHECK-SAME: buffers = [!memory.buffer<tensor<1x8x8x16xf32>, [1024, 128, 16, 1], 0, 4096>, !memory.buffer<tensor<1x8x8x16xf32>, [1600, 160, 16, 1], 176, 6400>]
  %0 = kernel.group(%x) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>):
    %1 = graph.relu %a : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
    kernel.yield %1 : tensor<1x8x8x16xf32>
  }
  // CHECK: kernel.group
  // CHECK-SAME: buffers = [!memory.buffer<tensor<1x8x8x16xf32>, [1600, 160, 16, 1], 176, 6400>
  %2 = kernel.group(%0, %w) : (tensor<1x8x8x16xf32>, tensor<32x16x3x3xf32>) -> tensor<1x8x8x32xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<32x16x3x3xf32>):
    %3 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<32x16x3x3xf32>) -> tensor<1x8x8x32xf32>
    kernel.yield %3 : tensor<1x8x8x32xf32>
  }
  return %2 : tensor<1x8x8x32xf32>
}

// A part that begins where sizes say: its offset is one of the buffer's.
!row = tensor<?xf32, #graph.dims<["n"]>>
!all = tensor<?xf32, #graph.dims<["m" + "n"]>>
// CHECK-LABEL: func.func @behind
// CHECK-COUNT-2: kernel.group
// CHECK-SAME: [1], "m", 4 * "m" + 4 * "n">
// CHECK: in_place = array<i64: 0, 1>
func.func @behind(%x: tensor<?xf32, #graph.dims<["m"]>>, %y: !row) -> !all {
  %0 = kernel.group(%x) : (tensor<?xf32, #graph.dims<["m"]>>) -> tensor<?xf32, #graph.dims<["m"]>> {
  ^bb0(%a: tensor<?xf32, #graph.dims<["m"]>>):
    %1 = graph.relu %a : (tensor<?xf32, #graph.dims<["m"]>>) -> tensor<?xf32, #graph.dims<["m"]>>
    kernel.yield %1 : tensor<?xf32, #graph.dims<["m"]>>
  }
  %2 = kernel.group(%y) : (!row) -> !row {
  ^bb0(%a: !row):
    %3 = graph.relu %a : (!row) -> !row
    kernel.yield %3 : !row
  }
  %4 = kernel.group(%0, %2) : (tensor<?xf32, #graph.dims<["m"]>>, !row) -> !all {
  ^bb0(%a: tensor<?xf32, #graph.dims<["m"]>>, %b: !row):
    %5 = graph.concat %a, %b {axis = 0 : i64} : (tensor<?xf32, #graph.dims<["m"]>>, !row) -> !all
    kernel.yield %5 : !all
  }
  return %4 : !all
}
