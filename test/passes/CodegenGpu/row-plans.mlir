// RUN: tenon-opt %s --tenon-plan-gpu-kernels=target=sm_90a --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-gpu-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-gpu-kernels=target=sm_90a --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-gpu-kernels=target=sm_80 --tenon-assign-buffers=target=avx2 --tenon-lower-gpu-kernels=target=sm_80 --split-input-file | FileCheck %s --check-prefix=OLD

// A warp has a row of 1024 numbers in registers: eight vectors a lane, read
// once. Five exchanges for each of both reductions.

// PLAN: plan = #kernel.plan<"gpu_rows", {kept = 1 : i64, team = 32 : i64, units = 4 : i64, vector = 1 : i64}>
// CHECK: kernel.launch @gpu_rows_0 tiles(384)
// CHECK-SAME: threads = 128, shared = 0, {{.*}} programmatic = true
// CHECK: llvm.func @gpu_rows_0
// CHECK: nvvm.griddepcontrol wait
// CHECK-COUNT-8: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-10: nvvm.shfl.sync bfly
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-COUNT-8: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// OLD: llvm.func @gpu_rows_0
// OLD-NOT: griddepcontrol
func.func @softmax(%x: tensor<1536x1024xf32>) -> tensor<1536x1024xf32> {
  %0 = kernel.group(%x) : (tensor<1536x1024xf32>) -> tensor<1536x1024xf32> {
  ^bb0(%v: tensor<1536x1024xf32>):
    %m = graph.reduce_max %v {axes = array<i64: 1>} : (tensor<1536x1024xf32>) -> tensor<1536x1xf32>
    %d = graph.sub %v, %m : (tensor<1536x1024xf32>, tensor<1536x1xf32>) -> tensor<1536x1024xf32>
    %e = graph.exp %d : (tensor<1536x1024xf32>) -> tensor<1536x1024xf32>
    %s = graph.reduce_sum %e {axes = array<i64: 1>} : (tensor<1536x1024xf32>) -> tensor<1536x1xf32>
    %y = graph.div %e, %s : (tensor<1536x1024xf32>, tensor<1536x1xf32>) -> tensor<1536x1024xf32>
    kernel.yield %y : tensor<1536x1024xf32>
  }
  return %0 : tensor<1536x1024xf32>
}
