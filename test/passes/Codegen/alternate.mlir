// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --split-input-file | FileCheck %s

// Four vectors of a function take turns.
// CHECK-LABEL: func.func private @loops_0
// CHECK: llvm.x86.avx512.mask.scalef.ps.512
// CHECK-NEXT: llvm.x86.avx512.mask.scalef.ps.512
// CHECK-NEXT: llvm.x86.avx512.mask.scalef.ps.512
// CHECK-NEXT: llvm.x86.avx512.mask.scalef.ps.512
// CHECK-NOT: scalef
// CHECK: return
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = kernel.group(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64xf32>):
    %0 = graph.exp %a : (tensor<64xf32>) -> tensor<64xf32>
    kernel.yield %0 : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// -----

// So do those that follow a product: two rows of two vectors.
// CHECK-LABEL: func.func private @gemm_0
// CHECK: llvm.intr.fma
// CHECK: scf.for
// CHECK: llvm.x86.avx512.permvar.sf.512
// CHECK-NEXT: llvm.x86.avx512.permvar.sf.512
// CHECK-NEXT: llvm.x86.avx512.permvar.sf.512
// CHECK-NEXT: llvm.x86.avx512.permvar.sf.512
func.func @main(%x: tensor<60x64xf32>, %w: tensor<64x32xf32>) -> tensor<60x32xf32> {
  %r = kernel.group(%x, %w) : (tensor<60x64xf32>, tensor<64x32xf32>) -> tensor<60x32xf32> {
  ^bb0(%a: tensor<60x64xf32>, %b: tensor<64x32xf32>):
    %0 = graph.matmul %a, %b : (tensor<60x64xf32>, tensor<64x32xf32>) -> tensor<60x32xf32>
    %1 = graph.sigmoid %0 : (tensor<60x32xf32>) -> tensor<60x32xf32>
    kernel.yield %1 : tensor<60x32xf32>
  }
  return %r : tensor<60x32xf32>
}
