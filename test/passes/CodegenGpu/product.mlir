// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_80 | FileCheck %s --check-prefix=OLD
// RUN: tenon-opt %s "--tenon-plan-kernels=target=sm_80 precision=tf32" --tenon-assign-buffers=target=avx2 "--tenon-lower-kernels=target=sm_80 precision=tf32" | FileCheck %s --check-prefix=TF32

// The columns of a constant lie one after the other, k together. Windows may
// reach beyond their input: no halo is asked for.

// PLAN-LABEL: func.func @main
// PLAN: halos = [array<i64>, array<i64>, array<i64>]
// PLAN-SAME: packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 1 : i64}, unit]
// PLAN-SAME: plan = #kernel.plan<"gpu_mma"

// Weights are on their way before the kernels are done that write the input.
// What windows have outside reads as zero. Each number of f32 is two of TF32,
// so that a block of k has three products of 8 steps four times, and its sums
// are added to those of others by themselves.

// CHECK: kernel.launch @[[KERNEL:gpu_mma_0]] tiles
// CHECK-SAME: device = #kernel.device<grid = [1, 1], threads = {{.*}} programmatic = true
// CHECK: llvm.func @[[KERNEL]](
// CHECK-SAME: !llvm.ptr<1>
// CHECK-NOT: nvvm.griddepcontrol
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.cp.async.shared.global {{.*}}, 8, cache = ca, %{{.*}}
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group
// CHECK: nvvm.barrier
// CHECK: nvvm.ldmatrix
// CHECK: arith.subf
// CHECK: nvvm.mma.sync
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK: nvvm.{{barrier|cluster.wait}}
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>

// OLD: programmatic = false
// OLD-NOT: griddepcontrol
// OLD: nvvm.mma.sync

// TF32: nvvm.ldmatrix
// TF32-NOT: arith.subf
// TF32: nvvm.convert.float.to.tf32 {{.*}}<rna>
// TF32: nvvm.mma.sync
func.func @main(%x: tensor<4x28x28x126xf32>) -> tensor<4x28x28x128xf32> {
  %w = graph.constant dense_resource<w> : tensor<128x126x3x3xf32>
  %b = graph.constant dense_resource<b> : tensor<128xf32>
  %0 = kernel.group(%x, %w, %b) : (tensor<4x28x28x126xf32>, tensor<128x126x3x3xf32>, tensor<128xf32>) -> tensor<4x28x28x128xf32> {
  ^bb0(%x0: tensor<4x28x28x126xf32>, %w0: tensor<128x126x3x3xf32>, %b0: tensor<128xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<4x28x28x126xf32>, tensor<128x126x3x3xf32>) -> tensor<4x28x28x128xf32>
    %2 = graph.add %1, %b0 : (tensor<4x28x28x128xf32>, tensor<128xf32>) -> tensor<4x28x28x128xf32>
    %3 = graph.relu %2 : (tensor<4x28x28x128xf32>) -> tensor<4x28x28x128xf32>
    kernel.yield %3 : tensor<4x28x28x128xf32>
  }
  return %0 : tensor<4x28x28x128xf32>
}
