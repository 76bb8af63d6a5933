// RUN: tenon-opt %s --pass-pipeline='builtin.module(tenon-merge-groups{target=sm_90a},tenon-verify-fuse)' --split-input-file | FileCheck %s
// RUN: not tenon-opt %s --pass-pipeline='builtin.module(tenon-merge-groups{target=sm_1})' 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: no target 'sm_1' in the tables of processors and GPUs

// One kernel computes them in less time than three. It stands where the last
// one stood, reads what all of them read, and is explained as one. Its tile is
// what a block has: rows of a head.

// CHECK-LABEL: func.func @main
// CHECK-SAME: kernel.unfused = []
// CHECK: kernel.group(%arg0, %arg1, %arg3, %arg4, %arg2) {fusion = {bytes = {{[0-9]+}} : i64, bytes_before = {{[0-9]+}} : i64, {{.*}}tile = #kernel.tile<dims = [0, 1, 2], sizes = [1, 1, 16]>} :
// CHECK-NEXT: ^bb0(%[[Q:.*]]: tensor<2x12x128x64xf32>, %[[K:.*]]: tensor<2x12x128x64xf32>, %[[F:.*]]: tensor<f32>, %[[M:.*]]: tensor<2x1x1x128xf32>, %[[V:.*]]: tensor<2x12x128x64xf32>):
// CHECK-NEXT: %[[S:.*]] = kernel.stage(%[[Q]], %[[K]], %[[F]], %[[M]]) in register :
// CHECK: graph.matmul %{{.*}}, %{{.*}} {transpose_rhs}
// CHECK-NEXT: graph.mul
// CHECK-NEXT: graph.add
// CHECK: %[[P:.*]] = kernel.stage(%[[S]]) in register :
// CHECK: graph.reduce_max
// CHECK: %[[O:.*]] = kernel.stage(%[[P]], %[[V]]) in memory :
// CHECK: graph.matmul
// CHECK: kernel.yield %[[O]]
// CHECK-NOT: kernel.group
func.func @main(%q: tensor<2x12x128x64xf32>, %k: tensor<2x12x128x64xf32>, %v: tensor<2x12x128x64xf32>, %f: tensor<f32>, %m: tensor<2x1x1x128xf32>) -> tensor<2x12x128x64xf32> attributes {kernel.unfused = [{from = "add", reason = "r", to = "reduce_max"}]} {
  %s = kernel.group(%q, %k, %f, %m) : (tensor<2x12x128x64xf32>, tensor<2x12x128x64xf32>, tensor<f32>, tensor<2x1x1x128xf32>) -> tensor<2x12x128x128xf32> {
  ^bb0(%q0: tensor<2x12x128x64xf32>, %k0: tensor<2x12x128x64xf32>, %f0: tensor<f32>, %m0: tensor<2x1x1x128xf32>):
    %1 = graph.matmul %q0, %k0 {transpose_rhs} : (tensor<2x12x128x64xf32>, tensor<2x12x128x64xf32>) -> tensor<2x12x128x128xf32>
    %2 = graph.mul %1, %f0 : (tensor<2x12x128x128xf32>, tensor<f32>) -> tensor<2x12x128x128xf32>
    %3 = graph.add %2, %m0 : (tensor<2x12x128x128xf32>, tensor<2x1x1x128xf32>) -> tensor<2x12x128x128xf32>
    kernel.yield %3 : tensor<2x12x128x128xf32>
  }
  %p = kernel.group(%s) : (tensor<2x12x128x128xf32>) -> tensor<2x12x128x128xf32> {
  ^bb0(%s0: tensor<2x12x128x128xf32>):
    %1 = graph.reduce_max %s0 {axes = array<i64: 3>} : (tensor<2x12x128x128xf32>) -> tensor<2x12x128x1xf32>
    %2 = graph.sub %s0, %1 : (tensor<2x12x128x128xf32>, tensor<2x12x128x1xf32>) -> tensor<2x12x128x128xf32>
    %3 = graph.exp %2 : (tensor<2x12x128x128xf32>) -> tensor<2x12x128x128xf32>
    %4 = graph.reduce_sum %3 {axes = array<i64: 3>} : (tensor<2x12x128x128xf32>) -> tensor<2x12x128x1xf32>
    %5 = graph.div %3, %4 : (tensor<2x12x128x128xf32>, tensor<2x12x128x1xf32>) -> tensor<2x12x128x128xf32>
    kernel.yield %5 : tensor<2x12x128x128xf32>
  }
  %o = kernel.group(%p, %v) : (tensor<2x12x128x128xf32>, tensor<2x12x128x64xf32>) -> tensor<2x12x128x64xf32> {
  ^bb0(%p0: tensor<2x12x128x128xf32>, %v0: tensor<2x12x128x64xf32>):
    %1 = graph.matmul %p0, %v0 : (tensor<2x12x128x128xf32>, tensor<2x12x128x64xf32>) -> tensor<2x12x128x64xf32>
    kernel.yield %1 : tensor<2x12x128x64xf32>
  }
  return %o : tensor<2x12x128x64xf32>
}

// -----

// Values in 16 bits are what the stages hand on.

// CHECK-LABEL: func.func @halves
// CHECK: kernel.group(%arg0, %arg1, %arg2)
// CHECK: kernel.stage({{.*}}) in register : {{.*}} -> tensor<12x128x128xf16>
// CHECK: kernel.stage({{.*}}) in register : (tensor<12x128x128xf16>) -> tensor<12x128x128xf16>
// CHECK: kernel.stage({{.*}}) in memory :
// CHECK-NOT: kernel.group
func.func @halves(%q: tensor<12x128x64xf16>, %k: tensor<12x64x128xf16>, %v: tensor<12x128x64xf16>) -> tensor<12x128x64xf16> {
  %s = kernel.group(%q, %k) : (tensor<12x128x64xf16>, tensor<12x64x128xf16>) -> tensor<12x128x128xf16> {
  ^bb0(%q0: tensor<12x128x64xf16>, %k0: tensor<12x64x128xf16>):
    %1 = graph.matmul %q0, %k0 : (tensor<12x128x64xf16>, tensor<12x64x128xf16>) -> tensor<12x128x128xf16>
    %2 = graph.cast %1 : (tensor<12x128x128xf16>) -> tensor<12x128x128xf32>
    %3 = graph.tanh %2 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %4 = graph.cast %3 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf16>
    kernel.yield %4 : tensor<12x128x128xf16>
  }
  %p = kernel.group(%s) : (tensor<12x128x128xf16>) -> tensor<12x128x128xf16> {
  ^bb0(%s0: tensor<12x128x128xf16>):
    %0 = graph.cast %s0 : (tensor<12x128x128xf16>) -> tensor<12x128x128xf32>
    %1 = graph.reduce_max %0 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %2 = graph.sub %0, %1 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %3 = graph.exp %2 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %4 = graph.reduce_sum %3 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %5 = graph.reciprocal %4 : (tensor<12x128x1xf32>) -> tensor<12x128x1xf32>
    %6 = graph.mul %3, %5 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %7 = graph.cast %6 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf16>
    kernel.yield %7 : tensor<12x128x128xf16>
  }
  %o = kernel.group(%p, %v) : (tensor<12x128x128xf16>, tensor<12x128x64xf16>) -> tensor<12x128x64xf16> {
  ^bb0(%p0: tensor<12x128x128xf16>, %v0: tensor<12x128x64xf16>):
    %1 = graph.matmul %p0, %v0 : (tensor<12x128x128xf16>, tensor<12x128x64xf16>) -> tensor<12x128x64xf16>
    kernel.yield %1 : tensor<12x128x64xf16>
  }
  return %o : tensor<12x128x64xf16>
}

// -----

// Heads of 12 columns are no multiple of 16 bytes in 16 bits; nor are scores
// joined that somebody else reads, or that are summed without the maximum.

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-3: kernel.group
func.func @apart(%q: tensor<12x128x12xf32>, %k: tensor<12x128x12xf32>, %v: tensor<12x128x12xf32>) -> tensor<12x128x12xf32> {
  %s = kernel.group(%q, %k) : (tensor<12x128x12xf32>, tensor<12x128x12xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%q0: tensor<12x128x12xf32>, %k0: tensor<12x128x12xf32>):
    %1 = graph.matmul %q0, %k0 {transpose_rhs} : (tensor<12x128x12xf32>, tensor<12x128x12xf32>) -> tensor<12x128x128xf32>
    kernel.yield %1 : tensor<12x128x128xf32>
  }
  %p = kernel.group(%s) : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%s0: tensor<12x128x128xf32>):
    %1 = graph.reduce_max %s0 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %2 = graph.sub %s0, %1 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %3 = graph.exp %2 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %4 = graph.reduce_sum %3 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %5 = graph.div %3, %4 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    kernel.yield %5 : tensor<12x128x128xf32>
  }
  %o = kernel.group(%p, %v) : (tensor<12x128x128xf32>, tensor<12x128x12xf32>) -> tensor<12x128x12xf32> {
  ^bb0(%p0: tensor<12x128x128xf32>, %v0: tensor<12x128x12xf32>):
    %1 = graph.matmul %p0, %v0 : (tensor<12x128x128xf32>, tensor<12x128x12xf32>) -> tensor<12x128x12xf32>
    kernel.yield %1 : tensor<12x128x12xf32>
  }
  return %o : tensor<12x128x12xf32>
}

// -----

// CHECK-LABEL: func.func @read
// CHECK-COUNT-3: kernel.group
func.func @read(%q: tensor<12x128x64xf32>, %k: tensor<12x128x64xf32>, %v: tensor<12x128x64xf32>) -> (tensor<12x128x64xf32>, tensor<12x128x128xf32>) {
  %s = kernel.group(%q, %k) : (tensor<12x128x64xf32>, tensor<12x128x64xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%q0: tensor<12x128x64xf32>, %k0: tensor<12x128x64xf32>):
    %1 = graph.matmul %q0, %k0 {transpose_rhs} : (tensor<12x128x64xf32>, tensor<12x128x64xf32>) -> tensor<12x128x128xf32>
    kernel.yield %1 : tensor<12x128x128xf32>
  }
  %p = kernel.group(%s) : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%s0: tensor<12x128x128xf32>):
    %1 = graph.reduce_max %s0 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %2 = graph.sub %s0, %1 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %3 = graph.exp %2 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %4 = graph.reduce_sum %3 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %5 = graph.div %3, %4 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    kernel.yield %5 : tensor<12x128x128xf32>
  }
  %o = kernel.group(%p, %v) : (tensor<12x128x128xf32>, tensor<12x128x64xf32>) -> tensor<12x128x64xf32> {
  ^bb0(%p0: tensor<12x128x128xf32>, %v0: tensor<12x128x64xf32>):
    %1 = graph.matmul %p0, %v0 : (tensor<12x128x128xf32>, tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    kernel.yield %1 : tensor<12x128x64xf32>
  }
  return %o, %s : tensor<12x128x64xf32>, tensor<12x128x128xf32>
}

// -----

// CHECK-LABEL: func.func @unshifted
// CHECK-COUNT-3: kernel.group
func.func @unshifted(%q: tensor<12x128x64xf32>, %k: tensor<12x128x64xf32>, %v: tensor<12x128x64xf32>) -> tensor<12x128x64xf32> {
  %s = kernel.group(%q, %k) : (tensor<12x128x64xf32>, tensor<12x128x64xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%q0: tensor<12x128x64xf32>, %k0: tensor<12x128x64xf32>):
    %1 = graph.matmul %q0, %k0 {transpose_rhs} : (tensor<12x128x64xf32>, tensor<12x128x64xf32>) -> tensor<12x128x128xf32>
    kernel.yield %1 : tensor<12x128x128xf32>
  }
  %p = kernel.group(%s) : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%s0: tensor<12x128x128xf32>):
    %3 = graph.exp %s0 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %4 = graph.reduce_sum %3 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %5 = graph.div %3, %4 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    kernel.yield %5 : tensor<12x128x128xf32>
  }
  %o = kernel.group(%p, %v) : (tensor<12x128x128xf32>, tensor<12x128x64xf32>) -> tensor<12x128x64xf32> {
  ^bb0(%p0: tensor<12x128x128xf32>, %v0: tensor<12x128x64xf32>):
    %1 = graph.matmul %p0, %v0 : (tensor<12x128x128xf32>, tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    kernel.yield %1 : tensor<12x128x64xf32>
  }
  return %o : tensor<12x128x64xf32>
}

// -----

// Numbers become a part of the stages, and rows of which nothing counts are zero.

// CHECK-LABEL: func.func @numbers
// CHECK: kernel.group(%arg0, %arg1, %arg3, %arg2)
// CHECK: kernel.stage(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) in register
// CHECK: %[[F:.*]] = graph.constant dense<1.250000e-01>
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: graph.mul %{{.*}}, %[[F]]
// CHECK: kernel.stage(%{{[^,]*}}) in register
// CHECK: %[[Z:.*]] = graph.constant dense<0.0
// CHECK: graph.select %{{.*}}, %[[Z]]
// CHECK: kernel.stage
// CHECK: graph.matmul
// CHECK-NOT: kernel.group
func.func @numbers(%q: tensor<12x128x64xf32>, %k: tensor<12x128x64xf32>, %v: tensor<12x128x64xf32>, %m: tensor<12x1x128xf32>) -> tensor<12x128x64xf32> {
  %f = graph.constant dense<0.125> : tensor<f32>
  %z = graph.constant dense<0.0> : tensor<f32>
  %s = kernel.group(%q, %k, %f, %m) : (tensor<12x128x64xf32>, tensor<12x128x64xf32>, tensor<f32>, tensor<12x1x128xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%q0: tensor<12x128x64xf32>, %k0: tensor<12x128x64xf32>, %f0: tensor<f32>, %m0: tensor<12x1x128xf32>):
    %1 = graph.matmul %q0, %k0 {transpose_rhs} : (tensor<12x128x64xf32>, tensor<12x128x64xf32>) -> tensor<12x128x128xf32>
    %2 = graph.mul %1, %f0 : (tensor<12x128x128xf32>, tensor<f32>) -> tensor<12x128x128xf32>
    %3 = graph.add %2, %m0 : (tensor<12x128x128xf32>, tensor<12x1x128xf32>) -> tensor<12x128x128xf32>
    kernel.yield %3 : tensor<12x128x128xf32>
  }
  %p = kernel.group(%s, %z) : (tensor<12x128x128xf32>, tensor<f32>) -> tensor<12x128x128xf32> {
  ^bb0(%s0: tensor<12x128x128xf32>, %z0: tensor<f32>):
    %1 = graph.reduce_max %s0 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %2 = graph.sub %s0, %1 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %3 = graph.exp %2 : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %4 = graph.reduce_sum %3 {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %5 = graph.div %3, %4 : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %6 = graph.is_nan %5 : (tensor<12x128x128xf32>) -> tensor<12x128x128xi1>
    %7 = graph.select %6, %z0, %5 : (tensor<12x128x128xi1>, tensor<f32>, tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    kernel.yield %7 : tensor<12x128x128xf32>
  }
  %o = kernel.group(%p, %v) : (tensor<12x128x128xf32>, tensor<12x128x64xf32>) -> tensor<12x128x64xf32> {
  ^bb0(%p0: tensor<12x128x128xf32>, %v0: tensor<12x128x64xf32>):
    %1 = graph.matmul %p0, %v0 : (tensor<12x128x128xf32>, tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    kernel.yield %1 : tensor<12x128x64xf32>
  }
  return %o : tensor<12x128x64xf32>
}

// -----

// Scores that have no place anywhere need none.

// CHECK-LABEL: func.func @long
// CHECK: kernel.group(%arg0, %arg1, %arg2)
// CHECK-NOT: kernel.group
func.func @long(%q: tensor<32x8192x64xf32>, %k: tensor<32x8192x64xf32>, %v: tensor<32x8192x64xf32>) -> tensor<32x8192x64xf32> {
  %s = kernel.group(%q, %k) : (tensor<32x8192x64xf32>, tensor<32x8192x64xf32>) -> tensor<32x8192x8192xf32> {
  ^bb0(%q0: tensor<32x8192x64xf32>, %k0: tensor<32x8192x64xf32>):
    %1 = graph.matmul %q0, %k0 {transpose_rhs} : (tensor<32x8192x64xf32>, tensor<32x8192x64xf32>) -> tensor<32x8192x8192xf32>
    kernel.yield %1 : tensor<32x8192x8192xf32>
  }
  %p = kernel.group(%s) : (tensor<32x8192x8192xf32>) -> tensor<32x8192x8192xf32> {
  ^bb0(%s0: tensor<32x8192x8192xf32>):
    %1 = graph.reduce_max %s0 {axes = array<i64: 2>} : (tensor<32x8192x8192xf32>) -> tensor<32x8192x1xf32>
    %2 = graph.sub %s0, %1 : (tensor<32x8192x8192xf32>, tensor<32x8192x1xf32>) -> tensor<32x8192x8192xf32>
    %3 = graph.exp %2 : (tensor<32x8192x8192xf32>) -> tensor<32x8192x8192xf32>
    %4 = graph.reduce_sum %3 {axes = array<i64: 2>} : (tensor<32x8192x8192xf32>) -> tensor<32x8192x1xf32>
    %5 = graph.div %3, %4 : (tensor<32x8192x8192xf32>, tensor<32x8192x1xf32>) -> tensor<32x8192x8192xf32>
    kernel.yield %5 : tensor<32x8192x8192xf32>
  }
  %o = kernel.group(%p, %v) : (tensor<32x8192x8192xf32>, tensor<32x8192x64xf32>) -> tensor<32x8192x64xf32> {
  ^bb0(%p0: tensor<32x8192x8192xf32>, %v0: tensor<32x8192x64xf32>):
    %1 = graph.matmul %p0, %v0 : (tensor<32x8192x8192xf32>, tensor<32x8192x64xf32>) -> tensor<32x8192x64xf32>
    kernel.yield %1 : tensor<32x8192x64xf32>
  }
  return %o : tensor<32x8192x64xf32>
}
