// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect y=%t/y.npy --rtol 1e-5 --atol 1.2e-38
// RUN: tenon-run %t/native.tenon --input random:3 --expect z=%t/z.npy --rtol 1e-13 --atol 2.3e-308
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect y=%t/y.npy --rtol 1e-5 --atol 1.2e-38 %}
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect z=%t/z.npy --rtol 1e-13 --atol 2.3e-308 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/baseline.tenon --quiet
// RUN: tenon-run %t/baseline.tenon --input random:3 --expect y=%t/y.npy --rtol 1e-5 --atol 1.2e-38
// RUN: tenon-run %t/baseline.tenon --input random:3 --expect z=%t/z.npy --rtol 1e-13 --atol 2.3e-308
// RUN: tenon-opt %s --compile-to=codegen --mcpu=skylake-avx512 | FileCheck %s
// RUN: tenon-opt %s --compile-to=codegen --mcpu=haswell | FileCheck %s --check-prefix=AVX2

// What a mask takes out of a softmax is 0 without an instruction whose result
// is subnormal, which takes a hundred times as long: by a mask where one
// instruction scales, by a power of two that is 0 elsewhere. Above that all is
// as exact as anywhere. No power overflows. The input shifts one column only: a
// shift of whole rows would change no result.
// CHECK-LABEL: func.func private @loops_1
// CHECK-NOT: dense<8.900000e+01>
// CHECK: dense<-8.733650e+01> : vector<8xf32>
// CHECK-NOT: dense<8.900000e+01>
// CHECK-LABEL: func.func private @loops_2
// CHECK: dense<-7.083960e+02> : vector<8xf64>

// AVX2-LABEL: func.func private @loops_1
// AVX2-NOT: dense<5.42101086E-20>
// AVX2: dense<-8.800000e+01> : vector<8xf32>
// AVX2-NOT: dense<5.42101086E-20>
// AVX2-LABEL: func.func private @loops_2
func.func @main(%x: tensor<1xf32> {onnx.name = "x"})
    -> (tensor<5x6xf32> {onnx.name = "y"}, tensor<5x6xf64> {onnx.name = "z"}) {
  %c = "onnx.Constant"() {value = dense<[
    [0.0, -10000.0, -3.4e38, 0xFF800000, -1.0, -104.5],
    [0.0, -87.0, -87.3, -87.33, -87.4, -87.6],
    [0.0, -87.7, -88.0, -88.1, -90.0, -103.0],
    [0.0, 0.0, -132.0, -133.0, -200.0, -86.0],
    [-104.0, -105.0, -177.0, -177.5, -191.5, -192.0]]> : tensor<5x6xf32>} : () -> tensor<5x6xf32>
  %d = "onnx.Constant"() {value = dense<[
    [0.0, -10000.0, -1.0e308, 0xFFF0000000000000, -1.0, -746.5],
    [0.0, -708.0, -708.3, -708.39, -708.4, -709.0],
    [0.0, -709.1, -709.2, -710.0, -740.0, -745.0],
    [0.0, 0.0, -753.0, -754.0, -800.0, -700.0],
    [-746.0, -747.0, -1454.0, -1455.0, -1499.5, -1500.0]]> : tensor<5x6xf64>} : () -> tensor<5x6xf64>
  %e = "onnx.Constant"() {value = dense<[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %s = "onnx.Mul"(%x, %e) : (tensor<1xf32>, tensor<6xf32>) -> tensor<6xf32>
  %w = "onnx.Cast"(%s) {to = 11 : i64} : (tensor<6xf32>) -> tensor<6xf64>
  %v = "onnx.Add"(%s, %c) : (tensor<6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
  %u = "onnx.Add"(%w, %d) : (tensor<6xf64>, tensor<5x6xf64>) -> tensor<5x6xf64>
  %y = "onnx.Softmax"(%v) {axis = 1 : i64} : (tensor<5x6xf32>) -> tensor<5x6xf32>
  %z = "onnx.Softmax"(%u) {axis = 1 : i64} : (tensor<5x6xf64>) -> tensor<5x6xf64>
  return %y, %z : tensor<5x6xf32>, tensor<5x6xf64>
}
