// RUN: rm -rf %t && tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} =
// DEFINE: %{compile} = tenon-compile %s --mcpu=%{cpu} -o %t/a.tenon --quiet
// DEFINE: %{run} = tenon-run %t/a.tenon --input random:3 --expect a=%t/a.npy --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy --rtol 4e-3 --atol 4e-3
// REDEFINE: %{cpu} = x86-64
// RUN: %{compile}
// RUN: %{run}
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %{compile}
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{compile}
// RUN: %if avx512 %{ %{run} %}
// RUN: tenon-compile %s --mcpu=neoverse-n1 --emit=none --quiet
// RUN: tenon-compile %s --compile-to=simplify -o - --quiet | FileCheck %s

// All of a model of f16 is computed in f32: products filter minimally, sums and
// powers have room, and results are rounded where they are made.
// CHECK: graph.conv {{.*}} -> tensor<1x9x9x16xf32>
// CHECK-NOT: graph.exp {{.*}}f16
// CHECK-NOT: graph.reduce_{{.*}}f16
// AGREE: f16
func.func @main(%x: tensor<1x24x9x9xf16> {onnx.name = "x"}, %s: tensor<24xf16> {onnx.name = "s"}, %i: tensor<5xi64> {onnx.name = "i"})
    -> (tensor<1x16x9x9xf16> {onnx.name = "a"}, tensor<81x24xf16> {onnx.name = "b"}, tensor<5x24xf16> {onnx.name = "c"}, tensor<1x24xf16> {onnx.name = "d"}) {
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %count = "onnx.Constant"() {value = dense<3456.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "onnx.Range"(%zero, %count, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3456xf32>
  %1 = "onnx.Sin"(%0) : (tensor<3456xf32>) -> tensor<3456xf32>
  %2 = "onnx.Cast"(%1) {to = 10 : i64} : (tensor<3456xf32>) -> tensor<3456xf16>
  %filter = "onnx.Constant"() {value = dense<[16, 24, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %3 = "onnx.Reshape"(%2, %filter) : (tensor<3456xf16>, tensor<4xi64>) -> tensor<16x24x3x3xf16>
  %bias = "onnx.Constant"() {value = dense<0.7> : tensor<16xf16>} : () -> tensor<16xf16>
  %4 = "onnx.Conv"(%x, %3, %bias) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x24x9x9xf16>, tensor<16x24x3x3xf16>, tensor<16xf16>) -> tensor<1x16x9x9xf16>
  %5 = "onnx.Tanh"(%4) : (tensor<1x16x9x9xf16>) -> tensor<1x16x9x9xf16>
  %rows = "onnx.Constant"() {value = dense<[24, 81]> : tensor<2xi64>} : () -> tensor<2xi64>
  %6 = "onnx.Reshape"(%x, %rows) : (tensor<1x24x9x9xf16>, tensor<2xi64>) -> tensor<24x81xf16>
  %7 = "onnx.Transpose"(%6) {perm = array<i64: 1, 0>} : (tensor<24x81xf16>) -> tensor<81x24xf16>
  %8 = "onnx.Softmax"(%7) {axis = 1 : i64} : (tensor<81x24xf16>) -> tensor<81x24xf16>
  %9 = "onnx.LayerNormalization"(%8, %s) {axis = 1 : i64} : (tensor<81x24xf16>, tensor<24xf16>) -> tensor<81x24xf16>
  %10 = "onnx.Gather"(%9, %i) {axis = 0 : i64} : (tensor<81x24xf16>, tensor<5xi64>) -> tensor<5x24xf16>
  %axis = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %11 = "onnx.ReduceMean"(%9, %axis) {keepdims = 1 : i64} : (tensor<81x24xf16>, tensor<1xi64>) -> tensor<1x24xf16>
  return %5, %9, %10, %11 : tensor<1x16x9x9xf16>, tensor<81x24xf16>, tensor<5x24xf16>, tensor<1x24xf16>
}
