// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 --split-input-file | FileCheck %s

// Two pixels of 24 columns fill three vectors: the weights are repeated, the
// middle vector multiplies by a blend, and stores need no masks. The bias, which
// is the same for both pixels, is put together of two loads.

// PLAN: kernel.group "contraction"
// PLAN-SAME: packs = [unit, {{{.*}}panel = 48 : i64, repeats = 2 : i64}, unit]
// PLAN-SAME: join = 2 : i64
// PLAN-SAME: panel = 48 : i64

// CHECK: func.func @contraction_0
// CHECK: %[[A0:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: llvm.intr.fma(%[[A0]],
// CHECK: %[[A1:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: %[[MIX:.*]] = vector.shuffle %[[A0]], %[[A1]] [0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31]
// CHECK: llvm.intr.fma(%[[MIX]],
// CHECK: llvm.intr.fma(%[[A1]],
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
// CHECK-NOT: maskedstore
// CHECK: return
func.func @main(%x: tensor<1x56x56x48xf32>) -> tensor<1x56x56x24xf32> {
  %w = graph.constant dense_resource<w> : tensor<24x48x1x1xf32>
  %b = graph.constant dense_resource<b> : tensor<24xf32>
  %0 = kernel.group "contraction"(%x, %w, %b) : (tensor<1x56x56x48xf32>, tensor<24x48x1x1xf32>, tensor<24xf32>) -> tensor<1x56x56x24xf32> {
  ^bb0(%x0: tensor<1x56x56x48xf32>, %w0: tensor<24x48x1x1xf32>, %b0: tensor<24xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x56x56x48xf32>, tensor<24x48x1x1xf32>) -> tensor<1x56x56x24xf32>
    %2 = graph.add %1, %b0 : (tensor<1x56x56x24xf32>, tensor<24xf32>) -> tensor<1x56x56x24xf32>
    kernel.yield %2 : tensor<1x56x56x24xf32>
  }
  return %0 : tensor<1x56x56x24xf32>
}

// -----

// Four groups of four columns: four steps' elements of each are loaded at once,
// and each step spreads its own.

// PLAN: kernel.group "contraction"
// PLAN-SAME: packs = [unit, {{{.*}}groups = 8 : i64, {{.*}}panel = 16 : i64}]
// PLAN-SAME: join = 4 : i64

// CHECK: func.func @contraction_0
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<16xf32>
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
// CHECK-COUNT-3: llvm.load {{.*}} -> vector<4xf32>
// CHECK: vector.shuffle {{.*}} [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]
// CHECK: llvm.intr.fma
// CHECK: vector.shuffle {{.*}} [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13]
func.func @main(%x: tensor<1x56x56x128xf32>) -> tensor<1x54x54x128xf32> {
  %w = graph.constant dense_resource<w> : tensor<128x4x3x3xf32>
  %0 = kernel.group "contraction"(%x, %w) : (tensor<1x56x56x128xf32>, tensor<128x4x3x3xf32>) -> tensor<1x54x54x128xf32> {
  ^bb0(%x0: tensor<1x56x56x128xf32>, %w0: tensor<128x4x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 32 : i64, layout = #graph<layout nhwc>} : (tensor<1x56x56x128xf32>, tensor<128x4x3x3xf32>) -> tensor<1x54x54x128xf32>
    kernel.yield %1 : tensor<1x54x54x128xf32>
  }
  return %0 : tensor<1x54x54x128xf32>
}
