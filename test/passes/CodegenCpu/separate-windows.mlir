// RUN: tenon-opt %s --tenon-fuse-groups --tenon-plan-kernels=target=avx512 --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-fuse-groups --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 --split-input-file | FileCheck %s

// Windows that do not meet are columns of a product, whose epilogue takes what
// follows. Two neighbouring points of 24 channels fill three vectors; they
// multiply the same element of the input.

// PLAN-LABEL: func.func @main
// PLAN: kernel.group
// PLAN-SAME: packs = [unit, {batch_dims = array<i64>, groups = 2 : i64, k_dims = array<i64: 0>, n_dims = array<i64: 2, 3, 1>, panel = 48 : i64}, unit]
// PLAN-SAME: join = 2 : i64
// PLAN: graph.relu

// CHECK: func.func private @gemm_0
// CHECK-NOT: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 24,
// CHECK: llvm.intr.fma
// CHECK: return
func.func @main(%x: tensor<1x40x40x24xf32>) -> tensor<1x80x80x24xf32> {
  %w = graph.constant dense_resource<w> : tensor<24x24x2x2xf32>
  %b = graph.constant dense_resource<b> : tensor<24xf32>
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x40x40x24xf32>, tensor<24x24x2x2xf32>) -> tensor<1x80x80x24xf32>
  %1 = graph.add %0, %b : (tensor<1x80x80x24xf32>, tensor<24xf32>) -> tensor<1x80x80x24xf32>
  %2 = graph.relu %1 : (tensor<1x80x80x24xf32>) -> tensor<1x80x80x24xf32>
  return %2 : tensor<1x80x80x24xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x0400000000000000",
      b: "0x0400000000000000"
    }
  }
#-}

// -----

// A window of one channel is four columns; each is eight steps of k wide, and
// results of eight neighbours fill a vector for each row of the window.

// PLAN-LABEL: func.func @main
// PLAN: kernel.group
// PLAN-SAME: fold = 8 : i64
// PLAN-SAME: join = 4 : i64

// CHECK: func.func private @gemm_0
// CHECK: llvm.store {{.*}} : vector<16xf32>
// CHECK: llvm.store {{.*}} : vector<16xf32>
// CHECK: return
func.func @main(%x: tensor<1x40x40x24xf32>) -> tensor<1x80x80x1xf32> {
  %w = graph.constant dense_resource<w> : tensor<24x1x2x2xf32>
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x40x40x24xf32>, tensor<24x1x2x2xf32>) -> tensor<1x80x80x1xf32>
  return %0 : tensor<1x80x80x1xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x0400000000000000"
    }
  }
#-}

// -----

// Windows that meet, hang over, or have too few columns keep their own kernels.

// PLAN-LABEL: func.func @main
// PLAN-NOT: "gemm"
// PLAN: return
func.func @main(%x: tensor<1x4x4x24xf32>, %w: tensor<24x24x3x3xf32>, %v: tensor<24x24x2x2xf32>, %u: tensor<24x2x2x2xf32>) -> (tensor<1x9x9x24xf32>, tensor<1x7x8x24xf32>, tensor<1x8x8x2xf32>) {
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x4x4x24xf32>, tensor<24x24x3x3xf32>) -> tensor<1x9x9x24xf32>
  %1 = graph.conv_transpose %x, %v {strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x4x4x24xf32>, tensor<24x24x2x2xf32>) -> tensor<1x7x8x24xf32>
  %2 = graph.conv_transpose %x, %u {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x4x4x24xf32>, tensor<24x2x2x2xf32>) -> tensor<1x8x8x2xf32>
  return %0, %1, %2 : tensor<1x9x9x24xf32>, tensor<1x7x8x24xf32>, tensor<1x8x8x2xf32>
}
