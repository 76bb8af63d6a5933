// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-form-views --tenon-assign-buffers=target=sm_90a --tenon-lower-kernels=target=sm_90a | FileCheck %s

// A block has a tile: 6 by 10 pixels of the expanded map, of which the border is
// zero at the edge of the image, and 4 by 8 of the next. Threads share out each
// stage, and wait for each other behind it.

// CHECK: kernel.launch @gpu_stages_0 tiles(8) reads
// CHECK-SAME: device = #kernel.device<grid = [1, 1], threads = 256, shared = 2944, cluster = 1,
// CHECK: llvm.func @gpu_stages_0
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK: scf.for
// CHECK: nvvm.barrier
func.func @main(%x: tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32> {
  %w0 = graph.constant dense<0.5> : tensor<8x4x1x1xf32>
  %w1 = graph.constant dense<0.5> : tensor<8x1x3x3xf32>
  %w2 = graph.constant dense<0.5> : tensor<4x8x1x1xf32>
  %y = kernel.group(%x, %w0, %w1, %w2) {tile = #kernel.tile<dims = [1, 2], sizes = [4, 8]>} : (tensor<1x16x16x4xf32>, tensor<8x4x1x1xf32>, tensor<8x1x3x3xf32>, tensor<4x8x1x1xf32>) -> tensor<1x16x16x4xf32> {
  ^bb0(%x0: tensor<1x16x16x4xf32>, %v0: tensor<8x4x1x1xf32>, %v1: tensor<8x1x3x3xf32>, %v2: tensor<4x8x1x1xf32>):
    %0 = kernel.stage(%x0, %v0) in shared : (tensor<1x16x16x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x16x16x8xf32> {
    ^bb0(%a: tensor<1x16x16x4xf32>, %b: tensor<8x4x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x16x16x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x16x16x8xf32>
      kernel.yield %r : tensor<1x16x16x8xf32>
    }
    %1 = kernel.stage(%0, %v1) in shared : (tensor<1x16x16x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x16x16x8xf32> {
    ^bb0(%a: tensor<1x16x16x8xf32>, %b: tensor<8x1x3x3xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 8 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x16x16x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x16x16x8xf32>
      kernel.yield %r : tensor<1x16x16x8xf32>
    }
    %2 = kernel.stage(%1, %v2) in memory : (tensor<1x16x16x8xf32>, tensor<4x8x1x1xf32>) -> tensor<1x16x16x4xf32> {
    ^bb0(%a: tensor<1x16x16x8xf32>, %b: tensor<4x8x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x16x16x8xf32>, tensor<4x8x1x1xf32>) -> tensor<1x16x16x4xf32>
      kernel.yield %r : tensor<1x16x16x4xf32>
    }
    kernel.yield %2 : tensor<1x16x16x4xf32>
  }
  return %y : tensor<1x16x16x4xf32>
}
