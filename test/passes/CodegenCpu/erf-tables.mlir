// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 | FileCheck %s --check-prefix=WIDE
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-assign-buffers --tenon-lower-kernels=target=avx2 | FileCheck %s --check-prefix=NARROW
// RUN: tenon-opt %s --tenon-plan-kernels=target=baseline --tenon-assign-buffers --tenon-lower-kernels=target=baseline | FileCheck %s --check-prefix=NONE

// A coefficient is a permutation of as many as a vector has lanes: six of 16,
// or eight of 8 for each of two vectors.
// WIDE-COUNT-6: "llvm.x86.avx512.permvar.sf.512"
// WIDE-NOT: permvar
// WIDE: llvm.intr.copysign
// NARROW-COUNT-16: "llvm.x86.avx2.permps"
// NARROW-NOT: permps
// NARROW: llvm.intr.copysign
// NONE-NOT: llvm.x86
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %r = kernel.group(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %0 = graph.erf %a : (tensor<16xf32>) -> tensor<16xf32>
    kernel.yield %0 : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
