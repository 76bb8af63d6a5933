// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_80 --split-input-file | FileCheck %s --check-prefix=OLD

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

// -----

// Columns: eight neighbours have a line, and 32 threads share out the rows of
// each. Four of them exchange in their warp, and those of eight warps meet in
// shared memory; one of them divides and stores.

// PLAN: plan = #kernel.plan<"gpu_rows", {kept = 1 : i64, team = 32 : i64, units = 8 : i64, vector = 0 : i64}>
// CHECK: kernel.launch @gpu_rows_0 tiles(16)
// CHECK-SAME: threads = 256, shared = 8192
// CHECK: llvm.func @gpu_rows_0
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-8: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: scf.if
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: !llvm.ptr<3>
// CHECK: arith.divf
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
func.func @pool(%x: tensor<1x49x512xf32>) -> tensor<1x1x512xf32> {
  %0 = kernel.group(%x) : (tensor<1x49x512xf32>) -> tensor<1x1x512xf32> {
  ^bb0(%v: tensor<1x49x512xf32>):
    %y = graph.reduce_mean %v {axes = array<i64: 1>} : (tensor<1x49x512xf32>) -> tensor<1x1x512xf32>
    kernel.yield %y : tensor<1x1x512xf32>
  }
  return %0 : tensor<1x1x512xf32>
}

// -----

// Too long to be kept: a block reads the row for each of both passes.

// PLAN: plan = #kernel.plan<"gpu_rows", {kept = 0 : i64, team = 1024 : i64, units = 1 : i64, vector = 1 : i64}>
// CHECK: kernel.launch @gpu_rows_0 tiles(8)
// CHECK: llvm.func @gpu_rows_0
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK-COUNT-32: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: scf.for
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
func.func @long(%x: tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  %0 = kernel.group(%x) : (tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  ^bb0(%v: tensor<8x65536xf32>):
    %m = graph.reduce_sum %v {axes = array<i64: 1>} : (tensor<8x65536xf32>) -> tensor<8x1xf32>
    %y = graph.div %v, %m : (tensor<8x65536xf32>, tensor<8x1xf32>) -> tensor<8x65536xf32>
    kernel.yield %y : tensor<8x65536xf32>
  }
  return %0 : tensor<8x65536xf32>
}

// -----

// Squares of a transposed operand wait in shared memory; the other is read
// where the result goes.

// PLAN: plan = #kernel.plan<"gpu_points", {threads = 256 : i64, transposed = 0 : i64, vector = 1 : i64}>
// CHECK: kernel.launch @gpu_points_0 tiles(600)
// CHECK-SAME: threads = 256
// CHECK: llvm.func @gpu_points_0
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<1> -> f32
// CHECK-COUNT-4: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> f32
func.func @transpose(%x: tensor<640x960xf32>, %z: tensor<960x640xf32>) -> tensor<960x640xf32> {
  %0 = kernel.group(%x, %z) : (tensor<640x960xf32>, tensor<960x640xf32>) -> tensor<960x640xf32> {
  ^bb0(%v: tensor<640x960xf32>, %w: tensor<960x640xf32>):
    %t = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<640x960xf32>) -> tensor<960x640xf32>
    %y = graph.add %t, %w : (tensor<960x640xf32>, tensor<960x640xf32>) -> tensor<960x640xf32>
    kernel.yield %y : tensor<960x640xf32>
  }
  return %0 : tensor<960x640xf32>
}

// -----

// Eight numbers of 16 bits a thread.

// PLAN: plan = #kernel.plan<"gpu_points", {threads = 32 : i64, transposed = -1 : i64, vector = 1 : i64}>
// CHECK: llvm.func @gpu_points_0
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
func.func @points(%x: tensor<64x96xf16>) -> tensor<64x96xf16> {
  %0 = kernel.group(%x) : (tensor<64x96xf16>) -> tensor<64x96xf16> {
  ^bb0(%v: tensor<64x96xf16>):
    %y = graph.relu %v : (tensor<64x96xf16>) -> tensor<64x96xf16>
    kernel.yield %y : tensor<64x96xf16>
  }
  return %0 : tensor<64x96xf16>
}

// -----

// Few rows: four warps have one, so that each thread has less to do in turn.

// PLAN-LABEL: func.func @few
// PLAN: plan = #kernel.plan<"gpu_rows", {kept = 1 : i64, team = 128 : i64, units = 1 : i64, vector = 1 : i64}>
// CHECK: kernel.launch @gpu_rows_0 tiles(128)
// CHECK-SAME: threads = 128
func.func @few(%x: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %0 = kernel.group(%x) : (tensor<128x768xf32>) -> tensor<128x768xf32> {
  ^bb0(%x0: tensor<128x768xf32>):
    %1 = graph.reduce_mean %x0 {axes = array<i64: 1>} : (tensor<128x768xf32>) -> tensor<128x1xf32>
    %2 = graph.sub %x0, %1 : (tensor<128x768xf32>, tensor<128x1xf32>) -> tensor<128x768xf32>
    %3 = graph.mul %2, %2 : (tensor<128x768xf32>, tensor<128x768xf32>) -> tensor<128x768xf32>
    %4 = graph.reduce_mean %3 {axes = array<i64: 1>} : (tensor<128x768xf32>) -> tensor<128x1xf32>
    %5 = graph.div %2, %4 : (tensor<128x768xf32>, tensor<128x1xf32>) -> tensor<128x768xf32>
    kernel.yield %5 : tensor<128x768xf32>
  }
  return %0 : tensor<128x768xf32>
}
