// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=baseline --tenon-assign-buffers --tenon-lower-kernels=target=baseline | FileCheck %s --check-prefix=BASE

// Eight rows at a time, each with an accumulator; the exponentials are kept for
// the last stage; one division for all of these rows.
// CHECK: kernel.launch @[[KERNEL:.*]] tiles(24)
// CHECK: func.func private @[[KERNEL]](
// CHECK: llvm.alloca {{.*}} x f32 {alignment = 64
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: llvm.x86.avx512.permvar.sf.512
// CHECK: arith.divf {{.*}} : vector<8xf32>
// CHECK-NOT: arith.divf
// CHECK: scf.for
// CHECK-NOT: llvm.x86.avx512.permvar.sf.512
// CHECK: arith.mulf {{.*}} : vector<16xf32>
// CHECK: llvm.store

// Without the instruction, 2^n is made of two halves, and rounding of an
// addition; nothing may need a library.
// BASE-NOT: llvm.intr.roundeven
// BASE-NOT: llvm.intr.fma
// BASE-NOT: math.
func.func @main(%x: tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  %r = kernel.group(%x) : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%a: tensor<12x128x128xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %s = graph.sub %a, %m : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %e = graph.exp %s : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %i = graph.reciprocal %t : (tensor<12x128x1xf32>) -> tensor<12x128x1xf32>
    %y = graph.mul %e, %i : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    kernel.yield %y : tensor<12x128x128xf32>
  }
  return %r : tensor<12x128x128xf32>
}
