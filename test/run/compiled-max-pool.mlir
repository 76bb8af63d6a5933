// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect m=%t/m.npy --expect g=%t/g.npy --expect u=%t/u.npy --rtol 0 --atol 0
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect m=%t/m.npy --expect g=%t/g.npy --expect u=%t/u.npy --rtol 0 --atol 0 %}
// RUN: tenon-run %t/native.tenon --input random:3 --expect g=%t/m.npy --rtol 0 --atol 0

// Where maxima lie: what is gathered there is the maxima again. Windows hang
// over the border, and indices may count in column-major order.
func.func @main(%x: tensor<2x3x11x13xf32> {onnx.name = "x"})
    -> (tensor<2x3x5x7xf32> {onnx.name = "m"}, tensor<2x3x5x7xf32> {onnx.name = "g"}, tensor<2x3x6x7xi64> {onnx.name = "u"}) {
  %m, %i = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, dilations = array<i64: 2, 1>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x3x11x13xf32>) -> (tensor<2x3x5x7xf32>, tensor<2x3x5x7xi64>)
  %s = "onnx.Constant"() {value = dense<[858]> : tensor<1xi64>} : () -> tensor<1xi64>
  %f = "onnx.Reshape"(%x, %s) : (tensor<2x3x11x13xf32>, tensor<1xi64>) -> tensor<858xf32>
  %g = "onnx.Gather"(%f, %i) {axis = 0 : i64} : (tensor<858xf32>, tensor<2x3x5x7xi64>) -> tensor<2x3x5x7xf32>
  %n, %u = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64, storage_order = 1 : i64} : (tensor<2x3x11x13xf32>) -> (tensor<2x3x6x7xf32>, tensor<2x3x6x7xi64>)
  return %m, %g, %u : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>, tensor<2x3x6x7xi64>
}
