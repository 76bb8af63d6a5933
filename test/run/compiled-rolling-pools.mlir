// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect a=%t/a.npy --expect m=%t/m.npy --expect m2=%t/m2.npy --expect i=%t/i.npy --expect h=%t/h.npy --expect w=%t/w.npy --expect c=%t/c.npy --rtol 1e-6 --atol 1e-6
// RUN: tenon-compile %s --compile-to=fuse -o %t/s.mlir --quiet
// RUN: tenon-opt %t/s.mlir --tenon-plan-kernels=target=zen4 | FileCheck %s
// RUN: %if avx512 %{ tenon-compile %s --mcpu=znver4 -o %t/a.tenon --quiet %}
// RUN: %if avx512 %{ tenon-run %t/a.tenon %{expect} --threads 1 %}
// RUN: %if avx512 %{ tenon-run %t/a.tenon %{expect} --threads 2 %}
// RUN: %if avx512 %{ tenon-run %t/a.tenon %{expect} --threads 5 %}
// RUN: %if avx512 %{ tenon-compile %s --mcpu=znver4 --guard-memory -o %t/g.tenon --quiet %}
// RUN: %if avx512 %{ tenon-run %t/g.tenon %{expect} --threads 3 %}
// RUN: %if avx512 %{ tenon-compile %s --mcpu=znver4 --guard-memory=below -o %t/g.tenon --quiet %}
// RUN: %if avx512 %{ tenon-run %t/g.tenon %{expect} --threads 3 %}
// CHECK-COUNT-7: rolls = 1

// Pools whose tiles roll down the map: averages of what exists and of padding
// too, maxima of numbers and where half are minus infinity, a stride that rows
// are left over of, windows of two rows by five, several images, a
// concatenation. Pixels of 256 channels lie 272 apart.
func.func @main(%x: tensor<2x256x17x15xf32> {onnx.name = "x"}, %z: tensor<2x128x17x15xf32> {onnx.name = "z"})
    -> (tensor<2x256x17x15xf32> {onnx.name = "a"}, tensor<2x256x17x15xf32> {onnx.name = "m"}, tensor<2x256x17x15xf32> {onnx.name = "m2"}, tensor<2x256x16x13xf32> {onnx.name = "i"}, tensor<2x256x9x7xf32> {onnx.name = "h"}, tensor<2x256x18x11xf32> {onnx.name = "w"}, tensor<2x256x15x13xf32> {onnx.name = "c"}) {
  %n = "onnx.Sqrt"(%x) : (tensor<2x256x17x15xf32>) -> tensor<2x256x17x15xf32>
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %none = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %is = "onnx.Less"(%x, %zero) : (tensor<2x256x17x15xf32>, tensor<f32>) -> tensor<2x256x17x15xi1>
  %o = "onnx.Where"(%is, %none, %n) : (tensor<2x256x17x15xi1>, tensor<f32>, tensor<2x256x17x15xf32>) -> tensor<2x256x17x15xf32>
  %m2 = "onnx.MaxPool"(%o) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x256x17x15xf32>) -> tensor<2x256x17x15xf32>
  %a = "onnx.AveragePool"(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x256x17x15xf32>) -> tensor<2x256x17x15xf32>
  %m = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x256x17x15xf32>) -> tensor<2x256x17x15xf32>
  %i = "onnx.AveragePool"(%x) {kernel_shape = array<i64: 3, 4>, pads = array<i64: 0, 1, 1, 0>, count_include_pad = 1 : i64} : (tensor<2x256x17x15xf32>) -> tensor<2x256x16x13xf32>
  %h = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 1, 0>} : (tensor<2x256x17x15xf32>) -> tensor<2x256x9x7xf32>
  %w = "onnx.AveragePool"(%x) {kernel_shape = array<i64: 2, 5>, pads = array<i64: 1, 0, 1, 0>} : (tensor<2x256x17x15xf32>) -> tensor<2x256x18x11xf32>
  %p = "onnx.MaxPool"(%z) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x128x17x15xf32>) -> tensor<2x128x17x15xf32>
  %q = "onnx.Concat"(%p, %z) {axis = 1 : i64} : (tensor<2x128x17x15xf32>, tensor<2x128x17x15xf32>) -> tensor<2x256x17x15xf32>
  %c = "onnx.AveragePool"(%q) {kernel_shape = array<i64: 3, 3>} : (tensor<2x256x17x15xf32>) -> tensor<2x256x15x13xf32>
  return %a, %m, %m2, %i, %h, %w, %c : tensor<2x256x17x15xf32>, tensor<2x256x17x15xf32>, tensor<2x256x17x15xf32>, tensor<2x256x16x13xf32>, tensor<2x256x9x7xf32>, tensor<2x256x18x11xf32>, tensor<2x256x15x13xf32>
}
