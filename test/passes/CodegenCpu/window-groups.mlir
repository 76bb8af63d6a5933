// RUN: tenon-opt %s --tenon-fuse-groups --split-input-file | FileCheck %s --check-prefix=KIND
// RUN: tenon-opt %s --tenon-fuse-groups --split-input-file --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 | FileCheck %s

// Groups of four channels fill vectors together. Each member of a group in turn
// stands in all of its lanes, for all pixels whose windows have the column, with
// weights of its own: three taps of four members each.

// KIND: kernel.group
// CHECK: pack = {{{.*}}k_dims = array<i64: 2, 3, 1>{{.*}}panel = 16
// CHECK: func.func private @{{depthwise|pool}}
// CHECK-COUNT-12: llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[CHANNELS:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[FIRST:.*]] = vector.shuffle %[[CHANNELS]], %[[CHANNELS]] [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]
// CHECK: llvm.intr.fma(%[[FIRST]]
// CHECK: %[[LAST:.*]] = vector.shuffle %[[CHANNELS]], %[[CHANNELS]] [3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15]
// CHECK: llvm.intr.fma(%[[LAST]]
func.func @main(%x: tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32> {
  %w = graph.constant dense<1.0> : tensor<32x4x3x3xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 8 : i64, layout = #graph<layout nhwc>} : (tensor<1x28x28x32xf32>, tensor<32x4x3x3xf32>) -> tensor<1x28x28x32xf32>
  return %0 : tensor<1x28x28x32xf32>
}

// -----

// A pointwise one shares nothing between pixels, groups of eight are wider than
// the narrowest vectors, and f64 has two lanes there.
// KIND-COUNT-3: kernel.group
func.func @main(%x: tensor<1x8x8x32xf32>, %y: tensor<1x8x8x32xf64>) -> (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>, tensor<1x8x8x32xf64>) {
  %w0 = graph.constant dense<1.0> : tensor<32x4x1x1xf32>
  %0 = graph.conv %x, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 8 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x32xf32>, tensor<32x4x1x1xf32>) -> tensor<1x8x8x32xf32>
  %w1 = graph.constant dense<1.0> : tensor<32x8x3x3xf32>
  %1 = graph.conv %x, %w1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x32xf32>, tensor<32x8x3x3xf32>) -> tensor<1x8x8x32xf32>
  %w2 = graph.constant dense<1.0> : tensor<32x4x3x3xf64>
  %2 = graph.conv %y, %w2 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 8 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x32xf64>, tensor<32x4x3x3xf64>) -> tensor<1x8x8x32xf64>
  return %0, %1, %2 : tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>, tensor<1x8x8x32xf64>
}
