// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 --split-input-file | FileCheck %s

// Four steps of twelve columns fill three vectors: A is four elements, loaded
// once for all of them. A column's four lanes are added before the bias; results
// of neighbouring pixels fill vectors.

// PLAN: kernel.group
// PLAN-SAME: packs = [unit, {{{.*}}fold = 4 : i64,{{.*}}panel = 48 : i64}, unit]
// PLAN-SAME: fold = 4 : i64
// PLAN-SAME: panel = 48 : i64

// CHECK: func.func private @gemm_0
// CHECK-COUNT-3: llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[A:.*]] = llvm.load {{.*}} -> vector<4xf32>
// CHECK: %[[ALL:.*]] = vector.shuffle %[[A]], %[[A]] [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
// CHECK-COUNT-3: llvm.intr.fma(%[[ALL]],
// CHECK: %[[EVEN:.*]] = vector.shuffle %[[X:.*]], %[[Y:.*]] [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30]
// CHECK: %[[ODD:.*]] = vector.shuffle %[[X]], %[[Y]] [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31]
// CHECK: arith.addf %[[EVEN]], %[[ODD]]
// CHECK: vector.shuffle {{.*}} [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
// CHECK-NOT: masked.store
// CHECK: return
func.func @main(%x: tensor<1x56x56x48xf32>) -> tensor<1x56x56x12xf32> {
  %w = graph.constant dense_resource<w> : tensor<12x48x1x1xf32>
  %b = graph.constant dense_resource<b> : tensor<12xf32>
  %0 = kernel.group(%x, %w, %b) : (tensor<1x56x56x48xf32>, tensor<12x48x1x1xf32>, tensor<12xf32>) -> tensor<1x56x56x12xf32> {
  ^bb0(%x0: tensor<1x56x56x48xf32>, %w0: tensor<12x48x1x1xf32>, %b0: tensor<12xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x56x56x48xf32>, tensor<12x48x1x1xf32>) -> tensor<1x56x56x12xf32>
    %2 = graph.add %1, %b0 : (tensor<1x56x56x12xf32>, tensor<12xf32>) -> tensor<1x56x56x12xf32>
    kernel.yield %2 : tensor<1x56x56x12xf32>
  }
  return %0 : tensor<1x56x56x12xf32>
}

// -----

// Four groups of four columns: each has vectors of its own, and their results
// fill one.

// PLAN: kernel.group
// PLAN-SAME: packs = [unit, {{{.*}}fold = 4 : i64, groups = 8 : i64, {{.*}}panel = 64 : i64}]
// PLAN-SAME: fold = 4 : i64, join = 4 : i64

// CHECK: func.func private @gemm_0
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<16xf32>
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT: masked
// CHECK: return
func.func @main(%x: tensor<1x56x56x128xf32>) -> tensor<1x55x55x128xf32> {
  %w = graph.constant dense_resource<w> : tensor<128x4x2x2xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x56x56x128xf32>, tensor<128x4x2x2xf32>) -> tensor<1x55x55x128xf32> {
  ^bb0(%x0: tensor<1x56x56x128xf32>, %w0: tensor<128x4x2x2xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 32 : i64, layout = #graph<layout nhwc>} : (tensor<1x56x56x128xf32>, tensor<128x4x2x2xf32>) -> tensor<1x55x55x128xf32>
    kernel.yield %1 : tensor<1x55x55x128xf32>
  }
  return %0 : tensor<1x55x55x128xf32>
}
