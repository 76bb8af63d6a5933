// RUN: tenon-opt %s "--tenon-plan-kernels=target=sm_90a" --tenon-form-views --tenon-assign-buffers=target=sm_90a "--tenon-lower-kernels=target=sm_90a" --split-input-file | FileCheck %s
// RUN: tenon-opt %s "--tenon-plan-kernels=target=sm_80 precision=tf32" --tenon-form-views --tenon-assign-buffers=target=sm_80 "--tenon-lower-kernels=target=sm_80 precision=tf32" --split-input-file | FileCheck %s --check-prefix=OLD

// Heads are read where they lie in rows of queries, keys and values, and stored
// where they lie in rows of results. Blocks have 16 rows, whose keys four warps
// share. Nothing is stored but the results: the scores wait for the keys, their
// weights for the values, and the sums are joined behind.

// CHECK-LABEL: func.func @main
// CHECK-NOT: kernel.launch
// CHECK: kernel.launch @gpu_attention_0 tiles(96) reads({{.*}} !memory.buffer<tensor<1x12x128x64xf32>, [{{[0-9]+}}, 64, 2304, 1]
// CHECK-SAME: writes({{.*}} !memory.buffer<tensor<1x12x128x64xf32>, [98304, 64, 768, 1]
// CHECK-SAME: costs = {gpu_attention = {{[0-9]+}} : i64}
// CHECK-SAME: device = #kernel.device<grid = [1, 1], threads = 128, shared = 73728, cluster = 1, cooperative = false, programmatic = true
// CHECK-NOT: kernel.launch
// CHECK: llvm.func @gpu_attention_0
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: nvvm.barrier
// CHECK: nvvm.ldmatrix
// CHECK: arith.subf
// CHECK: nvvm.mma.sync
// CHECK: arith.mulf
// CHECK: arith.maxnumf
// CHECK: nvvm.shfl.sync bfly
// CHECK: ex2.approx.ftz.f32
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier
// CHECK: nvvm.mma.sync
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: nvvm.rcp.approx.ftz.f
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>

// OLD: kernel.launch @gpu_attention_0
// OLD-SAME: programmatic = false
// OLD: llvm.func @gpu_attention_0
// OLD-NOT: griddepcontrol
// OLD: nvvm.convert.float.to.tf32 {{.*}}<rna>
// OLD: nvvm.mma.sync
func.func @main(%x: tensor<1x128x3x12x64xf32>, %f: tensor<f32>) -> tensor<1x128x12x64xf32> {
  %q = kernel.group(%x) : (tensor<1x128x3x12x64xf32>) -> tensor<1x12x128x64xf32> {
  ^bb0(%x0: tensor<1x128x3x12x64xf32>):
    %1 = graph.slice %x0 {starts = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 1, 128, 1, 12, 64>, steps = array<i64: 1, 1, 1, 1, 1>} : (tensor<1x128x3x12x64xf32>) -> tensor<1x128x1x12x64xf32>
    %2 = graph.reshape %1 : (tensor<1x128x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %3 = graph.transpose %2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
    kernel.yield %3 : tensor<1x12x128x64xf32>
  }
  %k = kernel.group(%x) : (tensor<1x128x3x12x64xf32>) -> tensor<1x12x128x64xf32> {
  ^bb0(%x0: tensor<1x128x3x12x64xf32>):
    %1 = graph.slice %x0 {starts = array<i64: 0, 0, 1, 0, 0>, sizes = array<i64: 1, 128, 1, 12, 64>, steps = array<i64: 1, 1, 1, 1, 1>} : (tensor<1x128x3x12x64xf32>) -> tensor<1x128x1x12x64xf32>
    %2 = graph.reshape %1 : (tensor<1x128x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %3 = graph.transpose %2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
    kernel.yield %3 : tensor<1x12x128x64xf32>
  }
  %v = kernel.group(%x) : (tensor<1x128x3x12x64xf32>) -> tensor<1x12x128x64xf32> {
  ^bb0(%x0: tensor<1x128x3x12x64xf32>):
    %1 = graph.slice %x0 {starts = array<i64: 0, 0, 2, 0, 0>, sizes = array<i64: 1, 128, 1, 12, 64>, steps = array<i64: 1, 1, 1, 1, 1>} : (tensor<1x128x3x12x64xf32>) -> tensor<1x128x1x12x64xf32>
    %2 = graph.reshape %1 : (tensor<1x128x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %3 = graph.transpose %2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
    kernel.yield %3 : tensor<1x12x128x64xf32>
  }
  %o = kernel.group(%q, %k, %v, %f) {tile = #kernel.tile<dims = [0, 1, 2], sizes = [1, 1, 16]>} : (tensor<1x12x128x64xf32>, tensor<1x12x128x64xf32>, tensor<1x12x128x64xf32>, tensor<f32>) -> tensor<1x12x128x64xf32> {
  ^bb0(%q0: tensor<1x12x128x64xf32>, %k0: tensor<1x12x128x64xf32>, %v0: tensor<1x12x128x64xf32>, %f0: tensor<f32>):
    %scores = kernel.stage(%q0, %k0, %f0) in register : (tensor<1x12x128x64xf32>, tensor<1x12x128x64xf32>, tensor<f32>) -> tensor<1x12x128x128xf32> {
    ^bb0(%q0_0: tensor<1x12x128x64xf32>, %k0_0: tensor<1x12x128x64xf32>, %f0_0: tensor<f32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<1x12x128x64xf32>, tensor<1x12x128x64xf32>) -> tensor<1x12x128x128xf32>
      %2 = graph.mul %1, %f0_0 : (tensor<1x12x128x128xf32>, tensor<f32>) -> tensor<1x12x128x128xf32>
      kernel.yield %2 : tensor<1x12x128x128xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32> {
    ^bb0(%v2: tensor<1x12x128x128xf32>):
      %3 = graph.reduce_max %v2 {axes = array<i64: 3>} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x1xf32>
      %4 = graph.sub %v2, %3 : (tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
      %5 = graph.exp %4 : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
      %6 = graph.reduce_sum %5 {axes = array<i64: 3>} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x1xf32>
      %7 = graph.div %5, %6 : (tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
      kernel.yield %7 : tensor<1x12x128x128xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<1x12x128x128xf32>, tensor<1x12x128x64xf32>) -> tensor<1x12x128x64xf32> {
    ^bb0(%v7: tensor<1x12x128x128xf32>, %v0_2: tensor<1x12x128x64xf32>):
      %8 = graph.matmul %v7, %v0_2 : (tensor<1x12x128x128xf32>, tensor<1x12x128x64xf32>) -> tensor<1x12x128x64xf32>
      kernel.yield %8 : tensor<1x12x128x64xf32>
    }
    kernel.yield %context : tensor<1x12x128x64xf32>
  }
  %r = kernel.group(%o) : (tensor<1x12x128x64xf32>) -> tensor<1x128x12x64xf32> {
  ^bb0(%o0: tensor<1x12x128x64xf32>):
    %1 = graph.transpose %o0 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x12x128x64xf32>) -> tensor<1x128x12x64xf32>
    kernel.yield %1 : tensor<1x128x12x64xf32>
  }
  return %r : tensor<1x128x12x64xf32>
}

// -----

// Matrices without batches, and as many keys that their steps are a loop: what
// exceeds the last one has no weight. In 16 bits scores are rounded to weights.

// CHECK-LABEL: func.func @halves
// CHECK: kernel.launch @gpu_attention_0 tiles({{[0-9]+}})
// CHECK: llvm.func @gpu_attention_0
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group
// CHECK: nvvm.mma.sync {{.*}}f16
// CHECK: arith.cmpi slt
// CHECK: cvt.rn.f16x2.f32
// CHECK: nvvm.ldmatrix {{.*}}#nvvm.mma_layout<col>
// CHECK: scf.yield
func.func @halves(%q: tensor<700x64xf16>, %k: tensor<700x64xf16>, %v: tensor<700x64xf16>) -> tensor<700x64xf16> {
  %o = kernel.group(%q, %k, %v) {tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<700x64xf16>, tensor<700x64xf16>, tensor<700x64xf16>) -> tensor<700x64xf16> {
  ^bb0(%q0: tensor<700x64xf16>, %k0: tensor<700x64xf16>, %v0: tensor<700x64xf16>):
    %scores = kernel.stage(%q0, %k0) in register : (tensor<700x64xf16>, tensor<700x64xf16>) -> tensor<700x700xf32> {
    ^bb0(%q0_0: tensor<700x64xf16>, %k0_0: tensor<700x64xf16>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<700x64xf16>, tensor<700x64xf16>) -> tensor<700x700xf16>
      %2 = graph.cast %1 : (tensor<700x700xf16>) -> tensor<700x700xf32>
      kernel.yield %2 : tensor<700x700xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<700x700xf32>) -> tensor<700x700xf16> {
    ^bb0(%v2: tensor<700x700xf32>):
      %3 = graph.reduce_max %v2 {axes = array<i64: 1>} : (tensor<700x700xf32>) -> tensor<700x1xf32>
      %4 = graph.sub %v2, %3 : (tensor<700x700xf32>, tensor<700x1xf32>) -> tensor<700x700xf32>
      %5 = graph.exp %4 : (tensor<700x700xf32>) -> tensor<700x700xf32>
      %6 = graph.reduce_sum %5 {axes = array<i64: 1>} : (tensor<700x700xf32>) -> tensor<700x1xf32>
      %7 = graph.reciprocal %6 : (tensor<700x1xf32>) -> tensor<700x1xf32>
      %8 = graph.mul %5, %7 : (tensor<700x700xf32>, tensor<700x1xf32>) -> tensor<700x700xf32>
      %9 = graph.cast %8 : (tensor<700x700xf32>) -> tensor<700x700xf16>
      kernel.yield %9 : tensor<700x700xf16>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<700x700xf16>, tensor<700x64xf16>) -> tensor<700x64xf16> {
    ^bb0(%v9: tensor<700x700xf16>, %v0_2: tensor<700x64xf16>):
      %10 = graph.matmul %v9, %v0_2 : (tensor<700x700xf16>, tensor<700x64xf16>) -> tensor<700x64xf16>
      kernel.yield %10 : tensor<700x64xf16>
    }
    kernel.yield %context : tensor<700x64xf16>
  }
  return %o : tensor<700x64xf16>
}
