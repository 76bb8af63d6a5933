// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a --split-input-file | FileCheck %s

// Both operands as they lie in memory: rows of A and columns of B are together,
// so that words are picked one by one. Two blocks share k.

!lhs = !memory.buffer<tensor<2x512x64xf32>, [32768, 64, 1], 0, 262144>
!rhs = !memory.buffer<tensor<2x512x32xf32>, [16384, 32, 1], 0, 131072>
!result = !memory.buffer<tensor<2x64x32xf32>, [2048, 32, 1], 0, 16384>

// CHECK: kernel.launch @gpu_mma_0 tiles(8)
// CHECK-SAME: threads = 128, shared = 30720, cluster = 2, cooperative = false
// CHECK: llvm.func @gpu_mma_0
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK-NOT: nvvm.ldmatrix
// CHECK: nvvm.mma.sync
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.mapa
// CHECK: llvm.load {{.*}} : !llvm.ptr<7>
// CHECK: nvvm.cluster.arrive
func.func @main(%x: tensor<2x512x64xf32>, %y: tensor<2x512x32xf32>) -> tensor<2x64x32xf32> {
  %0 = kernel.group(%x, %y) {buffers = [!lhs, !rhs, !result], plan = #kernel.plan<"gpu_mma", {rows = 32, columns = 32, warp_rows = 2, warp_columns = 2, stages = 3, share = 2, group = 8, packed = 0}>} : (tensor<2x512x64xf32>, tensor<2x512x32xf32>) -> tensor<2x64x32xf32> {
  ^bb0(%x0: tensor<2x512x64xf32>, %y0: tensor<2x512x32xf32>):
    %1 = graph.matmul %x0, %y0 {transpose_lhs} : (tensor<2x512x64xf32>, tensor<2x512x32xf32>) -> tensor<2x64x32xf32>
    kernel.yield %1 : tensor<2x64x32xf32>
  }
  return %0 : tensor<2x64x32xf32>
}

// -----

// Rows that are no multiple of 16 bytes apart are copied in smaller pieces, and
// neighbours are stored in as many as fit. A part of a storage that begins
// elsewhere has a kernel of its own.

!lhs = !memory.buffer<tensor<16x38xf32>, [38, 1], 0, 2432>
!rhs = !memory.buffer<tensor<38x18xf32>, [18, 1], 0, 2736>
!result = !memory.buffer<tensor<16x18xf32>, [18, 1], 0, 1152>

// CHECK: kernel.launch @gpu_mma_0
// CHECK: kernel.launch @gpu_mma_1
// CHECK: llvm.func @gpu_mma_0
// CHECK: nvvm.cp.async.shared.global {{.*}}, 8, cache = ca, %
// CHECK: llvm.store {{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
// CHECK: llvm.func @gpu_mma_1
// CHECK: nvvm.cp.async.shared.global {{.*}}, 4, cache = ca, %
func.func @parts(%x: tensor<16x38xf32>, %y: tensor<38x18xf32>) -> (tensor<16x18xf32>, tensor<16x18xf32>) {
  %0 = kernel.group(%x, %y) {buffers = [!lhs, !rhs, !result], plan = #kernel.plan<"gpu_mma", {rows = 16, columns = 32, warp_rows = 1, warp_columns = 2, stages = 2, share = 1, group = 8, packed = 0}>} : (tensor<16x38xf32>, tensor<38x18xf32>) -> tensor<16x18xf32> {
  ^bb0(%x0: tensor<16x38xf32>, %y0: tensor<38x18xf32>):
    %1 = graph.matmul %x0, %y0 : (tensor<16x38xf32>, tensor<38x18xf32>) -> tensor<16x18xf32>
    kernel.yield %1 : tensor<16x18xf32>
  }
  %2 = kernel.group(%x, %y) {buffers = [!lhs, !rhs, !result], offsets = array<i64: 0, 4, 0>, plan = #kernel.plan<"gpu_mma", {rows = 16, columns = 32, warp_rows = 1, warp_columns = 2, stages = 2, share = 1, group = 8, packed = 0}>} : (tensor<16x38xf32>, tensor<38x18xf32>) -> tensor<16x18xf32> {
  ^bb0(%x0: tensor<16x38xf32>, %y0: tensor<38x18xf32>):
    %3 = graph.matmul %x0, %y0 : (tensor<16x38xf32>, tensor<38x18xf32>) -> tensor<16x18xf32>
    kernel.yield %3 : tensor<16x18xf32>
  }
  return %0, %2 : tensor<16x18xf32>, tensor<16x18xf32>
}
