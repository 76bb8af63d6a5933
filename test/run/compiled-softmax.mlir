// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect y=%t/y.npy --expect m=%t/m.npy --expect e=%t/e.npy --rtol 1e-6
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect y=%t/y.npy --expect m=%t/m.npy --expect e=%t/e.npy --rtol 1e-6 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/baseline.tenon --quiet
// RUN: tenon-run %t/baseline.tenon --input random:3 --expect y=%t/y.npy --expect m=%t/m.npy --expect e=%t/e.npy --rtol 1e-6
// RUN: tenon-compile %s --device=cuda:sm_90a --mcpu=x86-64 -o %t/gpu.tenon --quiet
// RUN: %gpu tenon-run %t/gpu.tenon --device=cuda --input random:3 --expect y=%t/y.npy --expect m=%t/m.npy --expect e=%t/e.npy --rtol 1e-6
// RUN: tenon-opt %s --compile-to=codegen --mcpu=haswell | FileCheck %s

// One NaN spoils its row of a softmax and no other; so do infinities that have
// no limit. A maximum that serves a softmax only need not look for NaN; one
// that is a result, or whose powers are results, must.
// CHECK-LABEL: func.func private @loops_0
// CHECK-NOT: arith.cmpf uno
// CHECK-LABEL: func.func private @loops_1
// CHECK: arith.cmpf uno
// CHECK-LABEL: func.func private @loops_2
// CHECK: arith.cmpf uno
func.func @main(%x: tensor<6x5xf32> {onnx.name = "x"})
    -> (tensor<6x5xf32> {onnx.name = "y"}, tensor<6x1xf32> {onnx.name = "m"}, tensor<6x5xf32> {onnx.name = "e"}) {
  %c = "onnx.Constant"() {value = dense<[
    [0.0, 1.0, 2.0, 3.0, 4.0],
    [0.0, 1.0, 0x7FC00000, 3.0, 4.0],
    [0xFF800000, 0xFF800000, 1.0, 0xFF800000, 2.0],
    [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
    [0.0, 0x7F800000, 1.0, 2.0, 3.0],
    [0x7FC00000, -1.0, -2.0, -3.0, -4.0]]> : tensor<6x5xf32>} : () -> tensor<6x5xf32>
  %a = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %v = "onnx.Add"(%x, %c) : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %y = "onnx.Softmax"(%v) {axis = 1 : i64} : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %w = "onnx.Sub"(%c, %x) : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %m = "onnx.ReduceMax"(%w, %a) {keepdims = 1 : i64} : (tensor<6x5xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %n = "onnx.Mul"(%c, %x) : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %l = "onnx.ReduceMax"(%n, %a) {keepdims = 1 : i64} : (tensor<6x5xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %d = "onnx.Sub"(%n, %l) : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %e = "onnx.Exp"(%d) : (tensor<6x5xf32>) -> tensor<6x5xf32>
  return %y, %m, %e : tensor<6x5xf32>, tensor<6x1xf32>, tensor<6x5xf32>
}
