// Convolutions for AArch64: dense 3x3 (with fewer products and without),
// strided, grouped, depthwise, and pools over them.
// REQUIRES: qemu-aarch64, python
// DEFINE: %{agree} = %python -B %S/agree.py --run "qemu-aarch64 -cpu {cpu} %aarch64_build/bin/tenon-run" --mcpu neoverse-n1,cortex-a72 %s
// RUN: %{agree} --compile-option=--winograd=safe
// RUN: %{agree} --compile-option=--winograd=off

func.func @main(%x: tensor<1x16x20x20xf32> {onnx.name = "x"}) -> (tensor<1x32x20x20xf32> {onnx.name = "dense"}, tensor<1x32x9x9xf32> {onnx.name = "strided"}, tensor<1x32x20x20xf32> {onnx.name = "grouped"}, tensor<1x32x7x7xf32> {onnx.name = "pooled"}) {
  // Filters that differ in all places: a window times a column times a row.
  %window = "onnx.Constant"() {value = dense<[[[[0.5, -0.25, 0.125], [1.5, 1.0, -0.75], [0.3, -0.9, 0.2]]]]> : tensor<1x1x3x3xf32>} : () -> tensor<1x1x3x3xf32>
  %from = "onnx.Constant"() {value = dense<[[[[0.1]], [[-0.2]], [[0.3]], [[0.05]], [[0.2]], [[-0.1]], [[0.15]], [[-0.3]], [[0.25]], [[0.1]], [[-0.05]], [[0.2]], [[-0.15]], [[0.3]], [[0.1]], [[-0.2]]]]> : tensor<1x16x1x1xf32>} : () -> tensor<1x16x1x1xf32>
  %shape = "onnx.Constant"() {value = dense<[4, 8, 1, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %to8 = "onnx.Constant"() {value = dense<[[[[1.0]], [[-0.5]], [[0.75]], [[0.25]], [[-1.0]], [[1.25]], [[0.5]], [[-0.75]]]]> : tensor<1x8x1x1xf32>} : () -> tensor<1x8x1x1xf32>
  %to4x8 = "onnx.Expand"(%to8, %shape) : (tensor<1x8x1x1xf32>, tensor<4xi64>) -> tensor<4x8x1x1xf32>
  %column = "onnx.Constant"() {value = dense<[32, 1, 1, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %to = "onnx.Reshape"(%to4x8, %column) : (tensor<4x8x1x1xf32>, tensor<4xi64>) -> tensor<32x1x1x1xf32>
  %each = "onnx.Mul"(%window, %to) : (tensor<1x1x3x3xf32>, tensor<32x1x1x1xf32>) -> tensor<32x1x3x3xf32>
  %all = "onnx.Mul"(%each, %from) : (tensor<32x1x3x3xf32>, tensor<1x16x1x1xf32>) -> tensor<32x16x3x3xf32>
  %begin = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %end = "onnx.Constant"() {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  %axis = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %half = "onnx.Slice"(%all, %begin, %end, %axis) : (tensor<32x16x3x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<32x8x3x3xf32>

  %0 = "onnx.Conv"(%x, %all) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x20x20xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x20x20xf32>
  %dense = "onnx.Relu"(%0) : (tensor<1x32x20x20xf32>) -> tensor<1x32x20x20xf32>
  %strided = "onnx.Conv"(%x, %all) {strides = array<i64: 2, 2>} : (tensor<1x16x20x20xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x9x9xf32>
  %grouped = "onnx.Conv"(%x, %half) {pads = array<i64: 1, 1, 1, 1>, group = 2 : i64} : (tensor<1x16x20x20xf32>, tensor<32x8x3x3xf32>) -> tensor<1x32x20x20xf32>
  %1 = "onnx.Conv"(%dense, %each) {pads = array<i64: 1, 1, 1, 1>, group = 32 : i64} : (tensor<1x32x20x20xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x20x20xf32>
  %2 = "onnx.MaxPool"(%1) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x32x20x20xf32>) -> tensor<1x32x9x9xf32>
  %pooled = "onnx.AveragePool"(%2) {kernel_shape = array<i64: 3, 3>} : (tensor<1x32x9x9xf32>) -> tensor<1x32x7x7xf32>
  return %dense, %strided, %grouped, %pooled : tensor<1x32x20x20xf32>, tensor<1x32x9x9xf32>, tensor<1x32x20x20xf32>, tensor<1x32x7x7xf32>
}
