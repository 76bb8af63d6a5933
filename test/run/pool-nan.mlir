// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --threads 1 --input random:3 --output-dir %t
// RUN: tenon-run %t/native.tenon --threads 3 --input random:3 --expect s=%t/s2.npy --expect h=%t/h2.npy --expect p=%t/p2.npy --expect r=%t/r2.npy --rtol 0 --atol 0
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect s=%t/s2.npy --expect h=%t/h2.npy --expect p=%t/p2.npy --expect r=%t/r2.npy --rtol 0 --atol 0 %}
// RUN: tenon-compile %s --mcpu=znver4 -o %t/znver4.tenon --quiet
// RUN: %if avx512 %{ tenon-run %t/znver4.tenon --input random:3 --expect s=%t/s2.npy --expect h=%t/h2.npy --expect p=%t/p2.npy --expect r=%t/r2.npy --rtol 0 --atol 0 %}

// What is no number never wins in a compiled pool, wherever it stands in a
// window: every second element is none, and might as well be minus infinity.
// Tiles of r roll down the map on Zen 4.
func.func @main(%x: tensor<2x20x13x14xf32> {onnx.name = "x"}, %z: tensor<2x32x13x14xf32> {onnx.name = "z"})
    -> (tensor<2x20x13x14xf32> {onnx.name = "s"}, tensor<2x20x13x14xf32> {onnx.name = "s2"}, tensor<2x20x7x7xf32> {onnx.name = "h"}, tensor<2x20x7x7xf32> {onnx.name = "h2"}, tensor<2x20x6x7xf32> {onnx.name = "p"}, tensor<2x20x6x7xf32> {onnx.name = "p2"}, tensor<2x32x13x14xf32> {onnx.name = "r"}, tensor<2x32x13x14xf32> {onnx.name = "r2"}) {
  %n = "onnx.Sqrt"(%x) : (tensor<2x20x13x14xf32>) -> tensor<2x20x13x14xf32>
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %none = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %is = "onnx.Less"(%x, %zero) : (tensor<2x20x13x14xf32>, tensor<f32>) -> tensor<2x20x13x14xi1>
  %i = "onnx.Where"(%is, %none, %n) : (tensor<2x20x13x14xi1>, tensor<f32>, tensor<2x20x13x14xf32>) -> tensor<2x20x13x14xf32>
  %s = "onnx.MaxPool"(%n) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x20x13x14xf32>) -> tensor<2x20x13x14xf32>
  %s2 = "onnx.MaxPool"(%i) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x20x13x14xf32>) -> tensor<2x20x13x14xf32>
  %h = "onnx.MaxPool"(%n) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x20x13x14xf32>) -> tensor<2x20x7x7xf32>
  %h2 = "onnx.MaxPool"(%i) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x20x13x14xf32>) -> tensor<2x20x7x7xf32>
  %p = "onnx.MaxPool"(%n) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<2x20x13x14xf32>) -> tensor<2x20x6x7xf32>
  %p2 = "onnx.MaxPool"(%i) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<2x20x13x14xf32>) -> tensor<2x20x6x7xf32>
  %zn = "onnx.Sqrt"(%z) : (tensor<2x32x13x14xf32>) -> tensor<2x32x13x14xf32>
  %zis = "onnx.Less"(%z, %zero) : (tensor<2x32x13x14xf32>, tensor<f32>) -> tensor<2x32x13x14xi1>
  %zi = "onnx.Where"(%zis, %none, %zn) : (tensor<2x32x13x14xi1>, tensor<f32>, tensor<2x32x13x14xf32>) -> tensor<2x32x13x14xf32>
  %r = "onnx.MaxPool"(%zn) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x32x13x14xf32>) -> tensor<2x32x13x14xf32>
  %r2 = "onnx.MaxPool"(%zi) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x32x13x14xf32>) -> tensor<2x32x13x14xf32>
  return %s, %s2, %h, %h2, %p, %p2, %r, %r2 : tensor<2x20x13x14xf32>, tensor<2x20x13x14xf32>, tensor<2x20x7x7xf32>, tensor<2x20x7x7xf32>, tensor<2x20x6x7xf32>, tensor<2x20x6x7xf32>, tensor<2x32x13x14xf32>, tensor<2x32x13x14xf32>
}
