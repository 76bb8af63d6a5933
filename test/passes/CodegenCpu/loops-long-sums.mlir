// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --canonicalize | FileCheck %s

// Blocks of 128 rows, of 16 blocks, of 16 of those. The last 32 rows are a block
// of their own; each block's sum is added to that of the block around it.
// CHECK-LABEL: func.func private @loops_0
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK: scf.for {{.*}} step %c32768_i64 iter_args(%[[A:.*]] = %[[ZERO]])
// CHECK: scf.for {{.*}} step %c2048_i64 iter_args(%[[B:.*]] = %[[ZERO]])
// CHECK: scf.for {{.*}} step %c128_i64 iter_args(%[[C:.*]] = %[[ZERO]])
// CHECK: scf.for %{{.*}} = %c0_i64 to %c128_i64 step %c1_i64 iter_args(%[[D:.*]] = %[[ZERO]])
// CHECK: arith.addf %[[D]],
// CHECK: arith.addf %[[C]],
// CHECK: arith.addf %[[B]],
// CHECK: %[[WHOLE:.*]] = arith.addf %[[A]],
// CHECK: scf.for %{{.*}} = %c99968_i64 to %c100000_i64 step %c1_i64 iter_args(%{{.*}} = %[[ZERO]])
// CHECK: llvm.store

// A maximum does not depend on the order, and 128 rows are one block.
// CHECK-LABEL: func.func private @loops_1
// CHECK: scf.for %{{.*}} = %c0_i64 to %c100000_i64 step %c1_i64
// CHECK-LABEL: func.func private @loops_2
// CHECK: scf.for %{{.*}} = %c0_i64 to %c128_i64 step %c1_i64
// CHECK-NOT: scf.for
// CHECK: return
func.func @main(%x: tensor<100000x16xf32>, %z: tensor<128x16xf32>) -> (tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>) {
  %s = kernel.group(%x) : (tensor<100000x16xf32>) -> tensor<1x16xf32> {
  ^bb0(%a: tensor<100000x16xf32>):
    %r = graph.reduce_sum %a {axes = array<i64: 0>} : (tensor<100000x16xf32>) -> tensor<1x16xf32>
    kernel.yield %r : tensor<1x16xf32>
  }
  %m = kernel.group(%x) : (tensor<100000x16xf32>) -> tensor<1x16xf32> {
  ^bb0(%a: tensor<100000x16xf32>):
    %r = graph.reduce_max %a {axes = array<i64: 0>} : (tensor<100000x16xf32>) -> tensor<1x16xf32>
    kernel.yield %r : tensor<1x16xf32>
  }
  %t = kernel.group(%z) : (tensor<128x16xf32>) -> tensor<1x16xf32> {
  ^bb0(%a: tensor<128x16xf32>):
    %r = graph.reduce_sum %a {axes = array<i64: 0>} : (tensor<128x16xf32>) -> tensor<1x16xf32>
    kernel.yield %r : tensor<1x16xf32>
  }
  return %s, %m, %t : tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>
}
