// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=zen4 | FileCheck %s --check-prefixes=PLAN,ZEN4
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefixes=PLAN,WIDE
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefixes=PLAN,AVX2
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=zen4 --tenon-assign-buffers=target=zen4 --tenon-lower-kernels=target=zen4 | FileCheck %s --check-prefix=CODE

// A map from the third-level cache with stride 2: tiles roll down two bands.
// With 16 registers too few pixels are left; where two lines are loaded in a
// cycle, rows are as fast.

// PLAN-LABEL: func.func @main
// ZEN4: kernel.plan<"window", {across = 1 : i64, band = 14 : i64, block = 5 : i64, {{.*}} pixels = 10 : i64, {{.*}} rolls = 1 : i64
// AVX2: rolls = 0 : i64
// WIDE: rolls = 0 : i64

// Each row of 21 inputs is loaded once: with the weights of one kernel row, or
// of two where two rows of results read it. The row above the map adds nothing.
// CODE: func.func @window
// CODE: arith.cmpi ult
// CODE: scf.if
// CODE: scf.for {{.*}} iter_args
// CODE: scf.if
// CODE-COUNT-24: llvm.load {{.*}} vector<16xf32>
// CODE-NOT: llvm.load {{.*}} vector<16xf32>
// CODE: scf.if
// CODE-COUNT-27: llvm.load {{.*}} vector<16xf32>
// CODE-NOT: llvm.load {{.*}} vector<16xf32>
// CODE: scf.yield
func.func @main(%x: tensor<1x56x56x144xf32>) -> tensor<1x28x28x144xf32> {
  %w = graph.constant dense_resource<w> : tensor<144x1x3x3xf32>
  %0 = kernel.group "window"(%x, %w) : (tensor<1x56x56x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x28x28x144xf32> {
  ^bb0(%x0: tensor<1x56x56x144xf32>, %w0: tensor<144x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 144 : i64, layout = #graph<layout nhwc>} : (tensor<1x56x56x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x28x28x144xf32>
    kernel.yield %1 : tensor<1x28x28x144xf32>
  }
  return %0 : tensor<1x28x28x144xf32>
}

// -----

// A small map stays in the second-level cache.

// PLAN-LABEL: func.func @main
// PLAN: rolls = 0 : i64
func.func @main(%x: tensor<1x28x28x144xf32>, %w: tensor<144x1x3x3xf32>) -> tensor<1x14x14x144xf32> {
  %0 = kernel.group "window"(%x, %w) : (tensor<1x28x28x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x14x14x144xf32> {
  ^bb0(%x0: tensor<1x28x28x144xf32>, %w0: tensor<144x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 144 : i64, layout = #graph<layout nhwc>} : (tensor<1x28x28x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x14x14x144xf32>
    kernel.yield %1 : tensor<1x14x14x144xf32>
  }
  return %0 : tensor<1x14x14x144xf32>
}

// -----

// 78 channels are no whole lines: each is read twice, too often for 9 taps.

// PLAN-LABEL: func.func @main
// PLAN: rolls = 0 : i64
func.func @main(%x: tensor<1x84x84x78xf32>, %w: tensor<78x1x3x3xf32>) -> tensor<1x42x42x78xf32> {
  %0 = kernel.group "window"(%x, %w) : (tensor<1x84x84x78xf32>, tensor<78x1x3x3xf32>) -> tensor<1x42x42x78xf32> {
  ^bb0(%x0: tensor<1x84x84x78xf32>, %w0: tensor<78x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 78 : i64, layout = #graph<layout nhwc>} : (tensor<1x84x84x78xf32>, tensor<78x1x3x3xf32>) -> tensor<1x42x42x78xf32>
    kernel.yield %1 : tensor<1x42x42x78xf32>
  }
  return %0 : tensor<1x42x42x78xf32>
}
