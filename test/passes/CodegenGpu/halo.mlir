// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a | FileCheck %s

// A thread has 16 bytes of the padded box, 6 by 6 pixels of 8 numbers, and clears
// them where the pixel is in the border.

!x = !memory.buffer<tensor<1x4x4x8xf32>, [128, 32, 8, 1], 0, 512>
!padded = !memory.buffer<tensor<1x4x4x8xf32>, [288, 48, 8, 1], 56, 1152>

// CHECK: kernel.launch @zero_halo_2 tiles(1) reads() writes(%{{.*}}) {bytes = 640 : i64
// CHECK-SAME: threads = 256, shared = 0, cluster = 1, cooperative = false, programmatic = true
// CHECK: llvm.func @zero_halo_2(%[[BUFFER:.*]]: !llvm.ptr<1>)
// CHECK: nvvm.griddepcontrol wait
// CHECK: arith.constant 72 : i32
// CHECK-COUNT-2: arith.cmpi ult
// CHECK: scf.if
// CHECK: %[[ZERO:.*]] = llvm.mlir.zero : vector<4xi32>
// CHECK: llvm.store %[[ZERO]], %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
func.func @main(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = kernel.group(%x) {buffers = [!x, !padded], plan = #kernel.plan<"gpu_points", {vector = 0, transposed = -1, threads = 32}>} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%a: tensor<1x4x4x8xf32>):
    %1 = graph.exp %a : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
    kernel.yield %1 : tensor<1x4x4x8xf32>
  }
  %2 = kernel.group(%0) {buffers = [!padded, !x], plan = #kernel.plan<"gpu_points", {vector = 0, transposed = -1, threads = 32}>} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%a: tensor<1x4x4x8xf32>):
    %3 = graph.exp %a : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
    kernel.yield %3 : tensor<1x4x4x8xf32>
  }
  return %2 : tensor<1x4x4x8xf32>
}
