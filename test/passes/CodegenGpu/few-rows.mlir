// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_80 --split-input-file | FileCheck %s --check-prefix=OLD

// A warp has a column. All of its vectors are on their way before earlier
// kernels are waited for, and what follows the product is loaded before its
// sums.

// PLAN-LABEL: func.func @one
// PLAN: packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 1 : i64}, unit]
// PLAN-SAME: plan = #kernel.plan<"gpu_gemv", {columns = 1 : i64, groups = 2 : i64, packed = 1 : i64, share = 1 : i64, team = 32 : i64}>

// CHECK: kernel.launch @gpu_gemv_0 tiles(500)
// CHECK-SAME: threads = 64, shared = 0, cluster = 1, cooperative = false, programmatic = true
// CHECK: llvm.func @gpu_gemv_0
// CHECK-COUNT-16: llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-COUNT-16: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: scf.if
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>

// OLD: programmatic = false
// OLD-NOT: griddepcontrol
// OLD: nvvm.shfl.sync
func.func @one(%x: tensor<1x2048xf32>) -> tensor<1x1000xf32> {
  %w = graph.constant dense_resource<w> : tensor<2048x1000xf32>
  %b = graph.constant dense_resource<b> : tensor<1000xf32>
  %0 = kernel.group(%x, %w, %b) : (tensor<1x2048xf32>, tensor<2048x1000xf32>, tensor<1000xf32>) -> tensor<1x1000xf32> {
  ^bb0(%x0: tensor<1x2048xf32>, %w0: tensor<2048x1000xf32>, %b0: tensor<1000xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<1x2048xf32>, tensor<2048x1000xf32>) -> tensor<1x1000xf32>
    %2 = graph.add %1, %b0 : (tensor<1x1000xf32>, tensor<1000xf32>) -> tensor<1x1000xf32>
    kernel.yield %2 : tensor<1x1000xf32>
  }
  return %0 : tensor<1x1000xf32>
}

// -----

// A short column is a part of a warp's.

// PLAN-LABEL: func.func @short
// PLAN: plan = #kernel.plan<"gpu_gemv", {columns = 1 : i64, groups = 1 : i64, packed = 1 : i64, share = 1 : i64, team = 16 : i64}>

// CHECK: kernel.launch @gpu_gemv_0
// CHECK: llvm.func @gpu_gemv_0
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
func.func @short(%x: tensor<1x1x1x48xf32>) -> tensor<1x1x1x960xf32> {
  %w = graph.constant dense_resource<w> : tensor<960x48x1x1xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x1x1x48xf32>, tensor<960x48x1x1xf32>) -> tensor<1x1x1x960xf32> {
  ^bb0(%x0: tensor<1x1x1x48xf32>, %w0: tensor<960x48x1x1xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x1x1x48xf32>, tensor<960x48x1x1xf32>) -> tensor<1x1x1x960xf32>
    kernel.yield %1 : tensor<1x1x1x960xf32>
  }
  return %0 : tensor<1x1x1x960xf32>
}

// -----

// Warps share a long column, and add up in their order. The next vectors are on
// their way while some are multiplied; numbers of 16 bits are eight to a vector.

// PLAN-LABEL: func.func @long
// PLAN: plan = #kernel.plan<"gpu_gemv", {columns = 1 : i64, groups = 1 : i64, packed = 1 : i64, share = 8 : i64, team = 32 : i64}>

// CHECK: kernel.launch @gpu_gemv_0 tiles(10)
// CHECK-SAME: threads = 256, shared = 64, cluster = 1
// CHECK: llvm.func @gpu_gemv_0
// CHECK: llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK: nvvm.griddepcontrol wait
// CHECK: scf.for
// CHECK: llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK: llvm.intr.fma{{.*}} : (vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> f32
func.func @long(%x: tensor<2x65536xf16>) -> tensor<2x10xf16> {
  %w = graph.constant dense_resource<w> : tensor<65536x10xf16>
  %0 = kernel.group(%x, %w) : (tensor<2x65536xf16>, tensor<65536x10xf16>) -> tensor<2x10xf16> {
  ^bb0(%x0: tensor<2x65536xf16>, %w0: tensor<65536x10xf16>):
    %1 = graph.matmul %x0, %w0 : (tensor<2x65536xf16>, tensor<65536x10xf16>) -> tensor<2x10xf16>
    kernel.yield %1 : tensor<2x10xf16>
  }
  return %0 : tensor<2x10xf16>
}

// -----

// More rows are for matrix units, and so are columns that lie apart.

// PLAN-LABEL: func.func @units
// PLAN: costs = {gemm = {{[0-9]+}} : i64, gpu_mma = {{[0-9]+}} : i64, gpu_wgmma
// PLAN: costs = {gemm = {{[0-9]+}} : i64, gpu_mma = {{[0-9]+}} : i64}
func.func @units(%x: tensor<9x2048xf32>, %y: tensor<1x2048xf32>, %z: tensor<2048x1000xf32>) -> (tensor<9x1000xf32>, tensor<1x1000xf32>) {
  %w = graph.constant dense_resource<w> : tensor<2048x1000xf32>
  %0 = kernel.group(%x, %w) : (tensor<9x2048xf32>, tensor<2048x1000xf32>) -> tensor<9x1000xf32> {
  ^bb0(%x0: tensor<9x2048xf32>, %w0: tensor<2048x1000xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<9x2048xf32>, tensor<2048x1000xf32>) -> tensor<9x1000xf32>
    kernel.yield %1 : tensor<9x1000xf32>
  }
  %2 = kernel.group(%y, %z) : (tensor<1x2048xf32>, tensor<2048x1000xf32>) -> tensor<1x1000xf32> {
  ^bb0(%y0: tensor<1x2048xf32>, %z0: tensor<2048x1000xf32>):
    %3 = graph.matmul %y0, %z0 : (tensor<1x2048xf32>, tensor<2048x1000xf32>) -> tensor<1x1000xf32>
    kernel.yield %3 : tensor<1x1000xf32>
  }
  return %0, %2 : tensor<9x1000xf32>, tensor<1x1000xf32>
}
