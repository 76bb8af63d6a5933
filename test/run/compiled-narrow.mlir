// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} =
// DEFINE: %{type} =
// DEFINE: %{atol} =
// DEFINE: %{compile} = tenon-compile %s --winograd=off --mcpu=%{cpu} --weights=%{type} --report=%t/%{type}.json -o %t/a.tenon | FileCheck %s --check-prefix=TABLE
// DEFINE: %{exact} = tenon-run %t/a.tenon --input random:3 --expect a=%t/a.npy --expect b=%t/b.npy --expect c=%t/c.npy --rtol 1e-5 --atol 1e-4
// DEFINE: %{rounded} = tenon-run %t/a.tenon --input random:3 --expect d=%t/d.npy --rtol 0 --atol %{atol}

// REDEFINE: %{cpu} = x86-64-v3
// REDEFINE: %{type} = f16
// REDEFINE: %{atol} = 0.03
// RUN: %{compile}
// RUN: %if avx2 %{ %{exact} %}
// RUN: %if avx2 %{ %{rounded} %}
// REDEFINE: %{type} = bf16
// REDEFINE: %{atol} = 0.25
// RUN: %{compile}
// RUN: %if avx2 %{ %{exact} %}
// RUN: %if avx2 %{ %{rounded} %}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{compile}
// RUN: %if avx512 %{ %{exact} %}
// RUN: %if avx512 %{ %{rounded} %}
// REDEFINE: %{type} = f16
// REDEFINE: %{atol} = 0.03
// RUN: %{compile}
// RUN: %if avx512 %{ %{exact} %}
// RUN: %if avx512 %{ %{rounded} %}
// REDEFINE: %{cpu} = x86-64
// RUN: %{compile}
// RUN: %{exact}
// RUN: %{rounded}
// RUN: FileCheck %s --check-prefix=F16 --input-file=%t/f16.json
// RUN: FileCheck %s --check-prefix=BF16 --input-file=%t/bf16.json

// A product, a convolution in groups and a recurrence whose weights are exact
// in both types, so that only their layout can be wrong; then a product whose
// weights are rounded: 64 of them below one, each by 2^-11 or 2^-8 of itself at
// most. The last one is too large for f16.
// TABLE: saved by narrowing {{ *}}[[BYTES:[0-9]+]] bytes
// TABLE: narrowed constants {{ *}}{{[56]}}, {{[01]}} kept in f32
// TABLE: largest error {{.*}} of a weight, {{.*}} of the largest
// F16: "narrowed": {
// F16: "bytes_saved": 14492
// F16: "element": "f32"
// F16: "largest_relative_error": 0
// F16: "note": "kept: a weight is too large for 16 bits"
// BF16: "bytes_saved": 16540
// BF16-NOT: kept
func.func @main(%x: tensor<3x64xf32> {onnx.name = "x"}, %i: tensor<1x6x7x7xf32> {onnx.name = "i"}, %s: tensor<4x2x8xf32> {onnx.name = "s"})
    -> (tensor<3x37xf32> {onnx.name = "a"}, tensor<1x10x7x7xf32> {onnx.name = "b"}, tensor<4x1x2x20xf32> {onnx.name = "c"}, tensor<3x37xf32> {onnx.name = "d"}, tensor<3x16xf32> {onnx.name = "e"}) {
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %scale = "onnx.Constant"() {value = dense<64.0> : tensor<f32>} : () -> tensor<f32>
  %count = "onnx.Constant"() {value = dense<2368.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "onnx.Range"(%zero, %count, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2368xf32>
  %1 = "onnx.Sin"(%0) : (tensor<2368xf32>) -> tensor<2368xf32>
  %2 = "onnx.Mul"(%1, %scale) : (tensor<2368xf32>, tensor<f32>) -> tensor<2368xf32>
  %3 = "onnx.Floor"(%2) : (tensor<2368xf32>) -> tensor<2368xf32>
  %4 = "onnx.Div"(%3, %scale) : (tensor<2368xf32>, tensor<f32>) -> tensor<2368xf32>
  %from = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>

  %sw = "onnx.Constant"() {value = dense<[64, 37]> : tensor<2xi64>} : () -> tensor<2xi64>
  %wa = "onnx.Reshape"(%4, %sw) : (tensor<2368xf32>, tensor<2xi64>) -> tensor<64x37xf32>
  %a = "onnx.MatMul"(%x, %wa) : (tensor<3x64xf32>, tensor<64x37xf32>) -> tensor<3x37xf32>

  %nb = "onnx.Constant"() {value = dense<270> : tensor<1xi64>} : () -> tensor<1xi64>
  %sb = "onnx.Constant"() {value = dense<[10, 3, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %5 = "onnx.Slice"(%4, %from, %nb) : (tensor<2368xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<270xf32>
  %wb = "onnx.Reshape"(%5, %sb) : (tensor<270xf32>, tensor<4xi64>) -> tensor<10x3x3x3xf32>
  %b = "onnx.Conv"(%i, %wb) {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x6x7x7xf32>, tensor<10x3x3x3xf32>) -> tensor<1x10x7x7xf32>

  %nc = "onnx.Constant"() {value = dense<1600> : tensor<1xi64>} : () -> tensor<1xi64>
  %sc = "onnx.Constant"() {value = dense<[1, 80, 20]> : tensor<3xi64>} : () -> tensor<3xi64>
  %6 = "onnx.Slice"(%4, %from, %nc) : (tensor<2368xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1600xf32>
  %rc = "onnx.Reshape"(%6, %sc) : (tensor<1600xf32>, tensor<3xi64>) -> tensor<1x80x20xf32>
  %wc = "onnx.Constant"() {value = dense<0.125> : tensor<1x80x8xf32>} : () -> tensor<1x80x8xf32>
  %c, %ch, %cc = "onnx.LSTM"(%s, %wc, %rc) {hidden_size = 20 : i64}
    : (tensor<4x2x8xf32>, tensor<1x80x8xf32>, tensor<1x80x20xf32>) -> (tensor<4x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>)

  %wd = "onnx.Reshape"(%1, %sw) : (tensor<2368xf32>, tensor<2xi64>) -> tensor<64x37xf32>
  %d = "onnx.MatMul"(%x, %wd) : (tensor<3x64xf32>, tensor<64x37xf32>) -> tensor<3x37xf32>

  %we = "onnx.Constant"() {value = dense<7.0e+04> : tensor<64x16xf32>} : () -> tensor<64x16xf32>
  %e = "onnx.MatMul"(%x, %we) : (tensor<3x64xf32>, tensor<64x16xf32>) -> tensor<3x16xf32>
  return %a, %b, %c, %d, %e : tensor<3x37xf32>, tensor<1x10x7x7xf32>, tensor<4x1x2x20xf32>, tensor<3x37xf32>, tensor<3x16xf32>
}
