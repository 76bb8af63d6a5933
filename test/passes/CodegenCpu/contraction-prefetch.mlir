// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=avx2 | FileCheck %s

// 64 rows use each panel of 24 columns: meanwhile they ask for the next one,
// 512 steps of 96 bytes ahead. Each of 16 register tiles has its share, 8 KiB:
// a line in each turn of four steps, which read six.

// CHECK-LABEL: kernel.launch @gemm_0
// CHECK: func.func private @gemm_0
// CHECK-NOT: llvm.getelementptr inbounds %{{.*}}[4096]
// CHECK: llvm.getelementptr inbounds %{{.*}}[49152]
// CHECK-NOT: llvm.getelementptr inbounds %{{.*}}[4096]
// CHECK: arith.constant 8192 : i64
// CHECK: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
func.func @main(%x: tensor<64x512xf32>) -> tensor<64x960xf32> {
  %w = graph.constant dense_resource<w> : tensor<512x960xf32>
  %0 = kernel.group(%x, %w) : (tensor<64x512xf32>, tensor<512x960xf32>) -> tensor<64x960xf32> {
  ^bb0(%x0: tensor<64x512xf32>, %w0: tensor<512x960xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<64x512xf32>, tensor<512x960xf32>) -> tensor<64x960xf32>
    kernel.yield %1 : tensor<64x960xf32>
  }
  return %0 : tensor<64x960xf32>
}

// -----

// Four rows only stream the weights: all of the next page.

// CHECK-LABEL: kernel.launch @gemm_0
// CHECK: func.func private @gemm_0
// CHECK: llvm.getelementptr inbounds %{{.*}}[4096]
// CHECK-COUNT-6: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
func.func @main(%x: tensor<4x512xf32>) -> tensor<4x960xf32> {
  %w = graph.constant dense_resource<w> : tensor<512x960xf32>
  %0 = kernel.group(%x, %w) : (tensor<4x512xf32>, tensor<512x960xf32>) -> tensor<4x960xf32> {
  ^bb0(%x0: tensor<4x512xf32>, %w0: tensor<512x960xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<4x512xf32>, tensor<512x960xf32>) -> tensor<4x960xf32>
    kernel.yield %1 : tensor<4x960xf32>
  }
  return %0 : tensor<4x960xf32>
}
