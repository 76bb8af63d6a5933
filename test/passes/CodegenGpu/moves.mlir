// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-check-indices=at-run-time --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_80 --split-input-file | FileCheck %s --check-prefix=OLD

// A thread has 16 bytes of a row. Indices that are not known before are forced
// inside, and the fault word tells of those that were not.

// CHECK: kernel.launch @gpu_moves_0 tiles(192) {{.*}} scratch(
// CHECK-SAME: threads = 128, shared = 0, cluster = 1, cooperative = false, programmatic = true
// CHECK: llvm.func @gpu_moves_0(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<1>, %arg2: !llvm.ptr<1>, %[[FAULT:.*]]: !llvm.ptr<1>)
// CHECK-SAME: kernel.checked
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.load {{.*}} -> i64
// CHECK: scf.if
// CHECK: llvm.store {{.*}}, %[[FAULT]]
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>

// OLD: programmatic = false
// OLD-NOT: griddepcontrol
func.func @gather(%x: tensor<1000x768xf32>, %i: tensor<1x128xi64>) -> tensor<1x128x768xf32> {
  %0 = kernel.group(%x, %i) : (tensor<1000x768xf32>, tensor<1x128xi64>) -> tensor<1x128x768xf32> {
  ^bb0(%x0: tensor<1000x768xf32>, %i0: tensor<1x128xi64>):
    %1 = graph.gather %x0, %i0 {axis = 0 : i64} : (tensor<1000x768xf32>, tensor<1x128xi64>) -> tensor<1x128x768xf32>
    kernel.yield %1 : tensor<1x128x768xf32>
  }
  return %0 : tensor<1x128x768xf32>
}

// -----

// Each part has blocks of its own, three here. Rows of the result are no multiples
// of 16 bytes apart.

// CHECK: kernel.launch @gpu_moves_0 tiles(6)
// CHECK: llvm.func @gpu_moves_0
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK: llvm.store {{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
// CHECK: %[[FIRST:.*]] = arith.constant -3 : i32
// CHECK: arith.addi %{{.*}}, %[[FIRST]]
// CHECK: scf.if
// CHECK: llvm.store {{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
func.func @concat(%x: tensor<10x36xf16>, %y: tensor<10x32xf16>) -> tensor<10x68xf16> {
  %0 = kernel.group(%x, %y) : (tensor<10x36xf16>, tensor<10x32xf16>) -> tensor<10x68xf16> {
  ^bb0(%x0: tensor<10x36xf16>, %y0: tensor<10x32xf16>):
    %1 = graph.concat %x0, %y0 {axis = 1 : i64} : (tensor<10x36xf16>, tensor<10x32xf16>) -> tensor<10x68xf16>
    kernel.yield %1 : tensor<10x68xf16>
  }
  return %0 : tensor<10x68xf16>
}

// -----

// Bytes of a border are spread over words. Vectors are inside or outside.

// CHECK: llvm.func @gpu_moves_0
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
// CHECK: arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: vector.broadcast
// CHECK: arith.select
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
func.func @pad(%x: tensor<6x64xui8>, %v: tensor<ui8>) -> tensor<8x96xui8> {
  %0 = kernel.group(%x, %v) : (tensor<6x64xui8>, tensor<ui8>) -> tensor<8x96xui8> {
  ^bb0(%x0: tensor<6x64xui8>, %v0: tensor<ui8>):
    %1 = graph.pad %x0, %v0 {low = array<i64: 1, 16>, high = array<i64: 1, 16>} : (tensor<6x64xui8>, tensor<ui8>) -> tensor<8x96xui8>
    kernel.yield %1 : tensor<8x96xui8>
  }
  return %0 : tensor<8x96xui8>
}
