// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-assign-buffers --tenon-lower-kernels=target=avx2 | FileCheck %s

// Every second element: two vectors, the second of which ends with the last
// element that is wanted.
// CHECK: kernel.launch @[[KERNEL:.*]] tiles
// CHECK: func.func private @[[KERNEL]](
// CHECK: scf.for
// CHECK: llvm.load {{.*}} vector<8xf32>
// CHECK: vector.shuffle {{.*}} [8, 10, 12, 14, 4, 5, 6, 7]
// CHECK: llvm.getelementptr {{.*}}[7]
// CHECK: llvm.load {{.*}} vector<8xf32>
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 9, 11, 13, 15]
// CHECK-NOT: llvm.load
// CHECK: llvm.store
func.func @main(%x: tensor<64x128xf32>) -> tensor<64x64xf32> {
  %r = kernel.group(%x) : (tensor<64x128xf32>) -> tensor<64x64xf32> {
  ^bb0(%a: tensor<64x128xf32>):
    %s = graph.slice %a {starts = array<i64: 0, 0>, sizes = array<i64: 64, 64>, steps = array<i64: 1, 2>} : (tensor<64x128xf32>) -> tensor<64x64xf32>
    kernel.yield %s : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
