// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 | FileCheck %s

// The columns of two groups of 24 fill three vectors: the middle one multiplies
// by a blend, and stores need no masks.

// PLAN: kernel.group
// PLAN-SAME: packs = [unit, {{{.*}}panel = 48 : i64}]
// PLAN-SAME: fold = 1 : i64, join = 2 : i64
// PLAN-SAME: panel = 48 : i64

// CHECK: func.func private @gemm_0
// CHECK: %[[A0:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: llvm.intr.fma(%[[A0]],
// CHECK: %[[A1:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: %[[MIX:.*]] = vector.shuffle %[[A0]], %[[A1]] [0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31]
// CHECK: llvm.intr.fma(%[[MIX]],
// CHECK: llvm.intr.fma(%[[A1]],
// CHECK-NOT: masked
// CHECK: return
func.func @main(%x: tensor<1x56x56x50xf32>) -> tensor<1x56x56x48xf32> {
  %w = graph.constant dense_resource<w> : tensor<48x25x1x1xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x56x56x50xf32>, tensor<48x25x1x1xf32>) -> tensor<1x56x56x48xf32> {
  ^bb0(%x0: tensor<1x56x56x50xf32>, %w0: tensor<48x25x1x1xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 2 : i64, layout = #graph<layout nhwc>} : (tensor<1x56x56x50xf32>, tensor<48x25x1x1xf32>) -> tensor<1x56x56x48xf32>
    kernel.yield %1 : tensor<1x56x56x48xf32>
  }
  return %0 : tensor<1x56x56x48xf32>
}
