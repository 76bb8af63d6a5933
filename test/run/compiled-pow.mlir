// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3:1000 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3:1000 --expect y=%t/y.npy --expect z=%t/z.npy --rtol 0 --atol 0
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3:1000 --expect y=%t/y.npy --expect z=%t/z.npy --rtol 0 --atol 0 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/baseline.tenon --quiet
// RUN: tenon-run %t/baseline.tenon --input random:3:1000 --expect y=%t/y.npy --expect z=%t/z.npy --rtol 0 --atol 0

// Real powers of integers are truncated: nothing may be lost before, whether
// the exponent is whole or a root.
func.func @main(%x: tensor<500x1xi64> {onnx.name = "x"}, %s: tensor<500x1xi32> {onnx.name = "s"})
    -> (tensor<500x8xi64> {onnx.name = "y"}, tensor<500x4xi32> {onnx.name = "z"}) {
  %e = "onnx.Constant"() {value = dense<[2.0, 3.0, 4.0, 5.0, 0.5, 1.5, -1.0, 0.0]> : tensor<8xf32>} : () -> tensor<8xf32>
  %y = "onnx.Pow"(%x, %e) : (tensor<500x1xi64>, tensor<8xf32>) -> tensor<500x8xi64>
  %c = "onnx.Mul"(%s, %s) : (tensor<500x1xi32>, tensor<500x1xi32>) -> tensor<500x1xi32>
  %r = "onnx.Constant"() {value = dense<[0.5, 1.5, 1.0, -0.5]> : tensor<4xf64>} : () -> tensor<4xf64>
  %z = "onnx.Pow"(%c, %r) : (tensor<500x1xi32>, tensor<4xf64>) -> tensor<500x4xi32>
  return %y, %z : tensor<500x8xi64>, tensor<500x4xi32>
}
