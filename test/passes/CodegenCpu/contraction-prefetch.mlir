// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=avx2 | FileCheck %s

// 64 rows use each panel of 24 columns: meanwhile they ask for the next one,
// 256 steps of 96 bytes ahead, however few rows a register tile has.

// CHECK-LABEL: kernel.launch @contraction_0
// CHECK: func.func @contraction_0
// CHECK-NOT: arith.constant 4096 : i64
// CHECK: arith.constant 24576 : i64
// CHECK-NOT: arith.constant 4096 : i64
// CHECK: llvm.intr.prefetch
func.func @main(%x: tensor<64x256xf32>) -> tensor<64x960xf32> {
  %w = graph.constant dense_resource<w> : tensor<256x960xf32>
  %0 = kernel.group "contraction"(%x, %w) : (tensor<64x256xf32>, tensor<256x960xf32>) -> tensor<64x960xf32> {
  ^bb0(%x0: tensor<64x256xf32>, %w0: tensor<256x960xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<64x256xf32>, tensor<256x960xf32>) -> tensor<64x960xf32>
    kernel.yield %1 : tensor<64x960xf32>
  }
  return %0 : tensor<64x960xf32>
}

// -----

// Four rows only stream the weights: the next page.

// CHECK-LABEL: kernel.launch @contraction_0
// CHECK: func.func @contraction_0
// CHECK: arith.constant 4096 : i64
// CHECK: llvm.intr.prefetch
func.func @main(%x: tensor<4x256xf32>) -> tensor<4x960xf32> {
  %w = graph.constant dense_resource<w> : tensor<256x960xf32>
  %0 = kernel.group "contraction"(%x, %w) : (tensor<4x256xf32>, tensor<256x960xf32>) -> tensor<4x960xf32> {
  ^bb0(%x0: tensor<4x256xf32>, %w0: tensor<256x960xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<4x256xf32>, tensor<256x960xf32>) -> tensor<4x960xf32>
    kernel.yield %1 : tensor<4x960xf32>
  }
  return %0 : tensor<4x960xf32>
}
