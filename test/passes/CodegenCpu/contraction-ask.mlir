// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 | FileCheck %s

// Of one vector of columns each multiply-add loads from A, and so would each
// line that is asked for: a turn of four steps of sixteen asks for every fourth
// of 27 later rows.

// CHECK-LABEL: func.func private @gemm_0
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.remui
// CHECK-COUNT-7: "llvm.intr.prefetch"({{.*}}) <{cache = 1 : i32, hint = 2 : i32
// CHECK-NOT: llvm.intr.prefetch
// CHECK: scf.yield
func.func @main(%x: tensor<12544x16xf32>) -> tensor<12544x16xf32> {
  %w = graph.constant dense_resource<w> : tensor<16x16xf32>
  %0 = kernel.group(%x, %w) : (tensor<12544x16xf32>, tensor<16x16xf32>) -> tensor<12544x16xf32> {
  ^bb0(%x0: tensor<12544x16xf32>, %w0: tensor<16x16xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<12544x16xf32>, tensor<16x16xf32>) -> tensor<12544x16xf32>
    kernel.yield %1 : tensor<12544x16xf32>
  }
  return %0 : tensor<12544x16xf32>
}

// -----

// Two vectors leave time to ask for all 13 again.

// CHECK-LABEL: func.func private @gemm_0
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: arith.remui
// CHECK-COUNT-13: "llvm.intr.prefetch"({{.*}}) <{cache = 1 : i32, hint = 2 : i32
// CHECK-NOT: llvm.intr.prefetch
// CHECK: scf.yield
func.func @main(%x: tensor<12544x16xf32>) -> tensor<12544x32xf32> {
  %w = graph.constant dense_resource<w> : tensor<16x32xf32>
  %0 = kernel.group(%x, %w) : (tensor<12544x16xf32>, tensor<16x32xf32>) -> tensor<12544x32xf32> {
  ^bb0(%x0: tensor<12544x16xf32>, %w0: tensor<16x32xf32>):
    %1 = graph.matmul %x0, %w0 : (tensor<12544x16xf32>, tensor<16x32xf32>) -> tensor<12544x32xf32>
    kernel.yield %1 : tensor<12544x32xf32>
  }
  return %0 : tensor<12544x32xf32>
}
