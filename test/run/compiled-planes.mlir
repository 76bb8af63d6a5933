// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} = native
// DEFINE: %{expect} = --input random:3 --expect s=%t/s.npy --expect p=%t/p.npy --expect m=%t/m.npy --expect d=%t/d.npy --expect n=%t/n.npy --expect t=%t/t.npy --expect q=%t/q.npy
// DEFINE: %{agree} = tenon-compile %s --mcpu=%{cpu} -o %t/a.tenon --quiet && tenon-run %t/a.tenon %{expect} --threads 1 && tenon-compile %s --mcpu=%{cpu} --guard-memory -o %t/a.tenon --quiet && tenon-run %t/a.tenon %{expect} --threads 3
// RUN: %{agree}
// REDEFINE: %{cpu} = x86-64
// RUN: %{agree}
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %if avx2 %{ %{agree} %}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %if avx512 %{ %{agree} %}

// Images of three channels that are computed as images of one: a mask of
// windows with the same taps, an average and a maximum of four, numbers and one
// for each channel beside them; windows that differ, which are not; rows that
// become twice and four times as long, of odd and even numbers of pixels.
func.func @main(%x: tensor<1x3x37x45xf32> {onnx.name = "x"}, %y: tensor<2x4x33x47xf32> {onnx.name = "y"}, %z: tensor<1x1x9x41xf32> {onnx.name = "z"})
    -> (tensor<1x3x37x45xf32> {onnx.name = "s"}, tensor<2x4x33x47xf32> {onnx.name = "p"}, tensor<2x4x17x24xf32> {onnx.name = "m"}, tensor<1x3x37x45xf32> {onnx.name = "d"}, tensor<1x3x38x46xf32> {onnx.name = "n"}, tensor<1x1x36x164xf32> {onnx.name = "t"}, tensor<1x1x18x82xf32> {onnx.name = "q"}) {
  %row = "onnx.Constant"() {value = dense<[[[[0.25, 0.5, 0.25]]], [[[0.25, 0.5, 0.25]]], [[[0.25, 0.5, 0.25]]]]> : tensor<3x1x1x3xf32>} : () -> tensor<3x1x1x3xf32>
  %column = "onnx.Constant"() {value = dense<[[[[0.25], [0.5], [0.25]]], [[[0.25], [0.5], [0.25]]], [[[0.25], [0.5], [0.25]]]]> : tensor<3x1x3x1xf32>} : () -> tensor<3x1x3x1xf32>
  %each = "onnx.Constant"() {value = dense<[[[1.0]], [[2.0]], [[-1.5]]]> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %half = "onnx.Constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %a = "onnx.Conv"(%x, %row) {group = 3 : i64, pads = array<i64: 0, 1, 0, 1>} : (tensor<1x3x37x45xf32>, tensor<3x1x1x3xf32>) -> tensor<1x3x37x45xf32>
  %b = "onnx.Conv"(%a, %column) {group = 3 : i64, pads = array<i64: 1, 0, 1, 0>} : (tensor<1x3x37x45xf32>, tensor<3x1x3x1xf32>) -> tensor<1x3x37x45xf32>
  %c = "onnx.Sub"(%x, %b) : (tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) -> tensor<1x3x37x45xf32>
  %e = "onnx.Mul"(%c, %each) : (tensor<1x3x37x45xf32>, tensor<3x1x1xf32>) -> tensor<1x3x37x45xf32>
  %f = "onnx.Mul"(%e, %half) : (tensor<1x3x37x45xf32>, tensor<f32>) -> tensor<1x3x37x45xf32>
  %s = "onnx.Add"(%x, %f) : (tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) -> tensor<1x3x37x45xf32>
  %p = "onnx.AveragePool"(%y) {kernel_shape = array<i64: 3, 5>, pads = array<i64: 1, 2, 1, 2>} : (tensor<2x4x33x47xf32>) -> tensor<2x4x33x47xf32>
  %m = "onnx.MaxPool"(%y) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x4x33x47xf32>) -> tensor<2x4x17x24xf32>
  %taps = "onnx.Constant"() {value = dense<[[[[0.25, 0.5, 0.25]]], [[[0.25, 0.5, 0.5]]], [[[0.25, 0.5, 0.25]]]]> : tensor<3x1x1x3xf32>} : () -> tensor<3x1x1x3xf32>
  %d = "onnx.Conv"(%x, %taps) {group = 3 : i64, pads = array<i64: 0, 1, 0, 1>} : (tensor<1x3x37x45xf32>, tensor<3x1x1x3xf32>) -> tensor<1x3x37x45xf32>
  %small = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>} : (tensor<1x3x37x45xf32>) -> tensor<1x3x19x23xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  %twice = "onnx.Constant"() {value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %n = "onnx.Resize"(%small, %none, %twice) {mode = "linear"} : (tensor<1x3x19x23xf32>, none, tensor<4xf32>) -> tensor<1x3x38x46xf32>
  %four = "onnx.Constant"() {value = dense<[1.0, 1.0, 4.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %t = "onnx.Resize"(%z, %none, %four) {mode = "cubic"} : (tensor<1x1x9x41xf32>, none, tensor<4xf32>) -> tensor<1x1x36x164xf32>
  %q = "onnx.Resize"(%z, %none, %twice) {mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"} : (tensor<1x1x9x41xf32>, none, tensor<4xf32>) -> tensor<1x1x18x82xf32>
  return %s, %p, %m, %d, %n, %t, %q : tensor<1x3x37x45xf32>, tensor<2x4x33x47xf32>, tensor<2x4x17x24xf32>, tensor<1x3x37x45xf32>, tensor<1x3x38x46xf32>, tensor<1x1x36x164xf32>, tensor<1x1x18x82xf32>
}
