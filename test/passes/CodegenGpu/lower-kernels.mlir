// RUN: tenon-opt %s --pass-pipeline='builtin.module(tenon-form-views,tenon-assign-buffers{target=sm_80},tenon-lower-kernels{target=sm_80},tenon-verify-codegen)' | FileCheck %s
// Kernels get pointers to global memory, then numbers. A thread has a tile;
// where there are fewer tiles than threads, the last block's others do nothing.

// CHECK-LABEL: func.func @main
// CHECK: kernel.launch @loops_0 tiles(1) {{.*}} device = #kernel.device<grid = [1, 1], threads = 32, shared = 0, cluster = 1, cooperative = false, programmatic = false, maps = []>
// CHECK: llvm.func @loops_0(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: %[[TILES:.*]] = arith.constant 10 : i64
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %{{.*}}, %[[TILES]]
// CHECK: scf.if %[[HAS]]
// CHECK: llvm.return
func.func @main(%x: tensor<40xf32>) -> tensor<40xf32> {
  %0 = kernel.group(%x) {plan = #kernel.plan<"loops", {chunk = 4, lanes = 4, rows = 1, unroll = 1, vector = 0}>} : (tensor<40xf32>) -> tensor<40xf32> {
  ^bb0(%a: tensor<40xf32>):
    %1 = graph.exp %a : (tensor<40xf32>) -> tensor<40xf32>
    kernel.yield %1 : tensor<40xf32>
  }
  return %0 : tensor<40xf32>
}
