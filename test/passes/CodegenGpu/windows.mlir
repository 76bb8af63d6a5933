// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_80 --split-input-file | FileCheck %s --check-prefix=OLD

// No halo: what is outside is not read, and zero. Filters lie by taps, so that
// neighbouring threads read neighbouring weights, which come before the wait.
// All reads come before the first use; registers for
// them are shared out among the blocks that there are.

// PLAN-LABEL: func.func @depthwise
// PLAN: halos = [array<i64>, array<i64>, array<i64>, array<i64>]
// PLAN-SAME: packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 672 : i64}, unit, unit]
// PLAN-SAME: plan = #kernel.plan<"gpu_windows", {lanes = 4 : i64, packed = 1 : i64, pixels = 1 : i64, rows = 1 : i64, tap_rows = 3 : i64, taps = 3 : i64, threads = 128 : i64}>
// CHECK: kernel.launch @gpu_windows_0 tiles(258)
// CHECK-SAME: threads = 128, shared = 0, {{.*}} programmatic = true
// CHECK-NOT: kernel.launch
// CHECK: llvm.func @gpu_windows_0
// CHECK-SAME: nvvm.minctasm = 2 : i32
// CHECK-COUNT-9: llvm.inline_asm {{.*}} "ld.global.L1::evict_last.v4.b32
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-COUNT-9: llvm.inline_asm {{.*}} "@$4 ld.global.v4.b32
// CHECK-NOT: llvm.inline_asm
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-9: llvm.intr.fma
// CHECK: scf.if
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// OLD: programmatic = false
// OLD: llvm.func @gpu_windows_0
// OLD-NOT: griddepcontrol
// OLD: llvm.func
func.func @depthwise(%x: tensor<1x14x14x672xf32>, %r: tensor<1x14x14x672xf32>) -> tensor<1x14x14x672xf32> {
  %w = graph.constant dense_resource<w> : tensor<672x1x3x3xf32>
  %b = graph.constant dense_resource<b> : tensor<672xf32>
  %0 = kernel.group(%x, %w, %b, %r) : (tensor<1x14x14x672xf32>, tensor<672x1x3x3xf32>, tensor<672xf32>, tensor<1x14x14x672xf32>) -> tensor<1x14x14x672xf32> {
  ^bb0(%x0: tensor<1x14x14x672xf32>, %w0: tensor<672x1x3x3xf32>, %b0: tensor<672xf32>, %r0: tensor<1x14x14x672xf32>):
    %1 = graph.conv %x0, %w0 {group = 672 : i64, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x14x14x672xf32>, tensor<672x1x3x3xf32>) -> tensor<1x14x14x672xf32>
    %2 = graph.add %1, %b0 : (tensor<1x14x14x672xf32>, tensor<672xf32>) -> tensor<1x14x14x672xf32>
    %3 = graph.add %2, %r0 : (tensor<1x14x14x672xf32>, tensor<1x14x14x672xf32>) -> tensor<1x14x14x672xf32>
    kernel.yield %3 : tensor<1x14x14x672xf32>
  }
  return %0 : tensor<1x14x14x672xf32>
}

// -----

// Large windows loop over their rows. Four pixels share ten columns, and each
// weight.

// PLAN-LABEL: func.func @large
// PLAN: plan = #kernel.plan<"gpu_windows", {lanes = 4 : i64, packed = 1 : i64, pixels = 4 : i64, rows = 1 : i64, tap_rows = 1 : i64, taps = 7 : i64, threads = 128 : i64}>
// CHECK: llvm.func @gpu_windows_0
// CHECK: scf.for
// CHECK-COUNT-10: llvm.inline_asm {{.*}} "@$4 ld.global.v4.b32
// CHECK-COUNT-7: llvm.inline_asm {{.*}} "ld.global.L1::evict_last.v4.b32
// CHECK-COUNT-28: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: scf.yield
// CHECK-COUNT-4: llvm.store
func.func @large(%x: tensor<32x56x56x96xf32>) -> tensor<32x56x56x96xf32> {
  %w = graph.constant dense_resource<w> : tensor<96x1x7x7xf32>
  %0 = kernel.group(%x, %w) : (tensor<32x56x56x96xf32>, tensor<96x1x7x7xf32>) -> tensor<32x56x56x96xf32> {
  ^bb0(%x0: tensor<32x56x56x96xf32>, %w0: tensor<96x1x7x7xf32>):
    %1 = graph.conv %x0, %w0 {group = 96 : i64, strides = array<i64: 1, 1>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<32x56x56x96xf32>, tensor<96x1x7x7xf32>) -> tensor<32x56x56x96xf32>
    kernel.yield %1 : tensor<32x56x56x96xf32>
  }
  return %0 : tensor<32x56x56x96xf32>
}

// -----

// All windows of this one are inside: nothing is tested. Numbers of 16 bits are
// widened.

// PLAN-LABEL: func.func @pool
// PLAN: plan = #kernel.plan<"gpu_windows"
// CHECK: llvm.func @gpu_windows_0
// CHECK-NOT: llvm.inline_asm
// CHECK-COUNT-9: llvm.load {{.*}} : !llvm.ptr<1> -> vector<2xf16>
// CHECK-COUNT-9: arith.maxnumf {{.*}} : vector<2xf32>
// CHECK: llvm.store {{.*}} : vector<2xf16>, !llvm.ptr<1>
func.func @pool(%x: tensor<1x35x35x192xf16>) -> tensor<1x17x17x192xf16> {
  %0 = kernel.group(%x) : (tensor<1x35x35x192xf16>) -> tensor<1x17x17x192xf16> {
  ^bb0(%v: tensor<1x35x35x192xf16>):
    %1 = graph.max_pool %v {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x35x35x192xf16>) -> tensor<1x17x17x192xf16>
    kernel.yield %1 : tensor<1x17x17x192xf16>
  }
  return %0 : tensor<1x17x17x192xf16>
}

// -----

// Averages divide by the taps that are inside.

// PLAN-LABEL: func.func @average
// PLAN: plan = #kernel.plan<"gpu_windows"
// CHECK: llvm.func @gpu_windows_0
// CHECK-COUNT-9: llvm.inline_asm {{.*}} "@$4 ld.global.v4.b32
// CHECK: arith.muli
// CHECK: arith.divf
// CHECK: llvm.store
func.func @average(%x: tensor<1x35x35x192xf32>) -> tensor<1x35x35x192xf32> {
  %0 = kernel.group(%x) : (tensor<1x35x35x192xf32>) -> tensor<1x35x35x192xf32> {
  ^bb0(%v: tensor<1x35x35x192xf32>):
    %1 = graph.avg_pool %v {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x35x35x192xf32>) -> tensor<1x35x35x192xf32>
    kernel.yield %1 : tensor<1x35x35x192xf32>
  }
  return %0 : tensor<1x35x35x192xf32>
}

// -----

// Groups of more than one channel are not these kernels' business.

// PLAN-LABEL: func.func @mixed
// PLAN-NOT: gpu_windows
func.func @mixed(%x: tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  %w = graph.constant dense_resource<w> : tensor<64x4x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x14x14x64xf32>, tensor<64x4x3x3xf32>) -> tensor<1x14x14x64xf32> {
  ^bb0(%x0: tensor<1x14x14x64xf32>, %w0: tensor<64x4x3x3xf32>):
    %1 = graph.conv %x0, %w0 {group = 16 : i64, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x14x14x64xf32>, tensor<64x4x3x3xf32>) -> tensor<1x14x14x64xf32>
    kernel.yield %1 : tensor<1x14x14x64xf32>
  }
  return %0 : tensor<1x14x14x64xf32>
}
