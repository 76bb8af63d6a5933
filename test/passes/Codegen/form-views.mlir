// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-form-views | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-form-views --tenon-assign-buffers=target=avx2 | FileCheck %s --check-prefix=LAY
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-form-views=spare=1 | FileCheck %s --check-prefix=SPARE

// A product reads a slice in place, and a transposition of another slice.
// CHECK-LABEL: func.func @slices
// CHECK: %[[ALL:.*]] = kernel.group
// CHECK: %[[Q:.*]] = graph.slice %[[ALL]]
// CHECK: %[[S:.*]] = graph.slice %[[ALL]]
// CHECK: %[[K:.*]] = graph.transpose
// CHECK-NOT: kernel.group
// CHECK: kernel.group
// LAY-LABEL: func.func @slices
// LAY: graph.transpose
// LAY: kernel.group
// LAY-SAME: buffers = [!memory.buffer<tensor<2x8x16xf32>, [16, 64, 1], 0, 1920>, !memory.buffer<tensor<2x8x16xf32>, [16, 64, 1], 0, 1920>,
// LAY-SAME: offsets = array<i64: 0, 128, 0>
func.func @slices(%x: tensor<8x16xf32>, %w: tensor<16x64xf32>) -> tensor<2x8x8xf32> {
  %all = kernel.group(%x, %w) : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%a: tensor<8x16xf32>, %b: tensor<16x64xf32>):
    %0 = graph.matmul %a, %b : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    kernel.yield %0 : tensor<8x64xf32>
  }
  %q = kernel.group(%all) : (tensor<8x64xf32>) -> tensor<2x8x16xf32> {
  ^bb0(%a: tensor<8x64xf32>):
    %0 = graph.slice %a {starts = array<i64: 0, 0>, sizes = array<i64: 8, 32>, steps = array<i64: 1, 1>} : (tensor<8x64xf32>) -> tensor<8x32xf32>
    %1 = graph.reshape %0 : (tensor<8x32xf32>) -> tensor<8x2x16xf32>
    %2 = graph.transpose %1 {permutation = array<i64: 1, 0, 2>} : (tensor<8x2x16xf32>) -> tensor<2x8x16xf32>
    kernel.yield %2 : tensor<2x8x16xf32>
  }
  %s = kernel.group(%all) : (tensor<8x64xf32>) -> tensor<8x32xf32> {
  ^bb0(%a: tensor<8x64xf32>):
    %0 = graph.slice %a {starts = array<i64: 0, 32>, sizes = array<i64: 8, 32>, steps = array<i64: 1, 1>} : (tensor<8x64xf32>) -> tensor<8x32xf32>
    kernel.yield %0 : tensor<8x32xf32>
  }
  %r = graph.reshape %s : (tensor<8x32xf32>) -> tensor<8x2x16xf32>
  %k = kernel.group(%r) : (tensor<8x2x16xf32>) -> tensor<2x8x16xf32> {
  ^bb0(%a: tensor<8x2x16xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0, 2>} : (tensor<8x2x16xf32>) -> tensor<2x8x16xf32>
    kernel.yield %0 : tensor<2x8x16xf32>
  }
  %y = kernel.group(%q, %k) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x8xf32> {
  ^bb0(%a: tensor<2x8x16xf32>, %b: tensor<2x8x16xf32>):
    %0 = graph.matmul %a, %b {transpose_rhs} : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    kernel.yield %0 : tensor<2x8x8xf32>
  }
  return %y : tensor<2x8x8xf32>
}

// Columns that become rows: nobody reads those well.
// CHECK-LABEL: func.func @columns
// CHECK: kernel.group
// CHECK: graph.transpose
// CHECK: kernel.yield
func.func @columns(%x: tensor<16x32xf32>, %w: tensor<16x8xf32>) -> tensor<32x8xf32> {
  %t = kernel.group(%x) : (tensor<16x32xf32>) -> tensor<32x16xf32> {
  ^bb0(%a: tensor<16x32xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    kernel.yield %0 : tensor<32x16xf32>
  }
  %y = kernel.group(%t, %w) : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32> {
  ^bb0(%a: tensor<32x16xf32>, %b: tensor<16x8xf32>):
    %0 = graph.matmul %a, %b : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
    kernel.yield %0 : tensor<32x8xf32>
  }
  return %y : tensor<32x8xf32>
}

// In this order: a reshape of the slice that no strides express, rows
// backwards, rows of four elements, an output, a slice that needs a halo. All
// five stay beside the one group that computes.
// CHECK-LABEL: func.func @refused
// CHECK-COUNT-6: kernel.group
// CHECK: kernel.group
func.func @refused(%x: tensor<8x64xf32>, %i: tensor<1x4x6x16xf32>, %w: tensor<8x8x3x3xf32>) -> (tensor<256xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x32xf32>, tensor<1x4x6x8xf32>) {
  %a = kernel.group(%x) : (tensor<8x64xf32>) -> tensor<8x32xf32> {
  ^bb0(%b: tensor<8x64xf32>):
    %0 = graph.slice %b {starts = array<i64: 0, 16>, sizes = array<i64: 8, 32>, steps = array<i64: 1, 1>} : (tensor<8x64xf32>) -> tensor<8x32xf32>
    kernel.yield %0 : tensor<8x32xf32>
  }
  %flat = graph.reshape %a : (tensor<8x32xf32>) -> tensor<256xf32>
  %y0 = kernel.group(%flat) : (tensor<256xf32>) -> tensor<256xf32> {
  ^bb0(%b: tensor<256xf32>):
    %0 = graph.reshape %b : (tensor<256xf32>) -> tensor<256xf32>
    kernel.yield %0 : tensor<256xf32>
  }
  %c = kernel.group(%x) : (tensor<8x64xf32>) -> tensor<8x32xf32> {
  ^bb0(%b: tensor<8x64xf32>):
    %0 = graph.slice %b {starts = array<i64: 7, 16>, sizes = array<i64: 8, 32>, steps = array<i64: -1, 1>} : (tensor<8x64xf32>) -> tensor<8x32xf32>
    kernel.yield %0 : tensor<8x32xf32>
  }
  %y1 = kernel.group(%c, %c) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32> {
  ^bb0(%b: tensor<8x32xf32>, %d: tensor<8x32xf32>):
    %0 = graph.concat %b {axis = 0 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    kernel.yield %0 : tensor<8x32xf32>
  }
  %e = kernel.group(%x) : (tensor<8x64xf32>) -> tensor<8x4xf32> {
  ^bb0(%b: tensor<8x64xf32>):
    %0 = graph.slice %b {starts = array<i64: 0, 16>, sizes = array<i64: 8, 4>, steps = array<i64: 1, 1>} : (tensor<8x64xf32>) -> tensor<8x4xf32>
    kernel.yield %0 : tensor<8x4xf32>
  }
  %y2 = kernel.group(%e) : (tensor<8x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%b: tensor<8x4xf32>):
    %0 = graph.relu %b : (tensor<8x4xf32>) -> tensor<8x4xf32>
    kernel.yield %0 : tensor<8x4xf32>
  }
  %y3 = kernel.group(%x) : (tensor<8x64xf32>) -> tensor<8x32xf32> {
  ^bb0(%b: tensor<8x64xf32>):
    %0 = graph.slice %b {starts = array<i64: 0, 0>, sizes = array<i64: 8, 32>, steps = array<i64: 1, 1>} : (tensor<8x64xf32>) -> tensor<8x32xf32>
    kernel.yield %0 : tensor<8x32xf32>
  }
  %h = kernel.group(%i) : (tensor<1x4x6x16xf32>) -> tensor<1x4x6x8xf32> {
  ^bb0(%b: tensor<1x4x6x16xf32>):
    %0 = graph.slice %b {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 6, 8>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x4x6x16xf32>) -> tensor<1x4x6x8xf32>
    kernel.yield %0 : tensor<1x4x6x8xf32>
  }
  %y4 = kernel.group(%h, %w) : (tensor<1x4x6x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x4x6x8xf32> {
  ^bb0(%b: tensor<1x4x6x8xf32>, %d: tensor<8x8x3x3xf32>):
    %0 = graph.conv %b, %d {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x6x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x4x6x8xf32>
    kernel.yield %0 : tensor<1x4x6x8xf32>
  }
  return %y0, %y1, %y2, %y3, %y4 : tensor<256xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x32xf32>, tensor<1x4x6x8xf32>
}

// A small part must not keep a large tensor alive while the most is, unless
// there is memory to spare.
// SPARE-LABEL: func.func @memory
// SPARE: kernel.yield
// SPARE-NOT: kernel.yield
// SPARE: graph.slice %0
// CHECK-LABEL: func.func @memory
// CHECK: graph.relu
// CHECK: kernel.group
// CHECK: graph.slice
// CHECK: kernel.yield
func.func @memory(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = kernel.group(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%b: tensor<64x64xf32>):
    %0 = graph.relu %b : (tensor<64x64xf32>) -> tensor<64x64xf32>
    kernel.yield %0 : tensor<64x64xf32>
  }
  %s = kernel.group(%a) : (tensor<64x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%b: tensor<64x64xf32>):
    %0 = graph.slice %b {starts = array<i64: 0, 0>, sizes = array<i64: 1, 64>, steps = array<i64: 1, 1>} : (tensor<64x64xf32>) -> tensor<1x64xf32>
    kernel.yield %0 : tensor<1x64xf32>
  }
  %c = kernel.group(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%b: tensor<64x64xf32>):
    %0 = graph.exp %b : (tensor<64x64xf32>) -> tensor<64x64xf32>
    kernel.yield %0 : tensor<64x64xf32>
  }
  %d = kernel.group(%c) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%b: tensor<64x64xf32>):
    %0 = graph.relu %b : (tensor<64x64xf32>) -> tensor<64x64xf32>
    kernel.yield %0 : tensor<64x64xf32>
  }
  %y = kernel.group(%d, %s) : (tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%b: tensor<64x64xf32>, %e: tensor<1x64xf32>):
    %0 = graph.add %b, %e : (tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32>
    kernel.yield %0 : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
