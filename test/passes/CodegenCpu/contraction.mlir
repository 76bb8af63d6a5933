// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 | FileCheck %s

// One product with a constant right side and a bias: packed panels of 48
// columns, tiles of 8 rows by 3 vectors.

// PLAN: kernel.group
// PLAN-SAME: packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 48 : i64}, unit]
// PLAN-SAME: lanes = 16 : i64, mr = 8 : i64, nv = 3 : i64, packed = 1 : i64, panel = 48 : i64

// CHECK: kernel.launch @gemm_0 tiles(1)
// CHECK: func.func private @gemm_0
// The bias is loaded where tiles are stored, not before.
// CHECK: %[[SUMS:.*]]:24 = scf.for
// CHECK-COUNT-96: llvm.intr.fma
// CHECK: scf.yield
// CHECK: arith.addf %[[SUMS]]#0
func.func @main(%x: tensor<16x64xf32>) -> tensor<16x96xf32> {
  %w = graph.constant dense_resource<w> : tensor<64x96xf32>
  %b = graph.constant dense_resource<b> : tensor<96xf32>
  %0 = kernel.group(%x, %w, %b) : (tensor<16x64xf32>, tensor<64x96xf32>, tensor<96xf32>) -> tensor<16x96xf32> {
  ^bb0(%x0: tensor<16x64xf32>, %w0: tensor<64x96xf32>, %b0: tensor<96xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<16x64xf32>, tensor<64x96xf32>) -> tensor<16x96xf32>
    %2 = graph.add %1, %b0 : (tensor<16x96xf32>, tensor<96xf32>) -> tensor<16x96xf32>
    kernel.yield %2 : tensor<16x96xf32>
  }
  return %0 : tensor<16x96xf32>
}
