// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 | FileCheck %s

// Eight rows at a time: sums of what differs from the mean of their first
// vectors, and of its squares. The roots of eight rows are one. The next rows'
// sums are formed before these rows' results.
// CHECK: kernel.launch @[[SHORT:.*]] tiles
// CHECK: kernel.launch @[[LONG:.*]] tiles
// CHECK: func.func private @[[SHORT]](
// CHECK: scf.for
// CHECK-COUNT-8: llvm.intr.fma
// CHECK: scf.for
// CHECK: llvm.intr.sqrt({{.*}}) : (vector<8xf32>)
// CHECK-NOT: llvm.intr.sqrt
// CHECK: scf.if
// CHECK: scf.for
// CHECK-COUNT-8: llvm.intr.fma
// CHECK: scf.for
// CHECK-COUNT-8: llvm.store

// More than 256 elements in a lane would lose too much: two passes.
// CHECK: func.func private @[[LONG]](
// CHECK-NOT: llvm.intr.fma
// CHECK: arith.divf
// CHECK: llvm.intr.fma
func.func @main(%x: tensor<64x96xf32>, %y: tensor<64x8192xf32>) -> (tensor<64x96xf32>, tensor<64x8192xf32>) {
  %r = kernel.group(%x) : (tensor<64x96xf32>) -> tensor<64x96xf32> {
  ^bb0(%a: tensor<64x96xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<64x96xf32>) -> tensor<64x1xf32>
    %d = graph.sub %a, %m : (tensor<64x96xf32>, tensor<64x1xf32>) -> tensor<64x96xf32>
    %q = graph.mul %d, %d : (tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
    %v = graph.reduce_mean %q {axes = array<i64: 1>} : (tensor<64x96xf32>) -> tensor<64x1xf32>
    %s = graph.sqrt %v : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %z = graph.div %d, %s : (tensor<64x96xf32>, tensor<64x1xf32>) -> tensor<64x96xf32>
    kernel.yield %z : tensor<64x96xf32>
  }
  %l = kernel.group(%y) : (tensor<64x8192xf32>) -> tensor<64x8192xf32> {
  ^bb0(%a: tensor<64x8192xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<64x8192xf32>) -> tensor<64x1xf32>
    %d = graph.sub %a, %m : (tensor<64x8192xf32>, tensor<64x1xf32>) -> tensor<64x8192xf32>
    %q = graph.mul %d, %d : (tensor<64x8192xf32>, tensor<64x8192xf32>) -> tensor<64x8192xf32>
    %v = graph.reduce_mean %q {axes = array<i64: 1>} : (tensor<64x8192xf32>) -> tensor<64x1xf32>
    %z = graph.div %d, %v : (tensor<64x8192xf32>, tensor<64x1xf32>) -> tensor<64x8192xf32>
    kernel.yield %z : tensor<64x8192xf32>
  }
  return %r, %l : tensor<64x96xf32>, tensor<64x8192xf32>
}
