// RUN: tenon-opt %s --tenon-merge-groups=target=sm_90a --tenon-verify-fuse --split-input-file | FileCheck %s

// Maps that are large and have few channels stay in shared memory of blocks.
// CHECK-LABEL: func.func @large
// CHECK: kernel.group({{.*}}tile = #kernel.tile<dims = [0, 1, 2], sizes = [1, {{[0-9]+}}, {{[0-9]+}}]>
// CHECK: kernel.stage({{.*}}) in shared :
// CHECK: kernel.stage({{.*}}) in shared :
// CHECK: kernel.stage({{.*}}) in memory :
// CHECK-NOT: kernel.group
// CHECK: return
func.func @large(%x: tensor<1x512x512x4xf32>) -> tensor<1x512x512x4xf32> {
  %w0 = graph.constant dense<0.5> : tensor<8x4x1x1xf32>
  %w1 = graph.constant dense<0.5> : tensor<8x1x3x3xf32>
  %w2 = graph.constant dense<0.5> : tensor<4x8x1x1xf32>
  %0 = kernel.group(%x, %w0) : (tensor<1x512x512x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x512x512x8xf32> {
  ^bb0(%a: tensor<1x512x512x4xf32>, %b: tensor<8x4x1x1xf32>):
    %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x512x512x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x512x512x8xf32>
    kernel.yield %r : tensor<1x512x512x8xf32>
  }
  %1 = kernel.group(%0, %w1) : (tensor<1x512x512x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x512x512x8xf32> {
  ^bb0(%a: tensor<1x512x512x8xf32>, %b: tensor<8x1x3x3xf32>):
    %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 8 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x512x512x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x512x512x8xf32>
    kernel.yield %r : tensor<1x512x512x8xf32>
  }
  %2 = kernel.group(%1, %w2) : (tensor<1x512x512x8xf32>, tensor<4x8x1x1xf32>) -> tensor<1x512x512x4xf32> {
  ^bb0(%a: tensor<1x512x512x8xf32>, %b: tensor<4x8x1x1xf32>):
    %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x512x512x8xf32>, tensor<4x8x1x1xf32>) -> tensor<1x512x512x4xf32>
    kernel.yield %r : tensor<1x512x512x4xf32>
  }
  return %2 : tensor<1x512x512x4xf32>
}

// -----

// Products of many channels are faster apart, by matrix units.
// CHECK-LABEL: func.func @deep
// CHECK-NOT: kernel.stage
// CHECK: return
func.func @deep(%x: tensor<1x112x112x16xf32>) -> tensor<1x112x112x24xf32> {
  %w0 = graph.constant dense<0.5> : tensor<96x16x1x1xf32>
  %w1 = graph.constant dense<0.5> : tensor<96x1x3x3xf32>
  %w2 = graph.constant dense<0.5> : tensor<24x96x1x1xf32>
  %0 = kernel.group(%x, %w0) : (tensor<1x112x112x16xf32>, tensor<96x16x1x1xf32>) -> tensor<1x112x112x96xf32> {
  ^bb0(%a: tensor<1x112x112x16xf32>, %b: tensor<96x16x1x1xf32>):
    %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x16xf32>, tensor<96x16x1x1xf32>) -> tensor<1x112x112x96xf32>
    kernel.yield %r : tensor<1x112x112x96xf32>
  }
  %1 = kernel.group(%0, %w1) : (tensor<1x112x112x96xf32>, tensor<96x1x3x3xf32>) -> tensor<1x112x112x96xf32> {
  ^bb0(%a: tensor<1x112x112x96xf32>, %b: tensor<96x1x3x3xf32>):
    %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 96 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x112x112x96xf32>, tensor<96x1x3x3xf32>) -> tensor<1x112x112x96xf32>
    kernel.yield %r : tensor<1x112x112x96xf32>
  }
  %2 = kernel.group(%1, %w2) : (tensor<1x112x112x96xf32>, tensor<24x96x1x1xf32>) -> tensor<1x112x112x24xf32> {
  ^bb0(%a: tensor<1x112x112x96xf32>, %b: tensor<24x96x1x1xf32>):
    %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x96xf32>, tensor<24x96x1x1xf32>) -> tensor<1x112x112x24xf32>
    kernel.yield %r : tensor<1x112x112x24xf32>
  }
  return %2 : tensor<1x112x112x24xf32>
}
