// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_80 | FileCheck %s --check-prefix=OLD

// Rows of 39 halves are copied one by one. Before earlier kernels have ended,
// only loads come that say that they read constants.

// CHECK: kernel.launch @gpu_mma_0
// CHECK-SAME: programmatic = true
// CHECK: llvm.func @gpu_mma_0(
// CHECK-NOT: llvm.load {{.*}} !llvm.ptr<1>
// CHECK: llvm.inline_asm has_side_effects {{.*}}"ld.global.L1::evict_last.b16 $0, [$1];"
// CHECK-NOT: llvm.load {{.*}} !llvm.ptr<1>
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: nvvm.mma.sync

// OLD: llvm.func @gpu_mma_0(
// OLD-NOT: evict_last
// OLD: nvvm.mma.sync
func.func @main(%x: tensor<64x39xf16>) -> tensor<64x39xf16> {
  %w = graph.constant dense_resource<w> : tensor<39x39xf16>
  %0 = kernel.group(%x, %w) : (tensor<64x39xf16>, tensor<39x39xf16>) -> tensor<64x39xf16> {
  ^bb0(%x0: tensor<64x39xf16>, %w0: tensor<39x39xf16>):
    %1 = graph.matmul %x0, %w0 : (tensor<64x39xf16>, tensor<39x39xf16>) -> tensor<64x39xf16>
    kernel.yield %1 : tensor<64x39xf16>
  }
  return %0 : tensor<64x39xf16>
}
