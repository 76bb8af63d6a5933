// RUN: tenon-opt %s --tenon-plan-kernels=target=baseline --tenon-assign-buffers --tenon-lower-kernels=target=baseline | FileCheck %s

// 16-bit floats are computed in f32 and converted with integer instructions
// where the target has no others.
// CHECK: func.func private @loops_0(
// CHECK-NOT: arith.extf {{.*}}f16
// CHECK-NOT: arith.truncf {{.*}}f16
// CHECK: arith.addf {{.*}}f32
func.func @main(%x: tensor<100xf16>, %y: tensor<100xf16>) -> tensor<100xf16> {
  %r = kernel.group(%x, %y) : (tensor<100xf16>, tensor<100xf16>) -> tensor<100xf16> {
  ^bb0(%a: tensor<100xf16>, %b: tensor<100xf16>):
    %0 = graph.add %a, %b : (tensor<100xf16>, tensor<100xf16>) -> tensor<100xf16>
    kernel.yield %0 : tensor<100xf16>
  }
  return %r : tensor<100xf16>
}
