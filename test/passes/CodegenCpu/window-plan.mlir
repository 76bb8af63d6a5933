// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefixes=CHECK,AVX2

// What plans choose, and why. That they compute each result once and fit in
// registers is a rule of all plans (lib/Tile/WindowPlan.h).

// Short rows are filled up with vectors. A launch that is over before another
// thread has joined it is one tile.

// CHECK-LABEL: func.func @short
// AVX512: band = 3 : i64, {{.*}} pixels = 3 : i64, {{.*}} rows = 3 : i64, vectors = 3 : i64
// AVX2: band = 3 : i64, {{.*}} pixels = 3 : i64, {{.*}} rows = 3 : i64, vectors = 3 : i64
func.func @short(%x: tensor<1x3x3x160xf32>, %w: tensor<160x1x3x3xf32>) -> tensor<1x3x3x160xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x3x3x160xf32>, tensor<160x1x3x3xf32>) -> tensor<1x3x3x160xf32> {
  ^bb0(%x0: tensor<1x3x3x160xf32>, %w0: tensor<160x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 160 : i64, layout = #graph<layout nhwc>} : (tensor<1x3x3x160xf32>, tensor<160x1x3x3xf32>) -> tensor<1x3x3x160xf32>
    kernel.yield %1 : tensor<1x3x3x160xf32>
  }
  return %0 : tensor<1x3x3x160xf32>
}

// Few pixels, or few channels, are walked down at once, so that the rows that
// two results share stay in the first-level cache: beside weights and results
// where two lines are loaded in a cycle or a vector is half a line.

// CHECK-LABEL: func.func @walk
// AVX512: across = 2 : i64, band = 14 : i64, block = 2 : i64, {{.*}} pixels = 14 : i64
// AVX2: across = 3 : i64, band = 14 : i64, block = 4 : i64, {{.*}} pixels = 10 : i64
func.func @walk(%x: tensor<1x56x56x144xf32>, %w: tensor<144x1x3x3xf32>) -> tensor<1x56x56x144xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x56x56x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x56x56x144xf32> {
  ^bb0(%x0: tensor<1x56x56x144xf32>, %w0: tensor<144x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 144 : i64, layout = #graph<layout nhwc>} : (tensor<1x56x56x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x56x56x144xf32>
    kernel.yield %1 : tensor<1x56x56x144xf32>
  }
  return %0 : tensor<1x56x56x144xf32>
}

// Pools work on tiles of rows by pixels, of one vector; many channels are walked
// in blocks, unless vectors are half lines.

// CHECK-LABEL: func.func @pool
// AVX512: block = 8 : i64, columns = 1 : i64, height = 4 : i64, {{.*}} pixels = 3 : i64, {{.*}} vectors = 1 : i64
// AVX2: block = 80 : i64, columns = 1 : i64, height = 3 : i64, {{.*}} pixels = 3 : i64, {{.*}} vectors = 1 : i64
func.func @pool(%x: tensor<1x17x17x640xf32>) -> tensor<1x17x17x640xf32> {
  %0 = kernel.group(%x) : (tensor<1x17x17x640xf32>) -> tensor<1x17x17x640xf32> {
  ^bb0(%x0: tensor<1x17x17x640xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x17x17x640xf32>) -> tensor<1x17x17x640xf32>
    kernel.yield %1 : tensor<1x17x17x640xf32>
  }
  return %0 : tensor<1x17x17x640xf32>
}

// With a stride they read more inputs.

// CHECK-LABEL: func.func @half
// AVX512: block = 4 : i64, columns = 1 : i64, height = 2 : i64, {{.*}} pixels = 3 : i64
// AVX2: block = 8 : i64, columns = 1 : i64, height = 2 : i64, {{.*}} pixels = 2 : i64
func.func @half(%x: tensor<1x17x17x64xf32>) -> tensor<1x8x8x64xf32> {
  %0 = kernel.group(%x) : (tensor<1x17x17x64xf32>) -> tensor<1x8x8x64xf32> {
  ^bb0(%x0: tensor<1x17x17x64xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x17x17x64xf32>) -> tensor<1x8x8x64xf32>
    kernel.yield %1 : tensor<1x8x8x64xf32>
  }
  return %0 : tensor<1x8x8x64xf32>
}

// Windows that share nothing are combined one by one.

// CHECK-LABEL: func.func @apart
// CHECK: columns = 0 : i64, height = 1 : i64
func.func @apart(%x: tensor<1x16x16x64xf32>) -> tensor<1x8x8x64xf32> {
  %0 = kernel.group(%x) : (tensor<1x16x16x64xf32>) -> tensor<1x8x8x64xf32> {
  ^bb0(%x0: tensor<1x16x16x64xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x16x16x64xf32>) -> tensor<1x8x8x64xf32>
    kernel.yield %1 : tensor<1x8x8x64xf32>
  }
  return %0 : tensor<1x8x8x64xf32>
}

// The single row of a map with one dimension is cut for threads: 72 tiles of
// pixels, 9 in each piece.
// CHECK-LABEL: func.func @line
// AVX512: kernel.plan<"{{depthwise|pool}}", {across = 9 : i64
func.func @line(%x: tensor<1x1000x64xf32>, %w: tensor<64x1x3xf32>) -> tensor<1x998x64xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x1000x64xf32>, tensor<64x1x3xf32>) -> tensor<1x998x64xf32> {
  ^bb0(%a: tensor<1x1000x64xf32>, %b: tensor<64x1x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1>, group = 64 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
      : (tensor<1x1000x64xf32>, tensor<64x1x3xf32>) -> tensor<1x998x64xf32>
    kernel.yield %1 : tensor<1x998x64xf32>
  }
  return %0 : tensor<1x998x64xf32>
}
